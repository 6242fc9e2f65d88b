package io.cuzk.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.testing.Golden;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

final class FrTest {
  private static final BigInteger R = Fr.MODULUS;
  private static final JsonNode GOLDEN = Golden.json("unit-fr.json");

  private static long[] read(JsonNode hex) {
    long[] z = new long[Fr.WORDS];
    assertThat(Fr.fromBytes(z, 0, Golden.hex(hex), 0)).isTrue();
    return z;
  }

  private static String hex(long[] x) {
    byte[] bytes = new byte[Fr.BYTES];
    Fr.toBytes(bytes, 0, x, 0);
    return HexFormat.of().formatHex(bytes);
  }

  static long[] of(BigInteger v) {
    long[] z = new long[Fr.WORDS];
    Fr.fromBigInteger(z, 0, v);
    return z;
  }

  @Test
  void agreesWithTheGoldenCases() {
    int cases = 0;
    for (JsonNode c : GOLDEN.get("cases")) {
      long[] a = read(c.get("a"));
      long[] b = read(c.get("b"));
      long[] z = new long[Fr.WORDS];
      Fr.add(z, 0, a, 0, b, 0);
      assertThat(hex(z)).isEqualTo(c.get("add").asText());
      Fr.sub(z, 0, a, 0, b, 0);
      assertThat(hex(z)).isEqualTo(c.get("sub").asText());
      Fr.mul(z, 0, a, 0, b, 0);
      assertThat(hex(z)).isEqualTo(c.get("mul").asText());
      Fr.square(z, 0, a, 0);
      assertThat(hex(z)).isEqualTo(c.get("sqr").asText());
      Fr.neg(z, 0, a, 0);
      assertThat(hex(z)).isEqualTo(c.get("neg").asText());
      if (c.get("inv").isNull()) {
        assertThatThrownBy(() -> Fr.inv(new long[4], 0, a, 0))
            .isInstanceOf(ArithmeticException.class);
      } else {
        Fr.inv(z, 0, a, 0);
        assertThat(hex(z)).isEqualTo(c.get("inv").asText());
      }
      Fr.pow(z, 0, a, 0, R.shiftRight(1));
      assertThat(Fr.isZero(a, 0) || Fr.isOne(z, 0)).isEqualTo(c.get("is_square").asBoolean());
      cases++;
    }
    assertThat(cases).isEqualTo(200);
  }

  @Test
  void keepsTheMontgomeryWordsOfBlst() {
    for (JsonNode c : GOLDEN.get("montgomery")) {
      long[] a = read(c.get("a"));
      for (int i = 0; i < Fr.WORDS; i++) {
        assertThat(Long.toHexString(a[i]))
            .isEqualTo(
                Long.toHexString(
                    Long.parseUnsignedLong(c.get("mont_limbs_le_u64").get(i).asText(), 16)));
      }
    }
    assertThat(GOLDEN.get("montgomery")).hasSize(8);
  }

  @Test
  void rejectsWhatIsNotCanonical() {
    for (JsonNode c : GOLDEN.get("from_repr_checks")) {
      long[] z = {1, 2, 3, 4};
      assertThat(Fr.fromBytes(z, 0, Golden.hex(c.get("le")), 0))
          .as(c.get("name").asText())
          .isEqualTo(c.get("accepted").asBoolean());
      assertThat(z).containsExactly(1, 2, 3, 4);
    }
    assertThat(GOLDEN.get("from_repr_checks")).hasSize(4);
  }

  @Provide
  static Arbitrary<BigInteger> elements() {
    return edgeBiased(R);
  }

  /** Values near 0, p and the word boundaries, and uniform ones. */
  static Arbitrary<BigInteger> edgeBiased(BigInteger modulus) {
    Arbitrary<BigInteger> uniform =
        Arbitraries.bigIntegers().between(BigInteger.ZERO, modulus.subtract(BigInteger.ONE));
    Arbitrary<BigInteger> edges =
        Arbitraries.integers()
            .between(-2, modulus.bitLength())
            .flatMap(
                shift ->
                    Arbitraries.integers()
                        .between(-2, 2)
                        .map(
                            d ->
                                (shift < 0
                                        ? (shift == -1
                                            ? modulus.shiftRight(1)
                                            : BigInteger.ONE.shiftLeft(64 * 6).mod(modulus))
                                        : BigInteger.ONE.shiftLeft(shift))
                                    .add(BigInteger.valueOf(d))
                                    .mod(modulus)));
    Arbitrary<BigInteger> words =
        Arbitraries.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 0xffffffffL)
            .list()
            .ofSize(6)
            .map(
                list -> {
                  BigInteger v = BigInteger.ZERO;
                  for (long w : list) {
                    v = v.shiftLeft(64).add(new BigInteger(Long.toUnsignedString(w)));
                  }
                  return v.mod(modulus);
                });
    return Arbitraries.oneOf(uniform, edges, words);
  }

  @Property(seed = "1", tries = 3000)
  void agreesWithBigInteger(
      @ForAll("elements") BigInteger x,
      @ForAll("elements") BigInteger y,
      @ForAll("elements") BigInteger m) {
    long[] a = of(x);
    long[] b = of(y);
    long[] z = new long[Fr.WORDS + 2];
    assertThat(Fr.toBigInteger(a, 0)).isEqualTo(x);
    Fr.mul(z, 1, a, 0, b, 0);
    assertThat(Fr.toBigInteger(z, 1)).isEqualTo(x.multiply(y).mod(R));
    Fr.add(z, 1, a, 0, b, 0);
    assertThat(Fr.toBigInteger(z, 1)).isEqualTo(x.add(y).mod(R));
    Fr.sub(z, 1, a, 0, b, 0);
    assertThat(Fr.toBigInteger(z, 1)).isEqualTo(x.subtract(y).mod(R));
    Fr.square(z, 1, a, 0);
    assertThat(Fr.toBigInteger(z, 1)).isEqualTo(x.multiply(x).mod(R));
    Fr.dbl(z, 1, a, 0);
    assertThat(Fr.toBigInteger(z, 1)).isEqualTo(x.add(x).mod(R));
    Fr.neg(z, 1, a, 0);
    assertThat(Fr.toBigInteger(z, 1)).isEqualTo(x.negate().mod(R));
    if (x.signum() != 0) {
      Fr.inv(z, 1, a, 0);
      assertThat(Fr.toBigInteger(z, 1)).isEqualTo(x.modInverse(R));
    }
    assertThat(z[0]).isZero();
    assertThat(z[Fr.WORDS + 1]).isZero();
    // Montgomery words near the edges, not only values near them.
    long[] raw = new long[Fr.WORDS];
    for (int i = 0; i < Fr.WORDS; i++) {
      raw[i] = m.shiftRight(64 * i).longValue();
    }
    BigInteger v = Fr.toBigInteger(raw, 0);
    Fr.mul(raw, 0, raw, 0, raw, 0);
    assertThat(Fr.toBigInteger(raw, 0)).isEqualTo(v.multiply(v).mod(R));
    assertThat(Fr.isCanonical(raw, 0)).isTrue();
  }

  @Property(seed = "2", tries = 200)
  void encodingsRoundTrip(@ForAll("elements") BigInteger x) {
    long[] a = of(x);
    byte[] bytes = new byte[Fr.BYTES + 1];
    long[] z = new long[Fr.WORDS];
    Fr.toBytes(bytes, 1, a, 0);
    assertThat(Fr.fromBytes(z, 0, bytes, 1)).isTrue();
    assertThat(z).isEqualTo(a);
    Fr.toBytesBigEndian(bytes, 1, a, 0);
    assertThat(new BigInteger(1, bytes)).isEqualTo(x);
    assertThat(Fr.fromBytesBigEndian(z, 0, bytes, 1)).isTrue();
    assertThat(z).isEqualTo(a);
  }

  /** Enough random values that each rare path of the division steps is taken. */
  @Test
  void inversesAgreeWithBigInteger() {
    Random random = new Random(255);
    for (int i = 0; i < 40_000; i++) {
      BigInteger x = new BigInteger(1 + i % 255, random).setBit(0).mod(R);
      long[] z = of(x);
      Fr.inv(z, 0, z, 0);
      assertThat(Fr.toBigInteger(z, 0)).isEqualTo(x.modInverse(R));
    }
  }

  @Test
  void smallValuesAndPowers() {
    long[] z = new long[Fr.WORDS];
    Fr.setLong(z, 0, -1L);
    assertThat(Fr.toBigInteger(z, 0)).isEqualTo(new BigInteger("18446744073709551615"));
    Fr.pow(z, 0, of(BigInteger.TWO), 0, BigInteger.valueOf(300));
    assertThat(Fr.toBigInteger(z, 0)).isEqualTo(BigInteger.ONE.shiftLeft(300).mod(R));
    Fr.pow(z, 0, of(BigInteger.ZERO), 0, BigInteger.ZERO);
    assertThat(Fr.isOne(z, 0)).isTrue();
    assertThatThrownBy(() -> Fr.pow(z, 0, z, 0, BigInteger.valueOf(-3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-3");
  }
}
