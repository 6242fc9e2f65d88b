package io.cuzk.msm;

import io.cuzk.field.Fr;

/**
 * Scalars as signed digits of c bits (Booth): s = ± Σ d_w·2^(c·w), |d_w| ≤ 2^(c−1).
 *
 * <p>A scalar above r/2 is replaced by the negative of r − s, which saves a bit: ⌈255/c⌉ windows
 * do.
 */
final class SignedDigits {
  /** The sign of a prepared scalar is the top bit of its last word. */
  private static final int SIGN_WORD = Fr.WORDS - 1;

  private static final long[] MODULUS = new long[Fr.WORDS];

  static {
    for (int i = 0; i < Fr.WORDS; i++) {
      MODULUS[i] = Fr.MODULUS.shiftRight(64 * i).longValue();
    }
  }

  private SignedDigits() {}

  /** How many digits of c bits a scalar has. */
  static int windows(int c) {
    return Math.ceilDiv(255, c);
  }

  /**
   * Replaces a canonical scalar by its absolute value below 2^254 and its sign.
   *
   * @throws IllegalArgumentException if it is not below r
   */
  static void prepare(long[] s, int at) {
    if (!Fr.isCanonical(s, at)) {
      throw new IllegalArgumentException(
          "scalar not below the group order: %016x%016x%016x%016x"
              .formatted(s[at + 3], s[at + 2], s[at + 1], s[at]));
    }
    // The halves' top words differ, or the scalar is within 2^192 of r/2: either sign will do.
    if (s[at + SIGN_WORD] <= MODULUS[SIGN_WORD] >>> 1) {
      return;
    }
    long borrow = 0;
    for (int i = 0; i < Fr.WORDS; i++) {
      long m = MODULUS[i];
      long d = m - s[at + i];
      long b = Long.compareUnsigned(m, s[at + i]) < 0 || (d == 0 && borrow != 0) ? 1 : 0;
      s[at + i] = d - borrow;
      borrow = b;
    }
    s[at + SIGN_WORD] |= Long.MIN_VALUE;
  }

  /** Digit {@code window} of a prepared scalar, its sign applied. */
  static int digit(long[] s, int at, int window, int c) {
    int low = window * c - 1; // c + 1 bits from here on, the lowest one of the window before
    long bits;
    if (low < 0) {
      bits = s[at] << 1;
    } else {
      int word = low >> 6;
      int shift = low & 63;
      bits = word(s, at, word) >>> shift;
      if (shift + c + 1 > 64 && word < SIGN_WORD) {
        bits |= word(s, at, word + 1) << (64 - shift);
      }
    }
    int v = (int) bits & ((1 << (c + 1)) - 1);
    int digit = ((v + 1) >> 1) - ((v >> c) << c);
    return s[at + SIGN_WORD] < 0 ? -digit : digit;
  }

  private static long word(long[] s, int at, int word) {
    return word == SIGN_WORD ? s[at + word] & Long.MAX_VALUE : s[at + word];
  }
}
