package io.cuzk.lanes;

import io.cuzk.field.Fp;
import io.cuzk.field.FpField;

/** {@link LaneAffineAdder} over Fp: six multiplications an addition. */
final class LaneG1Adder extends LaneAffineAdder {
  private final double[] slope = new double[BLOCK * GROUP];
  private final double[] t = new double[BLOCK * GROUP];
  private final double[] x3 = new double[BLOCK * GROUP];
  private final double[] y3 = new double[BLOCK * GROUP];

  LaneG1Adder(FpKernels kernels, Transposition moves, int maxBatch) {
    super(kernels, moves, FpField.INSTANCE, maxBatch);
  }

  @Override
  void denominators(int groups) {
    for (int g = 0; g < groups; g += BLOCK) {
      int o = g * GROUP;
      int n = Math.min(BLOCK, groups - g);
      kernels.difference(x2[0], o, x1[0], o, zero, 0, tree, o, n);
    }
  }

  @Override
  void norms(int groups) {
    // the leaves are the denominators
  }

  @Override
  void denominator(int i, long[] out, int at) {
    Packing.packFp(tree, lane(i), LANES, out, at);
  }

  @Override
  void setDenominator(int i, long[] in, int at) {
    Packing.unpackFp(in, at, tree, lane(i), LANES);
  }

  @Override
  void inverse(int i, long[] out, int at) {
    double[] group = new double[GROUP];
    kernels.difference(tree, (i >> 3) * GROUP, zero, 0, zero, 0, group, 0, 1);
    Packing.packFp(group, i & 7, LANES, out, at);
  }

  @Override
  void sums(int g, int n) {
    FpKernels k = kernels;
    double[] a = x1[0];
    double[] b = y1[0];
    int o = g * GROUP;
    k.subtract(y2[0], o, b, o, t, 0, n);
    k.mulLow(t, 0, tree, o, half, 0, n);
    k.mulHigh(t, 0, tree, o, half, 0, slope, 0, n);
    k.mulLow(slope, 0, slope, 0, half, 0, n);
    k.mulHighWide(slope, 0, slope, 0, half, 0, x3, 0, n);
    k.difference(x3, 0, a, o, x2[0], o, x3, 0, n);
    k.subtract(a, o, x3, 0, t, 0, n);
    k.mulLow(t, 0, slope, 0, half, 0, n);
    k.mulHighWide(t, 0, slope, 0, half, 0, y3, 0, n);
    k.difference(y3, 0, b, o, zero, 0, y3, 0, n);
  }

  @Override
  double[] sumX(int c) {
    return x3;
  }

  @Override
  double[] sumY(int c) {
    return y3;
  }

  static {
    if (Fp.WORDS * 64 != LaneField.FP.bits()) {
      throw new AssertionError("points at rest are in Montgomery form for 2^384");
    }
  }
}
