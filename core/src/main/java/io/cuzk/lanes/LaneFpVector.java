package io.cuzk.lanes;

import io.cuzk.field.Fp;
import io.cuzk.field.FpVector;
import java.util.Objects;

/**
 * {@link FpVector} in groups of eight elements, eight doubles each; elements are normal with values
 * in (−p, p). A product runs as in the adders: {@link LaneAffineAdder#BLOCK} groups at a time, low
 * columns and then high columns.
 */
final class LaneFpVector extends FpVector {
  private static final int GROUP = FpKernels.GROUP;
  private static final int BLOCK = LaneAffineAdder.BLOCK;

  private final FpKernels kernels;
  private final double[] limbs;
  private final double[] half = new double[BLOCK * FpKernels.HALF];

  LaneFpVector(LaneArithmetic arithmetic, int size) {
    super(size);
    kernels = arithmetic.fp();
    limbs = new double[Math.multiplyExact(Math.ceilDiv(size, LaneField.LANES), GROUP)];
  }

  private static double[] limbsOf(FpVector v) {
    if (v instanceof LaneFpVector lanes) {
      return lanes.limbs;
    }
    throw new IllegalArgumentException(
        "a vector of another arithmetic in an operation on lanes: " + v.getClass().getName());
  }

  @Override
  public void load(int at, long[] montgomery, int off, int count) {
    Objects.checkFromIndexSize(at, count, size());
    for (int i = 0; i < count; i++) {
      Packing.unpackFp(
          montgomery, off + i * Fp.WORDS, limbs, LaneAffineAdder.lane(at + i), LaneField.LANES);
    }
  }

  @Override
  public void store(int at, long[] montgomery, int off, int count) {
    Objects.checkFromIndexSize(at, count, size());
    for (int i = 0; i < count; i++) {
      Packing.packFp(
          limbs, LaneAffineAdder.lane(at + i), LaneField.LANES, montgomery, off + i * Fp.WORDS);
    }
  }

  @Override
  public void setProduct(FpVector x, FpVector y) {
    checkSameSize(x);
    checkSameSize(y);
    double[] xs = limbsOf(x);
    double[] ys = limbsOf(y);
    int groups = limbs.length / GROUP;
    for (int g = 0; g < groups; g += BLOCK) {
      int n = Math.min(BLOCK, groups - g);
      int o = g * GROUP;
      kernels.mulLow(xs, o, ys, o, half, 0, n);
      kernels.mulHigh(xs, o, ys, o, half, 0, limbs, o, n);
    }
  }
}
