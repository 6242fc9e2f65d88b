package io.cuzk.msm;

import io.cuzk.curve.AffinePoints;
import io.cuzk.curve.Group;
import io.cuzk.field.AffineVector;
import io.cuzk.field.Arithmetic;
import io.cuzk.parallel.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The sum of the points that a bit set selects: a multi-scalar multiplication with scalars 0 and 1,
 * at one affine addition per selected point.
 *
 * <p>Points are read in runs of 64 that contain a selected one. Any points of the curve are
 * allowed, infinity, repeated and opposite ones included; the result does not depend on the number
 * of threads.
 */
public final class BitSum {
  /** Points held at a time: whole words of the bit set. */
  private static final int HELD = 1 << 12;

  /** Partial sums of one thread: wide enough to make batches, few enough to add up at the end. */
  private static final int PARTIAL = 256;

  private BitSum() {}

  /**
   * Writes Σ points[i] over the set bits i, bit i of {@code bits[i / 64]}, lowest first; Jacobian
   * with Z = 1 unless it is infinity.
   *
   * @throws IllegalArgumentException if the bit set is shorter than the list or a bit beyond the
   *     list is set
   */
  public static void sum(
      AffinePoints points, long[] bits, Workers workers, long[] jacobianOut, int at) {
    sum(points, bits, workers, Arithmetic.current(), jacobianOut, at);
  }

  /** The same with a particular arithmetic. */
  public static void sum(
      AffinePoints points,
      long[] bits,
      Workers workers,
      Arithmetic arithmetic,
      long[] jacobianOut,
      int at) {
    long n = points.size();
    check(n, bits);
    long blocks = Math.ceilDiv(n, HELD);
    long tasks = Math.min(blocks, workers.threads() == 1 ? 1 : 4L * workers.threads());
    List<Callable<long[]>> work = new ArrayList<>();
    for (long task = 0; task < tasks; task++) {
      long from = blocks * task / tasks * HELD;
      long to = Math.min(n, blocks * (task + 1) / tasks * HELD);
      work.add(() -> range(points, bits, from, to, arithmetic));
    }
    Group group = points.group();
    long[] sum = new long[group.jacobianWords()];
    for (long[] part : workers.invokeAll(work)) {
      group.add(sum, 0, sum, 0, part, 0);
    }
    Pippenger.normalize(group, sum, 0);
    group.set(jacobianOut, at, sum, 0);
  }

  private static void check(long n, long[] bits) {
    if (64L * bits.length < n) {
      throw new IllegalArgumentException(
          "%d points but a bit set of %d words".formatted(n, bits.length));
    }
    for (int word = (int) (n >>> 6); word < bits.length; word++) {
      long beyond = word == n >>> 6 ? bits[word] >>> (n & 63) << (n & 63) : bits[word];
      if (beyond != 0) {
        throw new IllegalArgumentException(
            "bit %d set, but there are %d points"
                .formatted(64L * word + Long.numberOfTrailingZeros(beyond), n));
      }
    }
  }

  private static long[] range(
      AffinePoints points, long[] bits, long from, long to, Arithmetic arithmetic) {
    Group group = points.group();
    int w = group.affineWords();
    BucketTree tree = new BucketTree(arithmetic, group.field());
    AffineVector held = arithmetic.allocatePoints(group.field(), HELD);
    AffineVector partial = arithmetic.allocatePoints(group.field(), PARTIAL);
    long[] words = new long[64 * w];
    int[] refs = new int[HELD];
    int[] offsets = new int[PARTIAL + 1];
    int loaded = 0;
    int selected = 0;
    for (long i = from; i < to; i += 64) {
      long set = bits[(int) (i >>> 6)];
      if (set != 0) {
        int first = Long.numberOfTrailingZeros(set);
        int count = 64 - Long.numberOfLeadingZeros(set) - first;
        points.read(i + first, count, words, 0);
        held.load(loaded, words, 0, count);
        for (long rest = set; rest != 0; rest &= rest - 1) {
          refs[selected++] = (loaded + Long.numberOfTrailingZeros(rest) - first) << 1;
        }
        loaded += count;
      }
      if (loaded + 64 > HELD || (i + 64 >= to && selected > 0)) {
        for (int b = 0; b <= PARTIAL; b++) {
          offsets[b] = (int) ((long) selected * b / PARTIAL);
        }
        tree.accumulate(partial, 0, PARTIAL, held, refs, offsets);
        loaded = 0;
        selected = 0;
      }
    }
    long[] sum = new long[group.jacobianWords()];
    long[] sums = new long[PARTIAL * w];
    partial.store(0, sums, 0, PARTIAL);
    for (int b = 0; b < PARTIAL; b++) {
      group.addMixed(sum, 0, sum, 0, sums, b * w);
    }
    return sum;
  }
}
