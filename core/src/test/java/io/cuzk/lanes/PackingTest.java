package io.cuzk.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.field.Fp;
import io.cuzk.field.Fr;
import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

final class PackingTest {
  @Provide
  Arbitrary<BigInteger> residues() {
    return Arbitraries.bigIntegers().between(BigInteger.ZERO, Fp.MODULUS.subtract(BigInteger.ONE));
  }

  private static BigInteger value(LaneField f, double[] d) {
    BigInteger v = BigInteger.ZERO;
    for (int j = 0; j < f.limbs(); j++) {
      double digit = Math.scalb(d[8 * j], f.bits() - f.width() * j);
      assertThat(Math.abs(digit)).isLessThanOrEqualTo(Math.scalb(1.0, f.width()));
      v = v.add(BigInteger.valueOf((long) digit).shiftLeft(f.width() * j));
    }
    return v;
  }

  private static long[] words(BigInteger v, int n) {
    long[] words = new long[n];
    for (int i = 0; i < n; i++) {
      words[i] = v.shiftRight(64 * i).longValue();
    }
    return words;
  }

  private static void fp(BigInteger v) {
    double[] d = new double[64];
    long[] words = words(v, Fp.WORDS);
    Packing.unpackFp(words, 0, d, 0, 8);
    assertThat(value(LaneField.FP, d)).isEqualTo(v);
    for (int j = 0; j < 8; j++) {
      assertThat(Math.abs(Math.scalb(d[8 * j], 384 - 48 * j))).isLessThanOrEqualTo(0x1p47);
    }
    long[] back = new long[Fp.WORDS];
    Packing.packFp(d, 0, 8, back, 0);
    assertThat(back).isEqualTo(words);
    if (v.signum() > 0) { // the same residue, negative
      long[] digits = LaneField.FP.digits(v.subtract(Fp.MODULUS));
      for (int j = 0; j < 8; j++) {
        d[8 * j] = LaneField.FP.stored(digits[j], j);
      }
      Packing.packFp(d, 0, 8, back, 0);
      assertThat(back).isEqualTo(words);
    }
  }

  private static void fr(BigInteger v) {
    double[] d = new double[48];
    long[] words = words(v, Fr.WORDS);
    Packing.unpackFr(words, 0, d, 0, 8);
    assertThat(value(LaneField.FR, d)).isEqualTo(v.shiftLeft(8));
    for (BigInteger same : new BigInteger[] {v, v.subtract(Fr.MODULUS)}) {
      long[] digits = LaneField.FR.digits(same);
      for (int j = 0; j < 6; j++) {
        d[8 * j] = LaneField.FR.stored(digits[j], j);
      }
      long[] back = new long[Fr.WORDS];
      Packing.packFr(d, 0, 8, back, 0);
      assertThat(back).isEqualTo(same.equals(Fr.MODULUS.negate()) ? new long[4] : words);
    }
  }

  @Property(tries = 500)
  void thereAndBack(@ForAll("residues") BigInteger v) {
    fp(v);
    fr(v.mod(Fr.MODULUS));
  }

  @Example
  void edges() {
    fp(BigInteger.ZERO);
    fp(BigInteger.ONE);
    fp(Fp.MODULUS.subtract(BigInteger.ONE));
    fr(BigInteger.ZERO);
    fr(BigInteger.ONE);
    fr(Fr.MODULUS.subtract(BigInteger.ONE));
    for (int bit = 0; bit < 380; bit++) {
      fp(BigInteger.TWO.pow(bit));
      fp(BigInteger.TWO.pow(bit).subtract(BigInteger.ONE));
      fr(BigInteger.TWO.pow(bit).mod(Fr.MODULUS));
      fr(BigInteger.TWO.pow(bit).subtract(BigInteger.ONE).mod(Fr.MODULUS));
    }
  }
}
