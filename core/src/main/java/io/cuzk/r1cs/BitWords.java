package io.cuzk.r1cs;

import io.cuzk.field.Fr;

/** The Montgomery words of 0 and 1, never written to. */
final class BitWords {
  static final long[] ZERO = new long[Fr.WORDS];
  static final long[] ONE = new long[Fr.WORDS];
  static final long[] MINUS_ONE = new long[Fr.WORDS];

  static {
    Fr.setOne(ONE, 0);
    Fr.neg(MINUS_ONE, 0, ONE, 0);
  }

  private BitWords() {}
}
