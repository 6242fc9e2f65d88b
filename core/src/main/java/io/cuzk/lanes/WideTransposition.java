package io.cuzk.lanes;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@link Transposition} by 8×8 transpositions in registers of eight doubles: halves, quarters, and
 * neighbours are exchanged between pairs of rows. Straight-line code, since HotSpot does not inline
 * plain methods into code of this size.
 */
final class WideTransposition extends Transposition {
  private static final VectorSpecies<Double> V = DoubleVector.SPECIES_512;
  private static final VectorShuffle<Double> UP4 =
      VectorShuffle.fromValues(V, 4, 5, 6, 7, 0, 1, 2, 3);
  private static final VectorShuffle<Double> DOWN4 =
      VectorShuffle.fromValues(V, 4, 5, 6, 7, 0, 1, 2, 3);
  private static final VectorMask<Double> ODD4 = VectorMask.fromLong(V, 0xf0);
  private static final VectorShuffle<Double> UP2 =
      VectorShuffle.fromValues(V, 6, 7, 0, 1, 2, 3, 4, 5);
  private static final VectorShuffle<Double> DOWN2 =
      VectorShuffle.fromValues(V, 2, 3, 4, 5, 6, 7, 0, 1);
  private static final VectorMask<Double> ODD2 = VectorMask.fromLong(V, 0xcc);
  private static final VectorShuffle<Double> UP1 =
      VectorShuffle.fromValues(V, 7, 0, 1, 2, 3, 4, 5, 6);
  private static final VectorShuffle<Double> DOWN1 =
      VectorShuffle.fromValues(V, 1, 2, 3, 4, 5, 6, 7, 0);
  private static final VectorMask<Double> ODD1 = VectorMask.fromLong(V, 0xaa);

  @Override
  void gather(double[] from, int[] offsets, int plus, double[] signs, double[] to, int n) {
    int whole = n & -8;
    gatherWhole(from, offsets, plus, signs, to, whole);
    gather(from, offsets, plus, signs, to, whole, n);
  }

  @Override
  void scatter(double[] from, double[] to, int[] offsets, int first, int plus, int n) {
    int whole = n & -8;
    scatterWhole(from, to, offsets, first, plus, whole);
    scatter(from, to, offsets, first, plus, whole, n);
  }

  private static void gatherWhole(
      double[] from, int[] offsets, int plus, double[] signs, double[] to, int n) {
    final VectorShuffle<Double> up4 = UP4;
    final VectorShuffle<Double> down4 = DOWN4;
    final VectorMask<Double> odd4 = ODD4;
    final VectorShuffle<Double> up2 = UP2;
    final VectorShuffle<Double> down2 = DOWN2;
    final VectorMask<Double> odd2 = ODD2;
    final VectorShuffle<Double> up1 = UP1;
    final VectorShuffle<Double> down1 = DOWN1;
    final VectorMask<Double> odd1 = ODD1;
    for (int i = 0, o = 0; i < n; i += 8, o += FpKernels.GROUP) {
      DoubleVector t;
      DoubleVector r0 = DoubleVector.fromArray(V, from, offsets[i] + plus);
      DoubleVector r1 = DoubleVector.fromArray(V, from, offsets[i + 1] + plus);
      DoubleVector r2 = DoubleVector.fromArray(V, from, offsets[i + 2] + plus);
      DoubleVector r3 = DoubleVector.fromArray(V, from, offsets[i + 3] + plus);
      DoubleVector r4 = DoubleVector.fromArray(V, from, offsets[i + 4] + plus);
      DoubleVector r5 = DoubleVector.fromArray(V, from, offsets[i + 5] + plus);
      DoubleVector r6 = DoubleVector.fromArray(V, from, offsets[i + 6] + plus);
      DoubleVector r7 = DoubleVector.fromArray(V, from, offsets[i + 7] + plus);
      t = r0;
      r0 = t.blend(r4.rearrange(up4), odd4);
      r4 = t.rearrange(down4).blend(r4, odd4);
      t = r1;
      r1 = t.blend(r5.rearrange(up4), odd4);
      r5 = t.rearrange(down4).blend(r5, odd4);
      t = r2;
      r2 = t.blend(r6.rearrange(up4), odd4);
      r6 = t.rearrange(down4).blend(r6, odd4);
      t = r3;
      r3 = t.blend(r7.rearrange(up4), odd4);
      r7 = t.rearrange(down4).blend(r7, odd4);
      t = r0;
      r0 = t.blend(r2.rearrange(up2), odd2);
      r2 = t.rearrange(down2).blend(r2, odd2);
      t = r1;
      r1 = t.blend(r3.rearrange(up2), odd2);
      r3 = t.rearrange(down2).blend(r3, odd2);
      t = r4;
      r4 = t.blend(r6.rearrange(up2), odd2);
      r6 = t.rearrange(down2).blend(r6, odd2);
      t = r5;
      r5 = t.blend(r7.rearrange(up2), odd2);
      r7 = t.rearrange(down2).blend(r7, odd2);
      t = r0;
      r0 = t.blend(r1.rearrange(up1), odd1);
      r1 = t.rearrange(down1).blend(r1, odd1);
      t = r2;
      r2 = t.blend(r3.rearrange(up1), odd1);
      r3 = t.rearrange(down1).blend(r3, odd1);
      t = r4;
      r4 = t.blend(r5.rearrange(up1), odd1);
      r5 = t.rearrange(down1).blend(r5, odd1);
      t = r6;
      r6 = t.blend(r7.rearrange(up1), odd1);
      r7 = t.rearrange(down1).blend(r7, odd1);
      t = DoubleVector.fromArray(V, signs, i);
      r0.mul(t).intoArray(to, o);
      r1.mul(t).intoArray(to, o + 8);
      r2.mul(t).intoArray(to, o + 16);
      r3.mul(t).intoArray(to, o + 24);
      r4.mul(t).intoArray(to, o + 32);
      r5.mul(t).intoArray(to, o + 40);
      r6.mul(t).intoArray(to, o + 48);
      r7.mul(t).intoArray(to, o + 56);
    }
  }

  private static void scatterWhole(
      double[] from, double[] to, int[] offsets, int first, int plus, int n) {
    final VectorShuffle<Double> up4 = UP4;
    final VectorShuffle<Double> down4 = DOWN4;
    final VectorMask<Double> odd4 = ODD4;
    final VectorShuffle<Double> up2 = UP2;
    final VectorShuffle<Double> down2 = DOWN2;
    final VectorMask<Double> odd2 = ODD2;
    final VectorShuffle<Double> up1 = UP1;
    final VectorShuffle<Double> down1 = DOWN1;
    final VectorMask<Double> odd1 = ODD1;
    for (int i = first, o = 0; i < first + n; i += 8, o += FpKernels.GROUP) {
      DoubleVector t;
      DoubleVector r0 = DoubleVector.fromArray(V, from, o);
      DoubleVector r1 = DoubleVector.fromArray(V, from, o + 8);
      DoubleVector r2 = DoubleVector.fromArray(V, from, o + 16);
      DoubleVector r3 = DoubleVector.fromArray(V, from, o + 24);
      DoubleVector r4 = DoubleVector.fromArray(V, from, o + 32);
      DoubleVector r5 = DoubleVector.fromArray(V, from, o + 40);
      DoubleVector r6 = DoubleVector.fromArray(V, from, o + 48);
      DoubleVector r7 = DoubleVector.fromArray(V, from, o + 56);
      t = r0;
      r0 = t.blend(r4.rearrange(up4), odd4);
      r4 = t.rearrange(down4).blend(r4, odd4);
      t = r1;
      r1 = t.blend(r5.rearrange(up4), odd4);
      r5 = t.rearrange(down4).blend(r5, odd4);
      t = r2;
      r2 = t.blend(r6.rearrange(up4), odd4);
      r6 = t.rearrange(down4).blend(r6, odd4);
      t = r3;
      r3 = t.blend(r7.rearrange(up4), odd4);
      r7 = t.rearrange(down4).blend(r7, odd4);
      t = r0;
      r0 = t.blend(r2.rearrange(up2), odd2);
      r2 = t.rearrange(down2).blend(r2, odd2);
      t = r1;
      r1 = t.blend(r3.rearrange(up2), odd2);
      r3 = t.rearrange(down2).blend(r3, odd2);
      t = r4;
      r4 = t.blend(r6.rearrange(up2), odd2);
      r6 = t.rearrange(down2).blend(r6, odd2);
      t = r5;
      r5 = t.blend(r7.rearrange(up2), odd2);
      r7 = t.rearrange(down2).blend(r7, odd2);
      t = r0;
      r0 = t.blend(r1.rearrange(up1), odd1);
      r1 = t.rearrange(down1).blend(r1, odd1);
      t = r2;
      r2 = t.blend(r3.rearrange(up1), odd1);
      r3 = t.rearrange(down1).blend(r3, odd1);
      t = r4;
      r4 = t.blend(r5.rearrange(up1), odd1);
      r5 = t.rearrange(down1).blend(r5, odd1);
      t = r6;
      r6 = t.blend(r7.rearrange(up1), odd1);
      r7 = t.rearrange(down1).blend(r7, odd1);
      r0.intoArray(to, offsets[i] + plus);
      r1.intoArray(to, offsets[i + 1] + plus);
      r2.intoArray(to, offsets[i + 2] + plus);
      r3.intoArray(to, offsets[i + 3] + plus);
      r4.intoArray(to, offsets[i + 4] + plus);
      r5.intoArray(to, offsets[i + 5] + plus);
      r6.intoArray(to, offsets[i + 6] + plus);
      r7.intoArray(to, offsets[i + 7] + plus);
    }
  }
}
