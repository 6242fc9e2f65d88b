package io.cuzk.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InvalidInputException;
import io.cuzk.curve.PointEncoding.Check;
import io.cuzk.testing.Golden;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PointEncodingTest {
  private static final JsonNode GOLDEN = Golden.json("unit-curve.json");

  private static Group group(String name) {
    return name.startsWith("g1") ? Group.G1 : Group.G2;
  }

  private static long[] decode(Group group, byte[] in, Check check) {
    long[] affine = new long[group.affineWords()];
    if (in.length == PointEncoding.compressedBytes(group)) {
      PointEncoding.decodeCompressed(group, in, 0, affine, 0, check);
    } else {
      assertThat(in).hasSize(PointEncoding.uncompressedBytes(group));
      PointEncoding.decodeUncompressed(group, in, 0, affine, 0, check);
    }
    return affine;
  }

  private static long[] jacobian(Group group, long[] affine) {
    long[] z = new long[group.jacobianWords()];
    group.fromAffine(z, 0, affine, 0);
    return z;
  }

  private static String compressed(Group group, long[] jacobian) {
    long[] affine = new long[group.affineWords()];
    group.toAffine(affine, 0, jacobian, 0);
    byte[] out = new byte[PointEncoding.compressedBytes(group)];
    PointEncoding.encodeCompressed(group, out, 0, affine, 0);
    return HexFormat.of().formatHex(out);
  }

  private static long[] scalar(JsonNode littleEndianHex) {
    byte[] bytes = Golden.hex(littleEndianHex);
    for (int i = 0; i < 16; i++) {
      byte b = bytes[i];
      bytes[i] = bytes[31 - i];
      bytes[31 - i] = b;
    }
    return GroupTest.scalar(new BigInteger(1, bytes));
  }

  @ParameterizedTest
  @ValueSource(strings = {"g1", "g2"})
  void pointsAndSumsAgreeWithTheGoldenOnes(String name) {
    Group group = group(name);
    long[] generator = new long[group.affineWords()];
    group.generator(generator, 0);
    for (JsonNode c : GOLDEN.get(name)) {
      byte[] expected = Golden.hex(c.get("uncompressed"));
      long[] affine = decode(group, Golden.hex(c.get("compressed")), Check.SUBGROUP);
      assertThat(decode(group, expected, Check.SUBGROUP)).isEqualTo(affine);
      byte[] out = new byte[expected.length];
      PointEncoding.encodeUncompressed(group, out, 0, affine, 0);
      assertThat(out).isEqualTo(expected);

      long[] p = jacobian(group, affine);
      assertThat(compressed(group, p)).isEqualTo(c.get("compressed").asText());
      long[] z = new long[group.jacobianWords()];
      group.mul(z, 0, jacobian(group, generator), 0, scalar(c.get("k")), 0);
      assertThat(compressed(group, z)).isEqualTo(c.get("compressed").asText());
      group.dbl(z, 0, p, 0);
      assertThat(compressed(group, z)).isEqualTo(c.get("double").asText());
      group.addMixed(z, 0, p, 0, generator, 0);
      assertThat(compressed(group, z)).isEqualTo(c.get("plus_generator").asText());
      group.addAffine(z, 0, affine, 0, generator, 0);
      assertThat(compressed(group, z)).isEqualTo(c.get("plus_generator").asText());
      group.mul(z, 0, p, 0, scalar(c.get("mul_k2").get("k2")), 0);
      assertThat(compressed(group, z)).isEqualTo(c.get("mul_k2").get("r").asText());
    }
    assertThat(GOLDEN.get(name)).hasSize(40);
  }

  /** What the message must say, by the words in the name of the golden case. */
  private static String reason(String name, String kind) {
    if (name.contains("non-canonical")) {
      return name.substring(0, name.indexOf(' ')) + " is not canonical";
    }
    if (name.startsWith("infinity with ")) {
      return "flagged as infinity, but other bits are set";
    }
    if (name.contains("not in subgroup")) {
      return "not in the subgroup";
    }
    if (name.contains("compressed bit")) {
      return "compressed flag 0x80 is not set";
    }
    if (name.contains("sign bit set")) {
      return "flags 0x20";
    }
    return kind.endsWith("c") ? "no point of the curve has this x" : "not on the curve";
  }

  @Test
  void acceptsAndRejectsAsBlstDoes() {
    for (JsonNode c : GOLDEN.get("decode")) {
      String kind = c.get("kind").asText();
      String name = c.get("name").asText();
      byte[] bytes = Golden.hex(c.get("bytes"));
      for (Check check : Check.values()) {
        boolean accepted =
            c.get(check == Check.CURVE ? "accepted_unchecked" : "accepted_checked").asBoolean();
        Throwable thrown = catchThrowable(() -> decode(group(kind), bytes, check));
        if (accepted) {
          assertThat(thrown).as(kind + " " + name).isNull();
        } else {
          assertThat(thrown)
              .as(kind + " " + name)
              .isInstanceOf(InvalidInputException.class)
              .hasMessageContaining("bad " + group(kind).name() + " point")
              .hasMessageContaining(reason(name, kind))
              .hasMessageContaining("found " + c.get("bytes").asText());
        }
      }
    }
    assertThat(GOLDEN.get("decode")).hasSize(33);
  }

  @Test
  void compressedFlagInAnUncompressedPointIsRefused() {
    for (Group group : new Group[] {Group.G1, Group.G2}) {
      long[] g = new long[group.affineWords()];
      group.generator(g, 0);
      byte[] bytes = new byte[PointEncoding.uncompressedBytes(group)];
      PointEncoding.encodeUncompressed(group, bytes, 0, g, 0);
      bytes[0] |= (byte) 0x80;
      assertThatThrownBy(() -> decode(group, bytes, Check.CURVE))
          .hasMessageContaining("flags 0x80");
    }
  }

  @Test
  void aRefusedPointLeavesTheTargetAlone() {
    byte[] bytes = new byte[48];
    bytes[0] = (byte) 0x80;
    bytes[47] = 4;
    long[] target = new long[12];
    Arrays.fill(target, 5);
    assertThatThrownBy(
            () -> PointEncoding.decodeCompressed(Group.G1, bytes, 0, target, 0, Check.SUBGROUP))
        .isInstanceOf(InvalidInputException.class);
    assertThat(target).containsOnly(5);
  }

  /** Any single flipped bit is refused or gives another point, never the same one. */
  @ParameterizedTest
  @ValueSource(strings = {"g1", "g2"})
  void everyBitMatters(String name) {
    Group group = group(name);
    byte[] bytes = Golden.hex(GOLDEN.get(name).get(7).get("compressed"));
    long[] point = decode(group, bytes, Check.SUBGROUP);
    for (int bit = 0; bit < 8 * bytes.length; bit += 3) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (0x80 >> bit % 8);
      try {
        assertThat(decode(group, flipped, Check.CURVE)).isNotEqualTo(point);
      } catch (InvalidInputException e) {
        assertThat(e.exitCode()).isEqualTo(3);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"g1_compressed", "g1_uncompressed", "g2_compressed", "g2_uncompressed"})
  void readsTheVectorsOfZkcrypto(String name) throws IOException {
    byte[] file =
        Files.readAllBytes(Golden.realdata("bls-zkcrypto/" + name + "_valid_test_vectors.dat"));
    Group group = group(name);
    int size =
        name.endsWith("uncompressed")
            ? PointEncoding.uncompressedBytes(group)
            : PointEncoding.compressedBytes(group);
    long[] generator = new long[group.affineWords()];
    group.generator(generator, 0);
    long[] expected = new long[group.jacobianWords()];
    for (int i = 0; i < 1000; i++) {
      byte[] bytes = Arrays.copyOfRange(file, i * size, (i + 1) * size);
      // The subgroup check of a thousand points is tested on every eighth.
      long[] point = decode(group, bytes, i % 8 == 0 ? Check.SUBGROUP : Check.CURVE);
      assertThat(group.equal(jacobian(group, point), 0, expected, 0)).as("point %d", i).isTrue();
      byte[] out = new byte[size];
      if (name.endsWith("uncompressed")) {
        PointEncoding.encodeUncompressed(group, out, 0, point, 0);
      } else {
        PointEncoding.encodeCompressed(group, out, 0, point, 0);
      }
      assertThat(out).isEqualTo(bytes);
      group.addMixed(expected, 0, expected, 0, generator, 0);
    }
    assertThat(file).hasSize(1000 * size);
  }
}
