package io.cuzk.field;

import io.cuzk.parallel.Workers;
import java.util.Arrays;

/** {@link FrVector} as four Montgomery words an element in one {@code long[]}. */
final class ScalarFrVector extends FrVector {
  private static final int MIN_RANGE = 1 << 10;

  final long[] words;

  ScalarFrVector(long size) {
    super(size);
    words = new long[(int) size * Fr.WORDS];
  }

  static long[] wordsOf(FrVector v) {
    if (v instanceof ScalarFrVector s) {
      return s.words;
    }
    throw new IllegalArgumentException(
        "a vector of arithmetic %s in a scalar operation".formatted(v.arithmetic().name()));
  }

  @Override
  public Arithmetic arithmetic() {
    return ScalarArithmetic.INSTANCE;
  }

  @Override
  public void load(long at, long[] montgomery, int off, int count) {
    checkRange(at, count);
    System.arraycopy(montgomery, off, words, (int) at * Fr.WORDS, count * Fr.WORDS);
  }

  @Override
  public void store(long at, long[] montgomery, int off, int count) {
    checkRange(at, count);
    System.arraycopy(words, (int) at * Fr.WORDS, montgomery, off, count * Fr.WORDS);
  }

  @Override
  public void storeCanonical(long at, long[] canonical, int off, int count) {
    checkRange(at, count);
    for (int i = 0; i < count; i++) {
      Fr.toCanonical(canonical, off + i * Fr.WORDS, words, ((int) at + i) * Fr.WORDS);
    }
  }

  @Override
  public void clear(long from, long to) {
    checkRange(from, to - from);
    Arrays.fill(words, (int) from * Fr.WORDS, (int) to * Fr.WORDS, 0);
  }

  @Override
  public void setProduct(FrVector x, FrVector y, Workers workers) {
    checkSameSize(x);
    checkSameSize(y);
    long[] xs = wordsOf(x);
    long[] ys = wordsOf(y);
    workers.forRanges(
        size(),
        MIN_RANGE,
        (from, to) -> {
          for (int i = (int) from * Fr.WORDS; i < (int) to * Fr.WORDS; i += Fr.WORDS) {
            Fr.mul(words, i, xs, i, ys, i);
          }
        });
  }

  @Override
  public void setDifference(FrVector x, FrVector y, Workers workers) {
    checkSameSize(x);
    checkSameSize(y);
    long[] xs = wordsOf(x);
    long[] ys = wordsOf(y);
    workers.forRanges(
        size(),
        MIN_RANGE,
        (from, to) -> {
          for (int i = (int) from * Fr.WORDS; i < (int) to * Fr.WORDS; i += Fr.WORDS) {
            Fr.sub(words, i, xs, i, ys, i);
          }
        });
  }

  @Override
  public void set(FrVector x, Workers workers) {
    checkSameSize(x);
    long[] xs = wordsOf(x);
    workers.forRanges(
        size(),
        MIN_RANGE,
        (from, to) -> {
          int at = (int) from * Fr.WORDS;
          System.arraycopy(xs, at, words, at, (int) (to - from) * Fr.WORDS);
        });
  }
}
