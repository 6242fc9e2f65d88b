package io.cuzk.groth16;

import io.cuzk.InvalidInputException;
import io.cuzk.curve.Group;
import io.cuzk.curve.PointEncoding;
import io.cuzk.parallel.Workers;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * The full check of a parameter file's points.
 *
 * <p>Subgroup membership of millions of points is tested by random buckets instead of one ladder a
 * point: each point is added to a bucket drawn at random, and only the sums are tested. A single
 * bad point always shows. Of several, fix all draws but one bad point's: the parts outside the
 * subgroup can cancel in all buckets for at most one of its {@value #BUCKETS} draws. {@value
 * #ROUNDS} independent rounds therefore miss a bad file with probability below 2⁻⁷⁰, whoever made
 * it, since the draws are made after it.
 */
final class ParameterCheck {
  static final int BUCKETS = 1 << 10;
  static final int ROUNDS = 7;

  private static final int BLOCK = 2048;

  /** Points and sums of a step that looks for the place of a known fault. */
  private static final int CHUNK = 1024;

  private static final int CHUNK_BUCKETS = 8;

  private ParameterCheck() {}

  static void check(
      List<? extends CheckedPoints> sections,
      PointEncoding.Check level,
      Workers workers,
      Progress progress) {
    for (CheckedPoints points : sections) {
      new SectionCheck(points, level, progress).run(workers);
    }
  }

  private static final class SectionCheck {
    private final CheckedPoints points;
    private final Group group;
    private final boolean subgroup;
    private final Progress progress;
    private final String what;

    /** Index of the first bad point found so far; later ones are not looked at. */
    private final AtomicLong firstBad = new AtomicLong(Long.MAX_VALUE);

    private final AtomicLong done = new AtomicLong();

    SectionCheck(CheckedPoints points, PointEncoding.Check level, Progress progress) {
      this.points = points;
      this.group = points.group();
      this.subgroup = level == PointEncoding.Check.SUBGROUP;
      this.progress = progress;
      this.what = "section " + points.section();
    }

    void run(Workers workers) {
      long seed = new SecureRandom().nextLong();
      // Few points are tested one by one: the sums would be more.
      boolean sums = subgroup && points.size() > ROUNDS * BUCKETS;
      long[] total = sums ? new long[ROUNDS * BUCKETS * group.jacobianWords()] : null;
      workers.forRanges(
          points.size(),
          BLOCK,
          (from, to) -> {
            long[] buckets = sums ? new long[total.length] : null;
            scan(from, to, buckets, draws(seed, from));
            if (sums) {
              synchronized (total) {
                for (int i = 0; i < total.length; i += group.jacobianWords()) {
                  group.add(total, i, total, i, buckets, i);
                }
              }
            }
          });
      if (sums && firstBad.get() == Long.MAX_VALUE && !allInSubgroup(total)) {
        workers.forRanges(points.size(), CHUNK, (from, to) -> locate(from, to, draws(~seed, from)));
        if (firstBad.get() == Long.MAX_VALUE) {
          workers.forRanges(points.size(), CHUNK, this::testEach);
        }
      }
      if (firstBad.get() != Long.MAX_VALUE) {
        explain(firstBad.get());
      }
    }

    private static RandomGenerator draws(long seed, long from) {
      return RandomGeneratorFactory.of("L64X128MixRandom")
          .create(seed ^ (from * 0x9e3779b97f4a7c15L));
    }

    private void scan(long from, long to, long[] buckets, RandomGenerator random) {
      long[] block = new long[BLOCK * group.affineWords()];
      for (long at = from; at < to && at < firstBad.get(); at += BLOCK) {
        int count = (int) Math.min(BLOCK, to - at);
        try {
          points.readChecked(at, count, block, 0);
        } catch (InvalidInputException e) {
          report(firstUnreadable(at, count));
          return;
        }
        for (int i = 0; i < count; i++) {
          int word = i * group.affineWords();
          if (!group.isOnCurve(block, word)
              || (subgroup && buckets == null && !group.isInSubgroup(block, word))) {
            report(at + i);
            return;
          }
          if (buckets != null) {
            for (int round = 0; round < ROUNDS; round++) {
              int bucket = (round * BUCKETS + random.nextInt(BUCKETS)) * group.jacobianWords();
              group.addMixed(buckets, bucket, buckets, bucket, block, word);
            }
          }
        }
        progress.advanced(what, done.addAndGet(count), points.size());
      }
    }

    private long firstUnreadable(long at, int count) {
      long[] point = new long[group.affineWords()];
      for (int i = 0; i < count; i++) {
        try {
          points.readChecked(at + i, 1, point, 0);
        } catch (InvalidInputException e) {
          return at + i;
        }
      }
      throw new IllegalStateException("the file changed while it was checked");
    }

    private boolean allInSubgroup(long[] jacobian) {
      int count = jacobian.length / group.jacobianWords();
      long[] affine = new long[count * group.affineWords()];
      group.toAffineBatch(affine, 0, jacobian, 0, count);
      for (int i = 0; i < count; i++) {
        if (!group.isInSubgroup(affine, i * group.affineWords())) {
          return false;
        }
      }
      return true;
    }

    /** Finds the bad point of a section that has one: few sums a chunk, then one by one. */
    private void locate(long from, long to, RandomGenerator random) {
      long[] block = new long[CHUNK * group.affineWords()];
      for (long at = from; at < to && at < firstBad.get(); at += CHUNK) {
        int count = (int) Math.min(CHUNK, to - at);
        points.readChecked(at, count, block, 0);
        long[] buckets = new long[CHUNK_BUCKETS * group.jacobianWords()];
        for (int i = 0; i < count; i++) {
          int bucket = random.nextInt(CHUNK_BUCKETS) * group.jacobianWords();
          group.addMixed(buckets, bucket, buckets, bucket, block, i * group.affineWords());
        }
        if (!allInSubgroup(buckets)) {
          testEach(at, at + count);
        }
      }
    }

    private void testEach(long from, long to) {
      long[] point = new long[group.affineWords()];
      for (long k = from; k < to && k < firstBad.get(); k++) {
        points.readChecked(k, 1, point, 0);
        if (!group.isInSubgroup(point, 0)) {
          report(k);
        }
      }
    }

    private void report(long index) {
      firstBad.accumulateAndGet(index, Math::min);
    }

    private void explain(long index) {
      long[] point = new long[group.affineWords()];
      points.readChecked(index, 1, point, 0);
      String found = HexFormat.of().formatHex(points.raw(index));
      throw points.invalid(
          index,
          (group.isOnCurve(point, 0)
                  ? "on the curve, but not in the subgroup of order r: "
                  : "not on the curve: ")
              + found);
    }
  }
}
