package io.cuzk.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sums of products against BigInteger. */
class FrDotTest {
  private static final BigInteger Q = Fr.MODULUS;
  private static final BigInteger R_INVERSE = BigInteger.TWO.pow(256).modInverse(Q);

  /** Any words below the modulus: the kernel's own domain, corners included. */
  private static BigInteger words(long[] out, int at, Random random, boolean corners) {
    BigInteger v;
    if (corners) {
      v =
          switch (random.nextInt(4)) {
            case 0 -> Q.subtract(BigInteger.valueOf(1 + random.nextInt(2)));
            case 1 -> BigInteger.valueOf(random.nextInt(2));
            case 2 -> Q.subtract(BigInteger.TWO.pow(52 * random.nextInt(5)));
            default -> BigInteger.TWO.pow(52 * random.nextInt(5)).subtract(BigInteger.ONE);
          };
    } else {
      v = new BigInteger(300, random).mod(Q);
    }
    for (int i = 0; i < Fr.WORDS; i++) {
      out[at + i] = v.shiftRight(64 * i).longValue();
    }
    return v;
  }

  private static BigInteger number(long[] x, int at) {
    BigInteger v = BigInteger.ZERO;
    for (int i = Fr.WORDS - 1; i >= 0; i--) {
      v = v.shiftLeft(64).add(new BigInteger(Long.toUnsignedString(x[at + i])));
    }
    return v;
  }

  private static void check(int n, int step, Random random, boolean corners) {
    long[] x = new long[n * Fr.WORDS];
    long[] y = new long[n * step * Fr.WORDS];
    BigInteger sum = BigInteger.ZERO;
    for (int i = 0; i < n; i++) {
      BigInteger xi = words(x, i * Fr.WORDS, random, corners);
      BigInteger yi = words(y, i * step * Fr.WORDS, random, corners);
      sum = sum.add(xi.multiply(yi));
    }
    Fr.dot(x, 0, x, 0, y, 0, step, n);
    assertThat(number(x, 0)).as("n=%d", n).isEqualTo(sum.multiply(R_INVERSE).mod(Q));
  }

  @Test
  void sumsEqualBigIntegers() {
    Random random = new Random(11);
    for (int n = 1; n <= 12; n++) {
      for (int i = 0; i < 500; i++) {
        check(n, 1 + i % 3, random, false);
        check(n, 1 + i % 3, random, true);
      }
    }
  }

  @Test
  void theLargestSumIsReduced() {
    for (int n = 1; n <= 12; n++) {
      long[] x = new long[n * Fr.WORDS];
      BigInteger v = Q.subtract(BigInteger.ONE);
      for (int i = 0; i < x.length; i++) {
        x[i] = v.shiftRight(64 * (i % Fr.WORDS)).longValue();
      }
      long[] z = new long[Fr.WORDS];
      Fr.dot(z, 0, x, 0, x, 0, 1, n);
      assertThat(number(z, 0))
          .isEqualTo(v.multiply(v).multiply(BigInteger.valueOf(n)).multiply(R_INVERSE).mod(Q));
    }
  }

  @Test
  void refusesOtherCounts() {
    long[] x = new long[13 * Fr.WORDS];
    assertThatThrownBy(() -> Fr.dot(x, 0, x, 0, x, 0, 1, 13)).hasMessageContaining("13");
    assertThatThrownBy(() -> Fr.dot(x, 0, x, 0, x, 0, 1, 0)).hasMessageContaining("0");
  }
}
