package io.cuzk.msm;

import io.cuzk.curve.Group;
import io.cuzk.field.AffineAdder;
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
 * Many multiples of one point. All multiples j·2^(c·w)·B, 1 ≤ j ≤ 2^(c−1), are tabled; a product is
 * one affine addition per signed digit of its scalar, and the additions of many scalars share an
 * inversion: about 6·(⌈255/c⌉ − 1) multiplications a scalar.
 *
 * <p>Immutable and thread-safe once made. {@link #multiply} spreads over the workers, and runs
 * inline when called from one of their threads.
 */
public final class FixedBase {
  private static final int MAX_WINDOW = 20;

  private final Group group;
  private final Arithmetic arithmetic;
  private final Workers workers;
  private final int c;
  private final int windows;
  private final AffineVector table;
  private final Queue<Scratch> pool = new ConcurrentLinkedQueue<>();

  /** One thread's memory. */
  private final class Scratch {
    final int batch = arithmetic.preferredBatch(group.field());
    final AffineAdder adder = arithmetic.adder(group.field(), batch);
    final AffineVector sums = arithmetic.allocatePoints(group.field(), batch);
    final long[] prepared = new long[batch * Fr.WORDS];
    final int[] left = new int[batch];
    final int[] right = new int[batch];

    Scratch() {
      for (int i = 0; i < batch; i++) {
        left[i] = i << 1;
      }
    }
  }

  private FixedBase(
      Group group, Arithmetic arithmetic, Workers workers, int c, long[] affineBase, int at) {
    this.group = group;
    this.arithmetic = arithmetic;
    this.workers = workers;
    this.c = c;
    windows = SignedDigits.windows(c);
    table = arithmetic.allocatePoints(group.field(), windows << (c - 1));
    fill(affineBase, at);
  }

  /**
   * Tables the multiples of a point.
   *
   * @param affineBase a point of the curve, infinity allowed
   * @param expectedCount how many multiples are wanted: decides the size of the table, which stays
   *     below a sixteenth of the heap
   */
  public static FixedBase of(
      Group group, long[] affineBase, int at, long expectedCount, Workers workers) {
    return of(group, affineBase, at, expectedCount, workers, Arithmetic.current());
  }

  /** The same with a particular arithmetic. */
  public static FixedBase of(
      Group group,
      long[] affineBase,
      int at,
      long expectedCount,
      Workers workers,
      Arithmetic arithmetic) {
    long budget = Runtime.getRuntime().maxMemory() / 16;
    int c = window(expectedCount, budget / (8L * group.affineWords()));
    return withWindow(group, affineBase, at, c, workers, arithmetic);
  }

  static FixedBase withWindow(
      Group group, long[] affineBase, int at, int c, Workers workers, Arithmetic arithmetic) {
    return new FixedBase(group, arithmetic, workers, c, affineBase, at);
  }

  /** The c of least additions whose table does not exceed {@code maxPoints}. */
  static int window(long count, long maxPoints) {
    int best = 2;
    double least = Double.MAX_VALUE;
    for (int c = 2; c <= MAX_WINDOW; c++) {
      long points = (long) SignedDigits.windows(c) << (c - 1);
      double additions = (SignedDigits.windows(c) - 1.0) * count + points;
      if (points <= Math.max(maxPoints, 1 << 12) && additions < least) {
        least = additions;
        best = c;
      }
    }
    return best;
  }

  private void fill(long[] affineBase, int at) {
    int n = group.affineWords();
    int j = group.jacobianWords();
    long[] jacobian = new long[windows * j];
    long[] affine = new long[windows * n];
    group.fromAffine(jacobian, 0, affineBase, at);
    for (int w = 1; w < windows; w++) {
      group.dbl(jacobian, w * j, jacobian, (w - 1) * j);
      for (int i = 1; i < c; i++) {
        group.dbl(jacobian, w * j, jacobian, w * j);
      }
    }
    group.toAffineBatch(affine, 0, jacobian, 0, windows);
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int w = 0; w < windows; w++) {
      int window = w;
      tasks.add(
          () -> {
            table.load(window << (c - 1), affine, window * n, 1);
            fillWindow(window << (c - 1));
            return null;
          });
    }
    workers.invokeAll(tasks);
  }

  /** Doubles the table of one window: (m + i)·B = i·B + m·B for 1 ≤ i ≤ m. */
  private void fillWindow(int first) {
    Scratch scratch = take();
    int[] refs = new int[scratch.batch];
    int[] last = new int[scratch.batch];
    for (int m = 1; m < 1 << (c - 1); m *= 2) {
      Arrays.fill(last, (first + m - 1) << 1);
      for (int from = 0; from < m; from += scratch.batch) {
        int n = Math.min(scratch.batch, m - from);
        for (int i = 0; i < n; i++) {
          refs[i] = (first + from + i) << 1;
        }
        scratch.adder.add(table, first + m + from, table, refs, 0, table, last, 0, n);
      }
    }
    pool.add(scratch);
  }

  private Scratch take() {
    Scratch scratch = pool.poll();
    return scratch == null ? new Scratch() : scratch;
  }

  /**
   * affineOut[i] = scalars[i]·B for 0 ≤ i &lt; count; infinity (zero words) for a scalar of zero.
   *
   * @param canonicalScalars four little-endian words each, below r
   * @throws IllegalArgumentException if a scalar is not below r
   */
  public void multiply(long[] canonicalScalars, int so, int count, long[] affineOut, int at) {
    workers.forRanges(
        count,
        arithmetic.preferredBatch(group.field()) / 2,
        (from, to) -> {
          Scratch scratch = take();
          for (int i = (int) from; i < to; i += scratch.batch) {
            int n = (int) Math.min(scratch.batch, to - i);
            batch(
                scratch,
                canonicalScalars,
                so + i * Fr.WORDS,
                n,
                affineOut,
                at + i * group.affineWords());
          }
          pool.add(scratch);
        });
  }

  private void batch(Scratch scratch, long[] scalars, int so, int n, long[] out, int at) {
    long[] prepared = scratch.prepared;
    System.arraycopy(scalars, so, prepared, 0, n * Fr.WORDS);
    for (int i = 0; i < n; i++) {
      SignedDigits.prepare(prepared, i * Fr.WORDS);
    }
    int[] right = scratch.right;
    for (int w = 0; w < windows; w++) {
      int first = w << (c - 1);
      for (int i = 0; i < n; i++) {
        int digit = SignedDigits.digit(prepared, i * Fr.WORDS, w, c);
        right[i] =
            digit == 0 ? AffineAdder.NONE : (first + Math.abs(digit) - 1) << 1 | digit >>> 31;
      }
      if (w == 0) {
        scratch.adder.gather(scratch.sums, 0, table, right, 0, n);
      } else {
        scratch.adder.add(scratch.sums, 0, scratch.sums, scratch.left, 0, table, right, 0, n);
      }
    }
    scratch.sums.store(0, out, at, n);
  }
}
