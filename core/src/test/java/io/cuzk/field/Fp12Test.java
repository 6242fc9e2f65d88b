package io.cuzk.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class Fp12Test {
  private static final BigInteger P = Fp.MODULUS;
  private final Random random = new Random(12);

  private long[] element() {
    long[] x = new long[Fp12.WORDS];
    for (int i = 0; i < 12; i++) {
      Fp.fromBigInteger(x, i * Fp.WORDS, new BigInteger(381, random));
    }
    return x;
  }

  /** The schoolbook product of the six coefficients in Fp2 of powers of w, with w⁶ = ξ. */
  private static long[] schoolbook(long[] x, long[] y) {
    int m = Fp2.WORDS;
    long[] sum = new long[11 * m];
    long[] t = new long[m];
    for (int i = 0; i < 6; i++) {
      for (int j = 0; j < 6; j++) {
        Fp2.mul(t, 0, x, power(i), y, power(j));
        Fp2.add(sum, (i + j) * m, sum, (i + j) * m, t, 0);
      }
    }
    long[] z = new long[Fp12.WORDS];
    for (int i = 0; i < 6; i++) {
      Fp2.set(z, power(i), sum, i * m);
      if (i < 5) {
        Fp2.mulByNonResidue(t, 0, sum, (i + 6) * m);
        Fp2.add(z, power(i), z, power(i), t, 0);
      }
    }
    return z;
  }

  private static int power(int i) {
    return (i % 2 * 3 + i / 2) * Fp2.WORDS;
  }

  @Test
  void productsAgreeWithTheSchoolbook() {
    for (int i = 0; i < 20; i++) {
      long[] x = element();
      long[] y = element();
      long[] expected = schoolbook(x, y);
      long[] z = new long[Fp12.WORDS];
      Fp12.mul(z, 0, x, 0, y, 0);
      assertThat(z).isEqualTo(expected);
      long[] square = x.clone();
      Fp12.square(square, 0, square, 0);
      assertThat(square).isEqualTo(schoolbook(x, x));
      Fp12.mul(x, 0, x, 0, y, 0);
      assertThat(x).isEqualTo(expected);
    }
  }

  @Test
  void sparseProductsAgreeWithFullOnes() {
    int m = Fp2.WORDS;
    for (int i = 0; i < 10; i++) {
      long[] x = element();
      long[] line = new long[3 * m];
      System.arraycopy(element(), 0, line, 0, 3 * m);
      long[] full = new long[Fp12.WORDS];
      Fp2.set(full, power(0), line, 0);
      Fp2.set(full, power(2), line, m);
      Fp2.set(full, power(3), line, 2 * m);
      long[] z = new long[Fp12.WORDS];
      Fp12.mulByLine(z, 0, x, 0, line, 0);
      assertThat(z).isEqualTo(schoolbook(x, full));
    }
  }

  @Test
  void inversesAndPowers() {
    long[] x = element();
    long[] z = new long[Fp12.WORDS];
    Fp12.inv(z, 0, x, 0);
    Fp12.mul(z, 0, z, 0, x, 0);
    assertThat(Fp12.isOne(z, 0)).isTrue();
    Fp12.frobenius(z, 0, x, 0);
    long[] power = new long[Fp12.WORDS];
    Fp12.pow(power, 0, x, 0, P);
    assertThat(Fp12.equal(z, 0, power, 0)).isTrue();
    for (int i = 0; i < 5; i++) {
      Fp12.frobenius(z, 0, z, 0);
    }
    Fp12.conjugate(power, 0, x, 0);
    assertThat(z).isEqualTo(power);
    assertThatThrownBy(() -> Fp12.inv(z, 0, new long[Fp12.WORDS], 0))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> Fp12.pow(z, 0, x, 0, BigInteger.valueOf(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void cyclotomicSquaresAgreeInTheCyclotomicSubgroup() {
    long[] x = element();
    Fp12.pow(x, 0, x, 0, P.pow(6).subtract(BigInteger.ONE).multiply(P.pow(2).add(BigInteger.ONE)));
    for (int i = 0; i < 5; i++) {
      long[] z = new long[Fp12.WORDS];
      Fp12.square(z, 0, x, 0);
      Fp12.cyclotomicSquare(x, 0, x, 0);
      assertThat(x).isEqualTo(z);
    }
  }
}
