package io.cuzk.lanes;

import io.cuzk.field.AffineVector;
import io.cuzk.field.CoordinateField;
import io.cuzk.field.Fp;

/**
 * {@link AffineVector} with eight doubles, one cache line, for each of the two (G1) or four (G2)
 * coordinates of a point: a point is gathered by whole lines. Coordinates are normal, with values
 * in (−p, p). Infinity has NaN as its first double, which no sum and no product loses.
 */
final class LaneAffineVector extends AffineVector {
  /** Doubles of a coordinate in Fp. */
  static final int COORDINATE = 8;

  final CoordinateField field;

  /** Coordinates in Fp of a point. */
  final int coordinates;

  /** Doubles of a point. */
  final int stride;

  final double[] limbs;

  LaneAffineVector(CoordinateField field, int size) {
    super(size);
    this.field = field;
    coordinates = 2 * field.words() / Fp.WORDS;
    stride = coordinates * COORDINATE;
    if (size < 0 || (long) size * stride > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%d points of %d doubles do not fit one array".formatted(size, stride));
    }
    limbs = new double[size * stride];
    clear(0, size);
  }

  static LaneAffineVector of(AffineVector v, CoordinateField field) {
    if (v instanceof LaneAffineVector lanes && lanes.field == field) {
      return lanes;
    }
    throw new IllegalArgumentException(
        "points of another field or arithmetic in an adder on lanes: " + v.getClass().getName());
  }

  @Override
  public void load(int at, long[] words, int off, int count) {
    int w = coordinates * Fp.WORDS;
    for (int i = 0; i < count; i++) {
      load(words, off + i * w, (at + i) * stride);
    }
  }

  void load(long[] words, int off, int to) {
    long or = 0;
    for (int c = 0; c < coordinates; c++) {
      for (int i = 0; i < Fp.WORDS; i++) {
        or |= words[off + c * Fp.WORDS + i];
      }
      Packing.unpackFp(words, off + c * Fp.WORDS, limbs, to + c * COORDINATE, 1);
    }
    if (or == 0) {
      limbs[to] = Double.NaN;
    }
  }

  @Override
  public void store(int at, long[] words, int off, int count) {
    int w = coordinates * Fp.WORDS;
    for (int i = 0; i < count; i++) {
      store((at + i) * stride, words, off + i * w);
    }
  }

  private void store(int from, long[] words, int off) {
    if (Double.isNaN(limbs[from])) {
      for (int i = 0; i < coordinates * Fp.WORDS; i++) {
        words[off + i] = 0;
      }
      return;
    }
    for (int c = 0; c < coordinates; c++) {
      Packing.packFp(limbs, from + c * COORDINATE, 1, words, off + c * Fp.WORDS);
    }
  }

  @Override
  public void clear(int at, int count) {
    for (int i = at; i < at + count; i++) {
      limbs[i * stride] = Double.NaN;
    }
  }
}
