package io.cuzk.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.curve.PointEncoding.Check;
import io.cuzk.field.Fp;
import io.cuzk.field.Fp12;
import io.cuzk.field.Fr;
import io.cuzk.testing.Golden;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PairingTest {
  private static final BigInteger R = Fr.MODULUS;

  private static long[] decode(Group group, JsonNode hex) {
    long[] z = new long[group.affineWords()];
    PointEncoding.decodeCompressed(group, Golden.hex(hex), 0, z, 0, Check.SUBGROUP);
    return z;
  }

  /** k·G, affine. */
  private static long[] multiple(Group group, BigInteger k) {
    long[] affine = new long[group.affineWords()];
    group.generator(affine, 0);
    long[] jacobian = new long[group.jacobianWords()];
    group.fromAffine(jacobian, 0, affine, 0);
    group.mul(jacobian, 0, jacobian, 0, GroupTest.scalar(k.mod(R)), 0);
    group.toAffine(affine, 0, jacobian, 0);
    return affine;
  }

  private static long[] g1(long k) {
    return multiple(Group.G1, BigInteger.valueOf(k));
  }

  private static PreparedG2 g2(long k) {
    return PreparedG2.of(multiple(Group.G2, BigInteger.valueOf(k)), 0);
  }

  private static long[] concat(long[]... points) {
    long[] all = new long[points.length * 12];
    for (int i = 0; i < points.length; i++) {
      System.arraycopy(points[i], 0, all, 12 * i, 12);
    }
    return all;
  }

  @Test
  void valuesAreThoseOfBlst() {
    int samples = 0;
    for (JsonNode c : Golden.json("unit-pairing.json").get("samples")) {
      long[] e = Pairing.of(decode(Group.G1, c.get("P")), 0, decode(Group.G2, c.get("Q")), 0);
      byte[] bytes = new byte[576];
      int at = 0;
      for (int v = 0; v < 3; v++) {
        for (int w = 0; w < 2; w++) {
          for (int half = 0; half < 2; half++) {
            Fp.toBytesBigEndian(bytes, at, e, (w * 6 + v * 2 + half) * Fp.WORDS);
            at += Fp.BYTES;
          }
        }
      }
      assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(c.get("pairing_fp12").asText());
      samples++;
    }
    assertThat(samples).isEqualTo(8);
  }

  @Test
  void isBilinearAndNotDegenerate() {
    Random random = new Random(5);
    long[] e = Pairing.of(g1(1), 0, multiple(Group.G2, BigInteger.ONE), 0);
    assertThat(Fp12.isOne(e, 0)).isFalse();
    long[] power = new long[Fp12.WORDS];
    Fp12.pow(power, 0, e, 0, R);
    assertThat(Fp12.isOne(power, 0)).isTrue();
    for (int i = 0; i < 4; i++) {
      BigInteger a = new BigInteger(254, random);
      BigInteger b = new BigInteger(254, random);
      long[] ab = Pairing.of(multiple(Group.G1, a), 0, multiple(Group.G2, b), 0);
      Fp12.pow(power, 0, e, 0, a.multiply(b).mod(R));
      assertThat(ab).isEqualTo(power);
      assertThat(
              Pairing.of(
                  multiple(Group.G1, a.multiply(b)), 0, multiple(Group.G2, BigInteger.ONE), 0))
          .isEqualTo(ab);
    }
  }

  @Test
  void productsShareOneFinalExponentiation() {
    // 2·3 + 5·7 + 1·(−41) = 0
    long[] p = concat(g1(2), g1(5), g1(1));
    assertThat(Pairing.productIsOne(p, List.of(g2(3), g2(7), g2(-41)))).isTrue();
    assertThat(Pairing.productIsOne(p, List.of(g2(3), g2(7), g2(-40)))).isFalse();
    long[] f = Pairing.millerLoop(g1(2), List.of(g2(3)));
    long[] rest = Pairing.millerLoop(concat(g1(5), g1(1)), List.of(g2(7), g2(-41)));
    Fp12.mul(f, 0, f, 0, rest, 0);
    assertThat(Fp12.isOne(Pairing.finalExponentiation(f), 0)).isTrue();
  }

  @Test
  void infinityPairsToOne() {
    assertThat(Pairing.productIsOne(new long[12], List.of(g2(3)))).isTrue();
    assertThat(Pairing.productIsOne(g1(3), List.of(g2(0)))).isTrue();
    assertThat(Pairing.productIsOne(new long[0], List.of())).isTrue();
    assertThat(Pairing.productIsOne(concat(g1(0), g1(1)), List.of(g2(1), g2(1)))).isFalse();
  }

  @Test
  void refusesListsOfDifferentLength() {
    assertThatThrownBy(() -> Pairing.millerLoop(g1(1), List.of(g2(1), g2(2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 points of G2 with 1 of G1");
  }
}
