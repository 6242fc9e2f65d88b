package io.cuzk.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.field.Fr;
import io.cuzk.testing.Golden;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Constants and hashes against neptune's. */
class PoseidonTest {
  static Stream<JsonNode> arities() {
    return Golden.json("unit-poseidon.json").get("arities").valueStream();
  }

  private static String hex(long[] elements, int index) {
    byte[] bytes = new byte[32];
    Fr.toBytes(bytes, 0, elements, index * Fr.WORDS);
    return HexFormat.of().formatHex(bytes);
  }

  private static List<String> hex(long[] elements) {
    List<String> list = new ArrayList<>();
    for (int i = 0; i < elements.length / Fr.WORDS; i++) {
      list.add(hex(elements, i));
    }
    return list;
  }

  private static List<String> flat(JsonNode node) {
    List<String> list = new ArrayList<>();
    for (JsonNode element : node) {
      if (element.isArray()) {
        list.addAll(flat(element));
      } else {
        list.add(element.asText());
      }
    }
    return list;
  }

  @ParameterizedTest
  @MethodSource("arities")
  void constants(JsonNode golden) {
    PoseidonConstants constants = PoseidonConstants.of(golden.get("arity").asInt());
    assertThat(constants.width()).isEqualTo(golden.get("width").asInt());
    assertThat(constants.partialRounds()).isEqualTo(golden.get("partial_rounds").asInt());
    assertThat(PoseidonConstants.FULL_ROUNDS).isEqualTo(golden.get("full_rounds").asInt());
    assertThat(hex(constants.tag(), 0)).isEqualTo(golden.get("domain_tag").asText());
    assertThat(hex(constants.roundConstants())).isEqualTo(flat(golden.get("round_constants")));
    assertThat(hex(constants.mds())).isEqualTo(flat(golden.get("mds")));
    assertThat(hex(constants.compressedConstants()))
        .isEqualTo(flat(golden.get("compressed_round_constants")));
    assertThat(hex(constants.preSparse())).isEqualTo(flat(golden.get("pre_sparse_matrix")));
  }

  @ParameterizedTest
  @MethodSource("arities")
  void hashes(JsonNode golden) {
    Poseidon poseidon = Poseidon.ofArity(golden.get("arity").asInt());
    for (JsonNode test : golden.get("cases")) {
      byte[] in = Golden.hex(String.join("", flat(test.get("in"))));
      byte[] out = new byte[32];
      poseidon.hash(out, 0, in, 0);
      assertThat(out).isEqualTo(Golden.hex(test.get("out")));
      long[] words = new long[poseidon.arity() * Fr.WORDS];
      for (int i = 0; i < poseidon.arity(); i++) {
        Fr.fromBytes(words, i * Fr.WORDS, in, i * Fr.BYTES);
      }
      poseidon.hash(words, 0, words, 0);
      assertThat(hex(words, 0)).isEqualTo(test.get("out").asText());
    }
  }

  @Test
  void refusals() {
    assertThatThrownBy(() -> Poseidon.ofArity(3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("arity 3");
    byte[] nodes = new byte[64];
    Arrays.fill(nodes, 32, 64, (byte) 0xff);
    assertThatThrownBy(() -> Poseidon.ofArity(2).hash(nodes, 0, nodes, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("input 1 is not below r");
  }
}
