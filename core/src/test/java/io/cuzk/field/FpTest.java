package io.cuzk.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.testing.Golden;
import java.math.BigInteger;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

final class FpTest {
  private static final BigInteger P = Fp.MODULUS;
  private static final int N = Fp.WORDS;
  private static final JsonNode GOLDEN = Golden.json("unit-fp.json");

  private static void read(long[] z, int zo, JsonNode hex) {
    assertThat(Fp.fromBytesBigEndian(z, zo, Golden.hex(hex), 0)).isTrue();
  }

  private static long[] fp(JsonNode hex) {
    long[] z = new long[N];
    read(z, 0, hex);
    return z;
  }

  private static long[] fp2(JsonNode pair) {
    long[] z = new long[2 * N];
    read(z, 0, pair.get(0));
    read(z, N, pair.get(1));
    return z;
  }

  private static long[] of(BigInteger... values) {
    long[] z = new long[N * values.length];
    for (int i = 0; i < values.length; i++) {
      Fp.fromBigInteger(z, N * i, values[i]);
    }
    return z;
  }

  @Test
  void agreesWithTheGoldenCases() {
    int cases = 0;
    for (JsonNode c : GOLDEN.get("fp")) {
      long[] a = fp(c.get("a"));
      long[] b = fp(c.get("b"));
      long[] z = new long[N];
      if (c.has("a_mont_limbs_le_u64")) {
        for (int i = 0; i < N; i++) {
          assertThat(a[i])
              .isEqualTo(Long.parseUnsignedLong(c.get("a_mont_limbs_le_u64").get(i).asText(), 16));
        }
      }
      Fp.add(z, 0, a, 0, b, 0);
      assertThat(z).isEqualTo(fp(c.get("add")));
      Fp.sub(z, 0, a, 0, b, 0);
      assertThat(z).isEqualTo(fp(c.get("sub")));
      Fp.mul(z, 0, a, 0, b, 0);
      assertThat(z).isEqualTo(fp(c.get("mul")));
      Fp.square(z, 0, a, 0);
      assertThat(z).isEqualTo(fp(c.get("sqr")));
      if (Fp.isZero(a, 0)) { // the reference stack calls the inverse of zero zero
        assertThatThrownBy(() -> Fp.inv(z, 0, a, 0)).isInstanceOf(ArithmeticException.class);
      } else {
        Fp.inv(z, 0, a, 0);
        assertThat(z).isEqualTo(fp(c.get("inv")));
      }
      assertRoot(FpField.INSTANCE, a, c.get("sqrt").isNull() ? null : fp(c.get("sqrt")));
      cases++;
    }
    assertThat(cases).isEqualTo(200);
    assertThat(GOLDEN.get("fp").get(0).has("a_mont_limbs_le_u64")).isTrue();
  }

  @Test
  void agreesWithTheGoldenCasesOfTheExtension() {
    int cases = 0;
    for (JsonNode c : GOLDEN.get("fp2")) {
      long[] a = fp2(c.get("a"));
      long[] b = fp2(c.get("b"));
      long[] z = new long[2 * N];
      Fp2.mul(z, 0, a, 0, b, 0);
      assertThat(z).isEqualTo(fp2(c.get("mul")));
      Fp2.square(z, 0, a, 0);
      assertThat(z).isEqualTo(fp2(c.get("sqr")));
      if (Fp2.isZero(a, 0)) {
        assertThatThrownBy(() -> Fp2.inv(z, 0, a, 0)).isInstanceOf(ArithmeticException.class);
      } else {
        Fp2.inv(z, 0, a, 0);
        assertThat(z).isEqualTo(fp2(c.get("inv")));
      }
      assertRoot(Fp2Field.INSTANCE, a, c.get("sqrt").isNull() ? null : fp2(c.get("sqrt")));
      cases++;
    }
    assertThat(cases).isEqualTo(100);
  }

  /** The root found is the expected one or its negative, and none is found where there is none. */
  private static void assertRoot(CoordinateField field, long[] a, long[] expected) {
    long[] z = new long[field.words()];
    z[1] = 77;
    if (expected == null) {
      assertThat(field.sqrt(z, 0, a, 0)).isFalse();
      assertThat(z[1]).isEqualTo(77);
      return;
    }
    assertThat(field.sqrt(z, 0, a, 0)).isTrue();
    long[] other = new long[field.words()];
    field.neg(other, 0, z, 0);
    assertThat(expected)
        .satisfiesAnyOf(e -> assertThat(e).isEqualTo(z), e -> assertThat(e).isEqualTo(other));
    long[] aliased = a.clone();
    assertThat(field.sqrt(aliased, 0, aliased, 0)).isTrue();
    assertThat(aliased).isEqualTo(z);
  }

  @Test
  void rejectsWhatIsNotCanonical() {
    long[] z = new long[N];
    for (BigInteger v :
        new BigInteger[] {P, P.add(BigInteger.ONE), BigInteger.ONE.shiftLeft(381)}) {
      byte[] big = new byte[Fp.BYTES];
      byte[] little = new byte[Fp.BYTES];
      for (int i = 0; i < Fp.BYTES; i++) {
        little[i] = v.shiftRight(8 * i).byteValue();
        big[Fp.BYTES - 1 - i] = little[i];
      }
      assertThat(Fp.fromBytes(z, 0, little, 0)).isFalse();
      assertThat(Fp.fromBytesBigEndian(z, 0, big, 0)).isFalse();
    }
    assertThat(Fp.isZero(z, 0)).isTrue();
  }

  /** Enough random values that each rare path of the division steps is taken. */
  @Test
  void inversesAgreeWithBigInteger() {
    Random random = new Random(381);
    for (int i = 0; i < 40_000; i++) {
      BigInteger x = new BigInteger(1 + i % 381, random).setBit(0).mod(P);
      long[] z = of(x);
      Fp.inv(z, 0, z, 0);
      assertThat(Fp.toBigInteger(z, 0)).isEqualTo(x.modInverse(P));
    }
  }

  @Provide
  static Arbitrary<BigInteger> elements() {
    return FrTest.edgeBiased(P);
  }

  @Property(seed = "3", tries = 3000)
  void agreesWithBigInteger(
      @ForAll("elements") BigInteger x,
      @ForAll("elements") BigInteger y,
      @ForAll("elements") BigInteger m) {
    long[] a = of(x);
    long[] b = of(y);
    long[] z = new long[N + 2];
    Fp.mul(z, 1, a, 0, b, 0);
    assertThat(Fp.toBigInteger(z, 1)).isEqualTo(x.multiply(y).mod(P));
    Fp.add(z, 1, a, 0, b, 0);
    assertThat(Fp.toBigInteger(z, 1)).isEqualTo(x.add(y).mod(P));
    Fp.sub(z, 1, a, 0, b, 0);
    assertThat(Fp.toBigInteger(z, 1)).isEqualTo(x.subtract(y).mod(P));
    Fp.square(z, 1, a, 0);
    assertThat(Fp.toBigInteger(z, 1)).isEqualTo(x.multiply(x).mod(P));
    Fp.dbl(z, 1, a, 0);
    assertThat(Fp.toBigInteger(z, 1)).isEqualTo(x.add(x).mod(P));
    Fp.neg(z, 1, a, 0);
    assertThat(Fp.toBigInteger(z, 1)).isEqualTo(x.negate().mod(P));
    if (x.signum() != 0) {
      Fp.inv(z, 1, a, 0);
      assertThat(Fp.toBigInteger(z, 1)).isEqualTo(x.modInverse(P));
    }
    assertThat(z[0]).isZero();
    assertThat(z[N + 1]).isZero();
    long[] raw = new long[2 * N];
    for (int i = 0; i < N; i++) {
      raw[i] = m.shiftRight(64 * i).longValue();
      raw[N + i] = x.shiftRight(64 * i).longValue();
    }
    BigInteger v = Fp.toBigInteger(raw, 0);
    BigInteger w = Fp.toBigInteger(raw, N);
    long[] product = new long[N];
    Fp.mul(product, 0, raw, 0, raw, N);
    assertThat(Fp.toBigInteger(product, 0)).isEqualTo(v.multiply(w).mod(P));
    Fp.square(raw, 0, raw, 0);
    assertThat(Fp.toBigInteger(raw, 0)).isEqualTo(v.multiply(v).mod(P));
    assertThat(Fp.isCanonical(raw, 0)).isTrue();
  }

  @Property(seed = "4", tries = 1000)
  void theExtensionAgreesWithBigInteger(
      @ForAll("elements") BigInteger x0,
      @ForAll("elements") BigInteger x1,
      @ForAll("elements") BigInteger y0,
      @ForAll("elements") BigInteger y1) {
    long[] x = of(x0, x1);
    long[] y = of(y0, y1);
    BigInteger c0 = x0.multiply(y0).subtract(x1.multiply(y1));
    BigInteger c1 = x0.multiply(y1).add(x1.multiply(y0));
    long[] product = of(c0, c1);
    long[] z = new long[2 * N];
    Fp2.mul(z, 0, x, 0, y, 0);
    assertThat(z).isEqualTo(product);
    Fp2.mul(x, 0, x, 0, y, 0);
    assertThat(x).isEqualTo(product);
    x = of(x0, x1);
    Fp2.mul(y, 0, x, 0, y, 0);
    assertThat(y).isEqualTo(product);
    Fp2.mul(z, 0, x, 0, x, 0);
    long[] square = x.clone();
    Fp2.square(square, 0, square, 0);
    assertThat(square).isEqualTo(z);
    Fp2.mulByNonResidue(z, 0, x, 0);
    assertThat(z).isEqualTo(of(x0.subtract(x1), x0.add(x1)));
    assertRoot(Fp2Field.INSTANCE, square, x);
    if (!Fp2.isZero(x, 0)) {
      Fp2.inv(z, 0, x, 0);
      Fp2.mul(z, 0, z, 0, x, 0);
      assertThat(Fp2.isOne(z, 0)).isTrue();
    }
    Fp2.pow(z, 0, x, 0, P);
    Fp2.conjugate(x, 0, x, 0);
    assertThat(z).isEqualTo(x);
  }
}
