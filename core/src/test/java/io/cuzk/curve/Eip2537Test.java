package io.cuzk.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cuzk.InvalidInputException;
import io.cuzk.curve.PointEncoding.Check;
import io.cuzk.testing.Golden;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The published vectors of EIP-2537: operations on hostile points with the expected outcome. */
final class Eip2537Test {
  /** Longer multi-scalar rows only repeat the shorter ones. */
  private static final int MAX_TERMS = 16;

  /** A row: input, result (empty if the input must be refused) and why it must be. */
  private record Row(byte[] input, String result, String notes) {}

  private interface Operation {
    byte[] apply(byte[] input);
  }

  private static List<Row> rows(String file) throws IOException {
    List<Row> rows = new ArrayList<>();
    List<String> lines = Files.readAllLines(Golden.realdata("eip2537/" + file + ".csv"));
    assertThat(lines.getFirst()).isEqualTo("input,result,gas,notes");
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      rows.add(new Row(Golden.hex(cells[0].replaceFirst("^0x", "")), cells[1], cells[3]));
    }
    return rows;
  }

  /** EIP encoding: each Fp in 64 bytes, c0 before c1, infinity all zero. */
  private static long[] decode(Group group, byte[] in, int at, Check check) {
    int halves = group.field().words() / 6;
    byte[] encoded = new byte[PointEncoding.uncompressedBytes(group)];
    boolean zero = true;
    for (int i = 0; i < 2 * halves; i++) {
      for (int j = 0; j < 64; j++) {
        byte b = in[at + 64 * i + j];
        zero &= b == 0;
        if (j < 16 && b != 0) {
          throw new InvalidInputException("not left padded with zero");
        }
      }
      int target = halves == 1 ? i : i ^ 1;
      System.arraycopy(in, at + 64 * i + 16, encoded, 48 * target, 48);
    }
    if (zero) {
      encoded[0] = 0x40;
    }
    long[] affine = new long[group.affineWords()];
    PointEncoding.decodeUncompressed(group, encoded, 0, affine, 0, check);
    return affine;
  }

  private static byte[] encode(Group group, long[] jacobian) {
    long[] affine = new long[group.affineWords()];
    group.toAffine(affine, 0, jacobian, 0);
    int halves = group.field().words() / 6;
    byte[] out = new byte[128 * halves];
    if (!group.isAffineInfinity(affine, 0)) {
      byte[] encoded = new byte[PointEncoding.uncompressedBytes(group)];
      PointEncoding.encodeUncompressed(group, encoded, 0, affine, 0);
      for (int i = 0; i < 2 * halves; i++) {
        System.arraycopy(encoded, 48 * (halves == 1 ? i : i ^ 1), out, 64 * i + 16, 48);
      }
    }
    return out;
  }

  private static void requireLength(byte[] in, boolean right) {
    if (!right) {
      throw new InvalidInputException("input of " + in.length + " bytes");
    }
  }

  private static byte[] add(Group group, byte[] in) {
    int size = 128 * group.field().words() / 6;
    requireLength(in, in.length == 2 * size);
    long[] sum = new long[group.jacobianWords()];
    group.addAffine(
        sum, 0, decode(group, in, 0, Check.CURVE), 0, decode(group, in, size, Check.CURVE), 0);
    return encode(group, sum);
  }

  private static byte[] multiexp(Group group, byte[] in) {
    int size = 128 * group.field().words() / 6;
    requireLength(in, in.length > 0 && in.length % (size + 32) == 0);
    long[] sum = new long[group.jacobianWords()];
    long[] term = new long[group.jacobianWords()];
    for (int at = 0; at < in.length; at += size + 32) {
      group.fromAffine(term, 0, decode(group, in, at, Check.SUBGROUP), 0);
      BigInteger k = new BigInteger(1, Arrays.copyOfRange(in, at + size, at + size + 32));
      group.mul(term, 0, term, 0, GroupTest.scalar(k), 0);
      group.add(sum, 0, sum, 0, term, 0);
    }
    return encode(group, sum);
  }

  private static byte[] mul(Group group, byte[] in) {
    requireLength(in, in.length == 128 * group.field().words() / 6 + 32);
    return multiexp(group, in);
  }

  private static byte[] pairing(byte[] in) {
    requireLength(in, in.length > 0 && in.length % 384 == 0);
    int pairs = in.length / 384;
    long[] p = new long[12 * pairs];
    List<PreparedG2> q = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      System.arraycopy(decode(Group.G1, in, 384 * i, Check.SUBGROUP), 0, p, 12 * i, 12);
      q.add(PreparedG2.of(decode(Group.G2, in, 384 * i + 128, Check.SUBGROUP), 0));
    }
    byte[] out = new byte[32];
    out[31] = (byte) (Pairing.productIsOne(p, q) ? 1 : 0);
    return out;
  }

  /** What our message must say for the reason that the vectors give. */
  private static List<String> reasons(String notes) {
    return switch (notes) {
      case "invalid input parameters" -> List.of("input of ");
      case "invalid point: point is not on curve" -> List.of("not on the curve");
      case "invalid point: subgroup check failed" -> List.of("not in the subgroup");
      case "invalid point: point is not left padded with zero" -> List.of("not left padded");
      case "invalid fp.Element encoding" -> List.of("not canonical", "flags");
      default -> throw new AssertionError("no expectation for '" + notes + "'");
    };
  }

  private static void check(List<Row> rows, Operation operation) {
    int refused = 0;
    for (Row row : rows) {
      if (row.result.isEmpty()) {
        Throwable thrown = catchThrowable(() -> operation.apply(row.input));
        assertThat(thrown).as(row.notes).isInstanceOf(InvalidInputException.class);
        assertThat(reasons(row.notes))
            .as("%s: %s", row.notes, thrown.getMessage())
            .anyMatch(reason -> thrown.getMessage().contains(reason));
        refused++;
      } else {
        assertThat(HexFormat.of().formatHex(operation.apply(row.input))).isEqualTo(row.result);
      }
    }
    assertThat(rows.size()).isGreaterThan(50);
    assertThat(refused).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"g1", "g2"})
  void additions(String name) throws IOException {
    Group group = name.equals("g1") ? Group.G1 : Group.G2;
    check(rows(name + "_add"), in -> add(group, in));
  }

  @ParameterizedTest
  @ValueSource(strings = {"g1", "g2"})
  void multiplications(String name) throws IOException {
    Group group = name.equals("g1") ? Group.G1 : Group.G2;
    check(rows(name + "_mul"), in -> mul(group, in));
  }

  @ParameterizedTest
  @ValueSource(strings = {"g1", "g2"})
  void sumsOfProducts(String name) throws IOException {
    Group group = name.equals("g1") ? Group.G1 : Group.G2;
    int term = 128 * group.field().words() / 6 + 32;
    List<Row> rows = rows(name + "_multiexp");
    rows.removeIf(row -> row.input.length > MAX_TERMS * term);
    check(rows, in -> multiexp(group, in));
  }

  @Test
  void pairings() throws IOException {
    check(rows("pairing"), Eip2537Test::pairing);
  }

  @Test
  void pairingsOfBadPoints() throws IOException {
    check(rows("invalid_subgroup_for_pairing"), Eip2537Test::pairing);
  }
}
