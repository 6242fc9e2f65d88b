package io.cuzk.msm;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.field.Fr;
import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

final class SignedDigitsTest {
  @Provide
  Arbitrary<BigInteger> scalars() {
    Arbitrary<BigInteger> any =
        Arbitraries.bigIntegers().between(BigInteger.ZERO, Fr.MODULUS.subtract(BigInteger.ONE));
    Arbitrary<BigInteger> nearHalf =
        Arbitraries.integers()
            .between(-70, 70)
            .map(d -> Fr.MODULUS.shiftRight(1).add(BigInteger.valueOf(d)));
    Arbitrary<BigInteger> powers =
        Arbitraries.integers().between(0, 254).map(BigInteger.ONE::shiftLeft);
    return Arbitraries.oneOf(any, nearHalf, powers);
  }

  @Property(tries = 3000)
  void digitsAddUpToTheScalar(
      @ForAll("scalars") BigInteger s, @ForAll @IntRange(min = 2, max = 22) int c) {
    long[] words = new long[Fr.WORDS + 1];
    for (int i = 0; i < Fr.WORDS; i++) {
      words[i + 1] = s.shiftRight(64 * i).longValue();
    }
    SignedDigits.prepare(words, 1);
    BigInteger sum = BigInteger.ZERO;
    for (int w = SignedDigits.windows(c) - 1; w >= 0; w--) {
      int digit = SignedDigits.digit(words, 1, w, c);
      assertThat(Math.abs(digit)).isLessThanOrEqualTo(1 << (c - 1));
      sum = sum.shiftLeft(c).add(BigInteger.valueOf(digit));
    }
    assertThat(sum.mod(Fr.MODULUS)).isEqualTo(s);
  }
}
