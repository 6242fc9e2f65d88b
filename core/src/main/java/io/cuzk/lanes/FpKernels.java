package io.cuzk.lanes;

/**
 * Kernels over groups of eight residues mod p in the layout of {@link LaneField#FP}: limb-major,
 * {@code double[8]} for each of 8 limbs, 64 doubles a group. Each handles n groups, contiguous from
 * the given offsets; results may overwrite operands.
 *
 * <p><em>Normal</em>: limbs up to 2^47 + 2^9, value up to 2.5·p. <em>Reduced</em>: normal, and the
 * value up to 0.51·p. A <em>difference</em> of two normal elements, limb by limb, may be the first
 * factor of a product. All results are normal. Products divide by R = 2^384.
 *
 * <p>A product is computed in two methods, its low columns and its high columns, which pass each
 * other {@value #HALF} doubles a group, and a sum of two products in four: HotSpot's first compiler
 * runs out of registers on more code. Then the method is interpreted until its profile is full, a
 * millisecond a call, before the second compiler has its turn.
 *
 * <p>Implemented by classes that {@link Kernels} writes.
 */
public interface FpKernels {
  /** Doubles of a group. */
  int GROUP = 64;

  /** Doubles of a group of half products. */
  int HALF = 72;

  /** Doubles of a group of column sums. */
  int SUMS = 128;

  /** t = low columns of x·y; x a difference, y normal. */
  void mulLow(double[] x, int xo, double[] y, int yo, double[] t, int to, int n);

  /** z = x·y; |z| ≤ (0.76 + 0.102·|x|·|y|)·p. */
  void mulHigh(
      double[] x, int xo, double[] y, int yo, double[] t, int to, double[] z, int zo, int n);

  /**
   * z = x·y, |z| ≤ (0.76 + 0.102·|x|·|y|)·p, with limbs up to 1.5·2^52: an operand of {@link
   * #difference} only.
   */
  void mulHighWide(
      double[] x, int xo, double[] y, int yo, double[] t, int to, double[] z, int zo, int n);

  /** s = sums of the low columns of x·y; operands normal and up to 1.3·p. */
  void productLow(double[] x, int xo, double[] y, int yo, double[] s, int so, int n);

  /** t = low columns of x·y + sign·u·v, s those of x·y; u, v normal and up to 1.3·p; sign is ±1. */
  void dotLow(
      double[] u,
      int uo,
      double[] v,
      int vo,
      double sign,
      double[] s,
      int so,
      double[] t,
      int to,
      int n);

  /** s = high columns of x·y with all low ones, t, folded into them; x, y normal, up to 1.3·p. */
  void productHigh(
      double[] x, int xo, double[] y, int yo, double[] t, int to, double[] s, int so, int n);

  /**
   * z = x·y + sign·u·v, s from {@link #productHigh}, t the low columns of all; |z| ≤ (0.76 +
   * 0.102·(|x|·|y| + |u|·|v|))·p.
   */
  void dotHigh(
      double[] u,
      int uo,
      double[] v,
      int vo,
      double sign,
      double[] s,
      int so,
      double[] t,
      int to,
      double[] z,
      int zo,
      int n);

  /** z = x − y, a difference; operands normal. */
  void subtract(double[] x, int xo, double[] y, int yo, double[] z, int zo, int n);

  /** z = x − c − d, reduced; c and d normal, x normal or from {@link #mulHighWide}. */
  void difference(
      double[] x, int xo, double[] c, int co, double[] d, int dd, double[] z, int zo, int n);
}
