package io.cuzk.lanes;

/**
 * Kernels over groups of eight residues mod r in the layout of {@link LaneField#FR}: limb-major,
 * {@code double[8]} for each of 6 limbs, 48 doubles a group. Steps are distances between groups in
 * doubles; 0 repeats one group. Results may overwrite operands.
 *
 * <p><em>Normal</em>: limbs up to 2^43 + 2^9, value up to 4·r. <em>Lazy</em>: limbs up to 2^47.5,
 * value up to 64·r, such as the sum of fifteen normal elements. Products divide by R = 2^264.
 *
 * <p>Implemented by classes that {@link Kernels} writes.
 */
public interface FrKernels {
  /** Doubles of a group. */
  int GROUP = 48;

  /** z = x·y, normal; x lazy, y normal; |z| ≤ (1.76 + 0.0018·|x|·|y|)·r. */
  void mul(
      double[] x, int xo, int xs, double[] y, int yo, int ys, double[] z, int zo, int zs, int n);

  /**
   * n butterflies (x, y) → (x + t·y, x − t·y) in place; x and y lazy. The results are x's limbs
   * plus 2^43 + 2^9, and x's value plus 2.25·r, at most. t is one normal element, six doubles, for
   * a whole group; ts its step.
   */
  void butterfly(double[] d, int xo, int yo, int step, double[] t, int to, int ts, int n);

  /** (x, y) → (x + y, x − y) in place, n times; x and y lazy, the results as large as both. */
  void sums(double[] d, int xo, int yo, int step, int n);

  /** z = x − y, normal and reduced to 0.51·r; operands' limbs lazy, values up to 260·r. */
  void difference(
      double[] x, int xo, int xs, double[] y, int yo, int ys, double[] z, int zo, int zs, int n);
}
