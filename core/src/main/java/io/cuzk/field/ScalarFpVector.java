package io.cuzk.field;

import java.util.Objects;

/** {@link FpVector} as six Montgomery words an element in one {@code long[]}. */
final class ScalarFpVector extends FpVector {
  private final long[] words;

  ScalarFpVector(int size) {
    super(size);
    words = new long[Math.multiplyExact(size, Fp.WORDS)];
  }

  private static long[] wordsOf(FpVector v) {
    if (v instanceof ScalarFpVector s) {
      return s.words;
    }
    throw new IllegalArgumentException(
        "a vector of another arithmetic in a scalar operation: " + v.getClass().getName());
  }

  @Override
  public void load(int at, long[] montgomery, int off, int count) {
    Objects.checkFromIndexSize(at, count, size());
    System.arraycopy(montgomery, off, words, at * Fp.WORDS, count * Fp.WORDS);
  }

  @Override
  public void store(int at, long[] montgomery, int off, int count) {
    Objects.checkFromIndexSize(at, count, size());
    System.arraycopy(words, at * Fp.WORDS, montgomery, off, count * Fp.WORDS);
  }

  @Override
  public void setProduct(FpVector x, FpVector y) {
    checkSameSize(x);
    checkSameSize(y);
    long[] xs = wordsOf(x);
    long[] ys = wordsOf(y);
    for (int i = 0; i < words.length; i += Fp.WORDS) {
      Fp.mul(words, i, xs, i, ys, i);
    }
  }
}
