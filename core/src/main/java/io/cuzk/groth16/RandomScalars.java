package io.cuzk.groth16;

import io.cuzk.field.Fr;
import java.math.BigInteger;
import java.security.SecureRandom;

/** Secret scalars. */
final class RandomScalars {
  private RandomScalars() {}

  /** A uniform scalar from 1 to r − 1 (its bias is below 2⁻¹²⁸: 384 bits are reduced). */
  static long[] nonZero(SecureRandom random) {
    long[] scalar = new long[Fr.WORDS];
    do {
      Fr.fromBigInteger(scalar, 0, new BigInteger(384, random));
    } while (Fr.isZero(scalar, 0));
    return scalar;
  }

  /** A uniform scalar, zero included. */
  static long[] uniform(SecureRandom random) {
    long[] scalar = new long[Fr.WORDS];
    Fr.fromBigInteger(scalar, 0, new BigInteger(384, random));
    return scalar;
  }
}
