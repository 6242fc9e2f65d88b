package io.cuzk.bench;

import io.cuzk.InvalidInputException;
import io.cuzk.curve.Group;
import io.cuzk.field.Arithmetic;
import io.cuzk.field.Fr;
import io.cuzk.msm.FixedBase;
import io.cuzk.parallel.Workers;

/**
 * Random points k_i·G, distinct, and random scalars s_i of full size, the same for a group and a
 * size on every machine; with the sum, which is (Σ s_i·k_i)·G: one multiplication of a point, by
 * formulas that share nothing with a bucket method.
 */
public final class MsmInputs {
  private static final int BLOCK = 1 << 14;

  final Group group;
  final int logSize;

  /** Points as Montgomery words. */
  final long[] affine;

  /** Scalars as canonical words. */
  final long[] scalars;

  /** The sum, Jacobian. */
  final long[] expected;

  private MsmInputs(Group group, int logSize, long[] affine, long[] scalars, long[] expected) {
    this.group = group;
    this.logSize = logSize;
    this.affine = affine;
    this.scalars = scalars;
    this.expected = expected;
  }

  /**
   * Makes them, on all cores.
   *
   * @throws InvalidInputException if they need more than half of the heap
   */
  public static MsmInputs of(Group group, int logSize, Plan plan) {
    int n = 1 << logSize;
    long bytes = 8L * n * (group.affineWords() + 2 * Fr.WORDS);
    Heap.require("2^%d points of %s with scalars".formatted(logSize, group.name()), bytes);
    RandomElements random = new RandomElements(31L * logSize + group.affineWords());
    long[] logarithms = random.fr(n);
    long[] scalars = random.fr(n);
    long[] affine = new long[n * group.affineWords()];
    long[] generator = new long[group.affineWords()];
    group.generator(generator, 0);
    try (Workers workers = Workers.of(Runtime.getRuntime().availableProcessors())) {
      FixedBase base = FixedBase.of(group, generator, 0, n, workers, Arithmetic.current());
      for (int from = 0; from < n; from += BLOCK) {
        int count = Math.min(BLOCK, n - from);
        base.multiply(logarithms, from * Fr.WORDS, count, affine, from * group.affineWords());
        plan.progress().advanced("random points of " + group.name(), from + count, n);
      }
    }
    long[] dot = new long[Fr.WORDS];
    long[] x = new long[Fr.WORDS];
    long[] y = new long[Fr.WORDS];
    for (int i = 0; i < logarithms.length; i += Fr.WORDS) {
      Fr.fromCanonical(x, 0, logarithms, i);
      Fr.fromCanonical(y, 0, scalars, i);
      Fr.mul(x, 0, x, 0, y, 0);
      Fr.add(dot, 0, dot, 0, x, 0);
    }
    Fr.toCanonical(dot, 0, dot, 0);
    long[] expected = new long[group.jacobianWords()];
    group.fromAffine(expected, 0, generator, 0);
    group.mul(expected, 0, expected, 0, dot, 0);
    return new MsmInputs(group, logSize, affine, scalars, expected);
  }
}
