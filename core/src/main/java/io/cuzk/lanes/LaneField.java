package io.cuzk.lanes;

import io.cuzk.field.Fp;
import io.cuzk.field.Fr;
import java.math.BigInteger;

/**
 * How residues of one prime lie in vector lanes, and the constants of its multiplication.
 *
 * <p>A residue is {@code limbs} signed limbs x_j of about {@code width} bits. Limb j is stored as
 * the double x_j·2^(width·j − bits), bits = width·limbs, so that a value v is stored as the
 * fraction v/R of the Montgomery radix R = 2^bits, and column k of a product has unit 2^(width·k −
 * 2·bits): dropping the low columns of a product is the division by R, without a mask or a shift.
 *
 * <p>Reduction replaces a low digit t_i of a product by t_i·(2^(−width·d) mod p) at column i + d,
 * where i + d = {@code targets[i]}: no quotient digits, no cancelling products. Only the last low
 * digit takes a Montgomery step.
 *
 * @param modulus the prime
 * @param width bits of a limb
 * @param limbs number of limbs
 * @param targets for each of the low digits but the last, the column that it is folded into
 */
record LaneField(BigInteger modulus, int width, int limbs, int[] targets) {
  /** Fp: 8 limbs of 48 bits, R = 2^384, which is the radix of the words in {@link Fp}. */
  static final LaneField FP = new LaneField(Fp.MODULUS, 48, 8, new int[] {4, 4, 4, 4, 6, 6, 7});

  /** Fr: 6 limbs of 44 bits, R = 2^264, which is 2^8 times the radix of the words in Fr. */
  static final LaneField FR = new LaneField(Fr.MODULUS, 44, 6, new int[] {5, 5, 5, 5, 5});

  /** Lanes of a group, whatever the vectors of the machine hold: the layout is one everywhere. */
  static final int LANES = 8;

  /** Bits of R. */
  int bits() {
    return width * limbs;
  }

  /** Doubles of a group of eight elements. */
  int groupDoubles() {
    return limbs * LANES;
  }

  /** Signed digits of v, |digit| ≤ 2^(width − 1), the last one with what remains. */
  long[] digits(BigInteger v) {
    long[] digits = new long[limbs];
    BigInteger rest = v;
    for (int j = 0; j < limbs - 1; j++) {
      long d = rest.longValue() & ((1L << width) - 1);
      if (d >= 1L << (width - 1)) {
        d -= 1L << width;
      }
      digits[j] = d;
      rest = rest.subtract(BigInteger.valueOf(d)).shiftRight(width);
    }
    digits[limbs - 1] = rest.longValueExact();
    return digits;
  }

  /** 2^(−width·d) mod p, centred. */
  BigInteger shifted(int d) {
    BigInteger q = BigInteger.TWO.modPow(BigInteger.valueOf(-(long) width * d), modulus);
    return q.compareTo(modulus.shiftRight(1)) > 0 ? q.subtract(modulus) : q;
  }

  /** −p⁻¹ mod 2^width, centred. */
  long negatedInverse() {
    BigInteger unit = BigInteger.ONE.shiftLeft(width);
    long m = modulus.negate().modInverse(unit).longValueExact();
    return m >= 1L << (width - 1) ? m - (1L << width) : m;
  }

  /** The stored form of limb j. */
  double stored(long limb, int j) {
    return Math.scalb((double) limb, width * j - bits());
  }

  /** p/R. */
  double modulusOverRadix() {
    return Math.scalb(modulus.doubleValue(), -bits());
  }
}
