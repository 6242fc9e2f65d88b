package io.cuzk.gadget;

import io.cuzk.field.Fr;

/** 2^0 … 2^254 and their opposites in Montgomery form, four words each; never written to. */
final class PowersOfTwo {
  /** 2^i at {@link #at}(i). */
  static final long[] POSITIVE = new long[255 * Fr.WORDS];

  /** −2^i at {@link #at}(i). */
  static final long[] NEGATIVE = new long[255 * Fr.WORDS];

  static {
    Fr.setOne(POSITIVE, 0);
    for (int i = 1; i < 255; i++) {
      Fr.dbl(POSITIVE, at(i), POSITIVE, at(i - 1));
    }
    for (int i = 0; i < 255; i++) {
      Fr.neg(NEGATIVE, at(i), POSITIVE, at(i));
    }
  }

  private PowersOfTwo() {}

  static int at(int exponent) {
    return exponent * Fr.WORDS;
  }
}
