package io.cuzk.circuit;

import io.cuzk.field.Fr;
import java.math.BigInteger;

/**
 * What is known about each element of a table of coefficients: the integer nearest to zero, and
 * whether that is small. Elements above half the modulus are read as negative.
 */
final class Coefficients {
  static final int NONE = Integer.MIN_VALUE;
  private static final BigInteger HALF = Fr.MODULUS.shiftRight(1);

  private final BigInteger[] values;
  private final int[] small;

  Coefficients(long[] table) {
    int n = table.length / Fr.WORDS;
    values = new BigInteger[n];
    small = new int[n];
    for (int i = 0; i < n; i++) {
      BigInteger v = Fr.toBigInteger(table, i * Fr.WORDS);
      values[i] = v.compareTo(HALF) > 0 ? v.subtract(Fr.MODULUS) : v;
      BigInteger size = values[i].abs();
      small[i] = size.bitLength() < 8 ? values[i].intValue() : NONE;
    }
  }

  /** The integer if its size is below 128, or {@link #NONE}. */
  int small(int i) {
    return small[i];
  }

  /** The integer nearest to zero. */
  BigInteger value(int i) {
    return values[i];
  }

  /** The integer on the other side of zero. */
  BigInteger other(int i) {
    return values[i].signum() > 0 ? values[i].subtract(Fr.MODULUS) : values[i].add(Fr.MODULUS);
  }
}
