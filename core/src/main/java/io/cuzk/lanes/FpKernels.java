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
 * other {@value #HALF} doubles a group: HotSpot's first compiler runs out of registers on more
 * code, and then may never hand it to the second one.
 *
 * <p>Implemented by classes that {@link Kernels} writes.
 */
public interface FpKernels {
  /** Doubles of a group. */
  int GROUP = 64;

  /** Doubles of a group of half products. */
  int HALF = 72;

  /** t = low columns of x·y; x a difference, y normal. */
  void mulLow(double[] x, int xo, double[] y, int yo, double[] t, int to, int n);

  /** z = x·y; |z| ≤ (0.76 + 0.102·|x|·|y|)·p. */
  void mulHigh(
      double[] x, int xo, double[] y, int yo, double[] t, int to, double[] z, int zo, int n);

  /** z = x·y − d − e, reduced; d and e normal. */
  void mulHighMinus(
      double[] x,
      int xo,
      double[] y,
      int yo,
      double[] t,
      int to,
      double[] d,
      int dd,
      double[] e,
      int eo,
      double[] z,
      int zo,
      int n);

  /** t = low columns of x·y + sign·u·v; operands normal and up to 1.3·p; sign is 1 or −1. */
  void dotLow(
      double[] x,
      int xo,
      double[] y,
      int yo,
      double[] u,
      int uo,
      double[] v,
      int vo,
      double sign,
      double[] t,
      int to,
      int n);

  /** z = x·y + sign·u·v; |z| ≤ (0.76 + 0.102·(|x|·|y| + |u|·|v|))·p. */
  void dotHigh(
      double[] x,
      int xo,
      double[] y,
      int yo,
      double[] u,
      int uo,
      double[] v,
      int vo,
      double sign,
      double[] t,
      int to,
      double[] z,
      int zo,
      int n);

  /** z = x − y, a difference; operands normal. */
  void subtract(double[] x, int xo, double[] y, int yo, double[] z, int zo, int n);

  /** z = x − c − d, reduced; operands normal. */
  void difference(
      double[] x, int xo, double[] c, int co, double[] d, int dd, double[] z, int zo, int n);
}
