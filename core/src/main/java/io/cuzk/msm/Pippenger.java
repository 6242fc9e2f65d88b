package io.cuzk.msm;

import io.cuzk.curve.AffinePoints;
import io.cuzk.curve.Group;
import io.cuzk.field.AffineVector;
import io.cuzk.field.Arithmetic;
import io.cuzk.field.Fr;
import io.cuzk.parallel.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Multi-scalar multiplication Σ s_i·P_i by Pippenger's bucket method, for G1 and G2.
 *
 * <p>Scalars are cut into signed digits of c bits. For each window the points are sorted by digit
 * and added up bucket by bucket, affine, in batches that share one inversion ({@link BucketTree});
 * buckets are then weighted by running sums, many chains side by side, again affine. c minimises
 * the cost in additions ({@link #window}), as far as the buckets fit into an eighth of the heap.
 *
 * <p>Points and scalars are read in chunks of 2^17 (G2: 2^16), so memory does not grow with n. Any
 * points of the curve are allowed, infinity, repeated and opposite ones included. The result does
 * not depend on the number of threads. Source: Bernstein, Doumen, Lange, Oosterwijk, "Faster batch
 * forgery identification" (2012), section 4.
 */
public final class Pippenger {
  /** Fewer points than these are multiplied one by one. */
  private static final int NAIVE = 16;

  private static final int MAX_WINDOW = 22;

  /** Points of G1 in a chunk; half as many of G2. */
  private static final int CHUNK = 1 << 17;

  private static final int READ = 512;

  /** Looking at a bucket, in additions: measured 0.05 µs against 0.36 µs at n = 2^21. */
  private static final double VISIT = 0.14;

  private final Group group;
  private final Arithmetic arithmetic;
  private final Workers workers;
  private final int c;
  private final int windows;
  private final int buckets;
  private final AffineVector sums;
  private final Queue<Scratch> pool = new ConcurrentLinkedQueue<>();

  /** One thread's memory for sorting and adding. */
  private final class Scratch {
    final BucketTree tree = new BucketTree(arithmetic, group.field());
    final long[] points = new long[READ * group.affineWords()];
    int[] offsets = new int[0];
    int[] refs = new int[0];
    int[] left = new int[0];
    int[] right = new int[0];
  }

  private Pippenger(Group group, Arithmetic arithmetic, Workers workers, int c) {
    this.group = group;
    this.arithmetic = arithmetic;
    this.workers = workers;
    this.c = c;
    windows = SignedDigits.windows(c);
    buckets = 1 << (c - 1);
    sums = arithmetic.allocatePoints(group.field(), windows * buckets);
  }

  /**
   * Writes Σ scalars[i]·points[i], Jacobian with Z = 1 unless it is infinity.
   *
   * @throws IllegalArgumentException if the lists differ in length or a scalar is not below r
   */
  public static void multiExp(
      AffinePoints points, Scalars scalars, Workers workers, long[] jacobianOut, int at) {
    multiExp(points, scalars, workers, Arithmetic.current(), jacobianOut, at);
  }

  /** The same with a particular arithmetic. */
  public static void multiExp(
      AffinePoints points,
      Scalars scalars,
      Workers workers,
      Arithmetic arithmetic,
      long[] jacobianOut,
      int at) {
    multiExp(points, scalars, workers, arithmetic, window(points), jacobianOut, at);
  }

  /** The window that {@link #multiExp} takes for so many points of that group. */
  public static int window(AffinePoints points) {
    long budget = Runtime.getRuntime().maxMemory() / 8;
    Group group = points.group();
    return window(points.size(), budget / (8L * group.affineWords()), chunk(group));
  }

  /** The same with windows of c bits, 2 ≤ c ≤ 22: all give one result. */
  public static void multiExp(
      AffinePoints points,
      Scalars scalars,
      Workers workers,
      Arithmetic arithmetic,
      int c,
      long[] jacobianOut,
      int at) {
    long n = points.size();
    if (scalars.size() != n) {
      throw new IllegalArgumentException("%d points but %d scalars".formatted(n, scalars.size()));
    }
    Group group = points.group();
    if (n < NAIVE) {
      naive(points, scalars, jacobianOut, at);
    } else {
      new Pippenger(group, arithmetic, workers, c).run(points, scalars, jacobianOut, at);
    }
    normalize(group, jacobianOut, at);
  }

  /**
   * The c of least cost whose buckets do not exceed {@code maxPoints}. Cost is counted in
   * additions: windows·(n + 2·buckets), and what it takes to go once over all buckets for every
   * chunk.
   *
   * @param chunk points that are sorted at a time
   */
  static int window(long n, long maxPoints, int chunk) {
    long visits = Math.ceilDiv(n, chunk);
    int best = 2;
    double least = Double.MAX_VALUE;
    for (int c = 2; c <= MAX_WINDOW; c++) {
      long points = (long) SignedDigits.windows(c) << (c - 1);
      double cost = SignedDigits.windows(c) * (n + (2 + VISIT * visits) * (1L << (c - 1)));
      if (points <= Math.max(maxPoints, 1 << 12) && cost < least) {
        least = cost;
        best = c;
      }
    }
    return best;
  }

  private static int chunk(Group group) {
    return 12 * CHUNK / group.affineWords();
  }

  static void normalize(Group group, long[] jacobian, int at) {
    if (group.isInfinity(jacobian, at)) {
      group.setInfinity(jacobian, at);
      return;
    }
    long[] affine = new long[group.affineWords()];
    group.toAffine(affine, 0, jacobian, at);
    group.fromAffine(jacobian, at, affine, 0);
  }

  private static void naive(AffinePoints points, Scalars scalars, long[] out, int at) {
    Group group = points.group();
    int n = (int) points.size();
    long[] p = new long[n * group.affineWords()];
    long[] s = new long[n * Fr.WORDS];
    points.read(0, n, p, 0);
    scalars.read(0, n, s, 0);
    long[] sum = new long[group.jacobianWords()];
    long[] term = new long[group.jacobianWords()];
    group.setInfinity(sum, 0);
    for (int i = 0; i < n; i++) {
      group.fromAffine(term, 0, p, i * group.affineWords());
      group.mul(term, 0, term, 0, s, i * Fr.WORDS);
      group.add(sum, 0, sum, 0, term, 0);
    }
    group.set(out, at, sum, 0);
  }

  private void run(AffinePoints points, Scalars scalars, long[] out, int at) {
    long n = points.size();
    int chunk = (int) Math.min(n, chunk(group));
    AffineVector held = arithmetic.allocatePoints(group.field(), chunk);
    long[] prepared = new long[chunk * Fr.WORDS];
    int parts = 1;
    while (windows * parts < 8 * workers.threads() && parts < buckets && workers.threads() > 1) {
      parts *= 2;
    }
    for (long from = 0; from < n; from += chunk) {
      int count = (int) Math.min(chunk, n - from);
      read(points, scalars, from, count, held, prepared);
      List<Callable<Void>> tasks = new ArrayList<>();
      int width = buckets / parts;
      for (int w = windows - 1; w >= 0; w--) {
        for (int part = 0; part < parts; part++) {
          int window = w;
          int first = part * width;
          tasks.add(() -> accumulate(held, prepared, count, window, first, width));
        }
      }
      workers.invokeAll(tasks);
    }
    reduce(out, at);
  }

  private Scratch take() {
    Scratch scratch = pool.poll();
    return scratch == null ? new Scratch() : scratch;
  }

  private void read(
      AffinePoints points, Scalars scalars, long from, int count, AffineVector held, long[] s) {
    workers.forRanges(
        count,
        READ,
        (start, end) -> {
          Scratch scratch = take();
          for (int i = (int) start; i < end; i += READ) {
            int some = (int) Math.min(READ, end - i);
            points.read(from + i, some, scratch.points, 0);
            held.load(i, scratch.points, 0, some);
            scalars.read(from + i, some, s, i * Fr.WORDS);
            for (int k = i; k < i + some; k++) {
              SignedDigits.prepare(s, k * Fr.WORDS);
            }
          }
          pool.add(scratch);
        });
  }

  /** Counting sort of one window's digits in (first, first + width], then the trees. */
  private Void accumulate(
      AffineVector points, long[] scalars, int count, int window, int first, int width) {
    Scratch scratch = take();
    if (scratch.offsets.length < width + 2) {
      scratch.offsets = new int[width + 2];
    }
    if (scratch.refs.length < count) {
      scratch.refs = new int[count];
    }
    int[] offsets = scratch.offsets;
    int[] refs = scratch.refs;
    // offsets[b + 2] counts bucket b; summed, offsets[b + 1] is where b begins and, once filled,
    // ends.
    Arrays.fill(offsets, 0, width + 2, 0);
    for (int i = 0; i < count; i++) {
      int b = Math.abs(SignedDigits.digit(scalars, i * Fr.WORDS, window, c)) - 1 - first;
      if (b >= 0 && b < width) {
        offsets[b + 2]++;
      }
    }
    for (int b = 2; b < width + 2; b++) {
      offsets[b] += offsets[b - 1];
    }
    for (int i = 0; i < count; i++) {
      int digit = SignedDigits.digit(scalars, i * Fr.WORDS, window, c);
      int b = Math.abs(digit) - 1 - first;
      if (b >= 0 && b < width) {
        refs[offsets[b + 1]++] = i << 1 | digit >>> 31;
      }
    }
    scratch.tree.accumulate(sums, window * buckets + first, width, points, refs, offsets);
    pool.add(scratch);
    return null;
  }

  /**
   * Σ_w 2^(c·w) Σ_b (b + 1)·sums[w, b]. Every window is cut into segments; each is a chain whose
   * running sum T collects its buckets from the top and whose Z collects T, so that Z = Σ (k +
   * 1)·bucket k and the window is Σ_s Z_s + s·length·T_s.
   */
  private void reduce(long[] out, int at) {
    int segments = 1;
    while (segments * 8 < buckets && windows * segments < 4096 * workers.threads()) {
      segments *= 2;
    }
    int length = buckets / segments;
    int chains = windows * segments;
    AffineVector t = arithmetic.allocatePoints(group.field(), chains);
    AffineVector z = arithmetic.allocatePoints(group.field(), chains);
    int batch =
        Math.min(arithmetic.preferredBatch(group.field()), Math.max(1, chains / workers.threads()));
    workers.forRanges(
        Math.ceilDiv(chains, batch),
        1,
        (start, end) -> {
          Scratch scratch = take();
          for (int piece = (int) start; piece < end; piece++) {
            int from = piece * batch;
            chain(scratch, t, z, from, Math.min(batch, chains - from), length);
          }
          pool.add(scratch);
        });
    int j = group.jacobianWords();
    long[] total = new long[windows * j];
    List<Callable<Void>> tasks = new ArrayList<>();
    int perWindow = segments;
    for (int w = 0; w < windows; w++) {
      int window = w;
      tasks.add(
          () -> {
            combine(t, z, window, perWindow, length, total);
            return null;
          });
    }
    workers.invokeAll(tasks);
    long[] sum = new long[j];
    for (int w = windows - 1; w >= 0; w--) {
      for (int i = 0; i < c; i++) {
        group.dbl(sum, 0, sum, 0);
      }
      group.add(sum, 0, sum, 0, total, w * j);
    }
    group.set(out, at, sum, 0);
  }

  private void chain(Scratch scratch, AffineVector t, AffineVector z, int from, int n, int length) {
    if (scratch.left.length < n) {
      scratch.left = new int[n];
      scratch.right = new int[n];
    }
    int[] left = scratch.left;
    int[] right = scratch.right;
    for (int i = 0; i < n; i++) {
      left[i] = (from + i) << 1;
    }
    for (int k = length - 1; k >= 0; k--) {
      for (int i = 0; i < n; i++) {
        right[i] = ((from + i) * length + k) << 1;
      }
      scratch.tree.adder().add(t, from, t, left, 0, sums, right, 0, n);
      scratch.tree.adder().add(z, from, z, left, 0, t, left, 0, n);
    }
  }

  private void combine(
      AffineVector t, AffineVector z, int window, int segments, int length, long[] total) {
    int n = group.affineWords();
    int j = group.jacobianWords();
    long[] points = new long[segments * n];
    long[] running = new long[j];
    long[] weighted = new long[j];
    t.store(window * segments, points, 0, segments);
    for (int s = segments - 1; s > 0; s--) {
      group.addMixed(running, 0, running, 0, points, s * n);
      group.add(weighted, 0, weighted, 0, running, 0);
    }
    for (int i = 1; i < length; i *= 2) {
      group.dbl(weighted, 0, weighted, 0);
    }
    z.store(window * segments, points, 0, segments);
    for (int s = 0; s < segments; s++) {
      group.addMixed(weighted, 0, weighted, 0, points, s * n);
    }
    group.set(total, window * j, weighted, 0);
  }
}
