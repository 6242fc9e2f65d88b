package io.cuzk.field;

import java.util.Arrays;

/** {@link AffineVector} as x ‖ y in Montgomery words in one {@code long[]}. */
final class ScalarAffineVector extends AffineVector {
  final CoordinateField field;
  final int stride;
  final long[] words;

  ScalarAffineVector(CoordinateField field, int size) {
    super(size);
    this.field = field;
    stride = 2 * field.words();
    if (size < 0 || (long) size * stride > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%d points of %d words do not fit one array".formatted(size, stride));
    }
    words = new long[size * stride];
  }

  @Override
  public void load(int at, long[] in, int off, int count) {
    System.arraycopy(in, off, words, at * stride, count * stride);
  }

  @Override
  public void store(int at, long[] out, int off, int count) {
    System.arraycopy(words, at * stride, out, off, count * stride);
  }

  @Override
  public void clear(int at, int count) {
    Arrays.fill(words, at * stride, (at + count) * stride, 0);
  }
}
