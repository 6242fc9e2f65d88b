package io.cuzk.lanes;

import io.cuzk.field.Fp;
import io.cuzk.field.Fp2Field;

/**
 * {@link LaneAffineAdder} over Fp2 = Fp[i]/(i² + 1). The shared inversion is one of norms in Fp:
 * 1/(a + b·i) = (a − b·i)/(a² + b²).
 */
final class LaneG2Adder extends LaneAffineAdder {
  /** For sums of two products; null if products must do. */
  private final FpKernels dots;

  /** x2 − x1, both coordinates. */
  private final double[][] d;

  private final double[] columns = new double[BLOCK * FpKernels.SUMS];
  private final double[] second = new double[BLOCK * GROUP];
  private final double[][] inverse = block();
  private final double[][] difference = block();
  private final double[][] slope = block();
  private final double[][] t = block();
  private final double[][] x3 = block();
  private final double[][] y3 = block();

  LaneG2Adder(FpKernels kernels, FpKernels dots, Transposition moves, int maxBatch) {
    super(kernels, moves, Fp2Field.INSTANCE, maxBatch);
    this.dots = dots;
    d = new double[][] {new double[x1[0].length], new double[x1[0].length]};
  }

  private static double[][] block() {
    return new double[][] {new double[BLOCK * GROUP], new double[BLOCK * GROUP]};
  }

  /** z = x·y + sign·u·v of n ≤ BLOCK groups. */
  private void dot(
      double[] x,
      int xo,
      double[] y,
      int yo,
      double[] u,
      int uo,
      double[] v,
      int vo,
      double sign,
      double[] z,
      int zo,
      int n) {
    if (dots != null) {
      dots.productLow(x, xo, y, yo, columns, 0, n);
      dots.dotLow(u, uo, v, vo, sign, columns, 0, half, 0, n);
      dots.productHigh(x, xo, y, yo, half, 0, columns, 0, n);
      dots.dotHigh(u, uo, v, vo, sign, columns, 0, half, 0, z, zo, n);
      return;
    }
    mul(u, uo, v, vo, second, 0, n);
    if (sign > 0) {
      kernels.difference(zero, 0, second, 0, zero, 0, second, 0, n);
    }
    mul(x, xo, y, yo, z, zo, n);
    kernels.difference(z, zo, second, 0, zero, 0, z, zo, n);
  }

  @Override
  void denominators(int groups) {
    for (int g = 0; g < groups; g += BLOCK) {
      int o = g * GROUP;
      int n = Math.min(BLOCK, groups - g);
      for (int c = 0; c < 2; c++) {
        kernels.difference(x2[c], o, x1[c], o, zero, 0, d[c], o, n);
      }
    }
    norms(groups);
  }

  @Override
  void norms(int groups) {
    for (int g = 0; g < groups; g += BLOCK) {
      int o = g * GROUP;
      int n = Math.min(BLOCK, groups - g);
      dot(d[0], o, d[0], o, d[1], o, d[1], o, 1, tree, o, n);
    }
  }

  @Override
  void denominator(int i, long[] out, int at) {
    Packing.packFp(d[0], lane(i), LANES, out, at);
    Packing.packFp(d[1], lane(i), LANES, out, at + Fp.WORDS);
  }

  @Override
  void setDenominator(int i, long[] in, int at) {
    Packing.unpackFp(in, at, d[0], lane(i), LANES);
    Packing.unpackFp(in, at + Fp.WORDS, d[1], lane(i), LANES);
  }

  @Override
  void inverse(int i, long[] out, int at) {
    double[] group = new double[GROUP];
    long[] norm = new long[Fp.WORDS];
    kernels.difference(tree, (i >> 3) * GROUP, zero, 0, zero, 0, group, 0, 1);
    Packing.packFp(group, i & 7, LANES, norm, 0);
    denominator(i, out, at);
    Fp.mul(out, at, out, at, norm, 0);
    Fp.mul(out, at + Fp.WORDS, out, at + Fp.WORDS, norm, 0);
    Fp.neg(out, at + Fp.WORDS, out, at + Fp.WORDS);
  }

  @Override
  void sums(int g, int n) {
    int o = g * GROUP;
    for (int c = 0; c < 2; c++) {
      mul(d[c], o, tree, o, inverse[c], 0, n);
      kernels.difference(y2[c], o, y1[c], o, zero, 0, difference[c], 0, n);
    }
    // slope = (y2 − y1)·(d0 − d1·i)/norm
    double[][] e = difference;
    dot(e[0], 0, inverse[0], 0, e[1], 0, inverse[1], 0, 1, slope[0], 0, n);
    dot(e[1], 0, inverse[0], 0, e[0], 0, inverse[1], 0, -1, slope[1], 0, n);
    double[][] s = slope;
    dot(s[0], 0, s[0], 0, s[1], 0, s[1], 0, -1, t[0], 0, n);
    dot(s[0], 0, s[1], 0, s[0], 0, s[1], 0, 1, t[1], 0, n);
    for (int c = 0; c < 2; c++) {
      kernels.difference(t[c], 0, x1[c], o, x2[c], o, x3[c], 0, n);
      kernels.difference(x1[c], o, x3[c], 0, zero, 0, e[c], 0, n);
    }
    dot(e[0], 0, s[0], 0, e[1], 0, s[1], 0, -1, t[0], 0, n);
    dot(e[0], 0, s[1], 0, e[1], 0, s[0], 0, 1, t[1], 0, n);
    for (int c = 0; c < 2; c++) {
      kernels.difference(t[c], 0, y1[c], o, zero, 0, y3[c], 0, n);
    }
  }

  @Override
  double[] sumX(int c) {
    return x3[c];
  }

  @Override
  double[] sumY(int c) {
    return y3[c];
  }
}
