package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InvalidInputException;
import io.cuzk.testing.Golden;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Fr32Test {
  @Test
  void paddingIsTheReferences() {
    JsonNode cases = Golden.json("unit-hash-trees.json").get("fr32");
    assertThat(cases.size()).isPositive();
    for (JsonNode c : cases) {
      byte[] expected = Golden.hex(c.get("padded"));
      int sector = Math.ceilDiv(expected.length, 128) * 128;
      byte[] found = Fr32.pad(Golden.hex(c.get("unpadded")), sector);
      assertThat(HexFormat.of().formatHex(found, 0, expected.length))
          .isEqualTo(c.get("padded").asText());
    }
  }

  @Test
  void everyNodeHoldsTheNext254Bits() {
    byte[] data = new byte[254];
    new Random(3).nextBytes(data);
    BigInteger bits = number(data, 0, data.length);
    byte[] padded = Fr32.pad(data, 256);
    BigInteger mask = BigInteger.ONE.shiftLeft(254).subtract(BigInteger.ONE);
    for (int node = 0; node < 8; node++) {
      assertThat(number(padded, 32 * node, 32)).isEqualTo(bits.shiftRight(254 * node).and(mask));
    }
  }

  @Test
  void anyLengthIsFilledUpWithZeros() {
    byte[] data = new byte[127];
    new Random(4).nextBytes(data);
    for (int length = 0; length <= data.length; length++) {
      byte[] part = java.util.Arrays.copyOf(data, length);
      byte[] whole = java.util.Arrays.copyOf(part, data.length);
      assertThat(Fr32.pad(part, 128)).isEqualTo(Fr32.pad(whole, 128));
    }
    assertThatThrownBy(() -> Fr32.pad(new byte[128], 128))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("127");
  }

  private static BigInteger number(byte[] bytes, int at, int length) {
    byte[] reversed = new byte[length];
    for (int i = 0; i < length; i++) {
      reversed[length - 1 - i] = bytes[at + i];
    }
    return new BigInteger(1, reversed);
  }
}
