package io.cuzk.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.r1cs.GoldenRows;
import io.cuzk.testing.Golden;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoseidonConstantsTest {
  @Test
  void equalNeptunes() {
    JsonNode arities = Golden.json("unit-poseidon.json").get("arities");
    assertThat(arities.size()).isEqualTo(4);
    for (JsonNode golden : arities) {
      PoseidonConstants constants = PoseidonConstants.of(golden.get("arity").asInt());
      assertThat(constants.width()).isEqualTo(golden.get("width").asInt());
      assertThat(PoseidonConstants.FULL_ROUNDS).isEqualTo(golden.get("full_rounds").asInt());
      assertThat(constants.partialRounds()).isEqualTo(golden.get("partial_rounds").asInt());
      assertThat(hex(constants.tag())).containsExactly(golden.get("domain_tag").asText());
      assertThat(hex(constants.roundConstants())).isEqualTo(flat(golden.get("round_constants")));
      assertThat(hex(constants.compressedConstants()))
          .isEqualTo(flat(golden.get("compressed_round_constants")));
      assertThat(hex(constants.mds())).isEqualTo(flat(golden.get("mds")));
      assertThat(hex(constants.preSparse())).isEqualTo(flat(golden.get("pre_sparse_matrix")));
      // the sparse matrices are proved by the rows of the gadgets that use them
    }
  }

  @Test
  void refusesOtherArities() {
    assertThatThrownBy(() -> PoseidonConstants.of(3)).hasMessageContaining("arity 3");
  }

  private static List<String> hex(long[] words) {
    List<String> list = new ArrayList<>();
    for (int i = 0; i < words.length; i += 4) {
      list.add(GoldenRows.hex(words, i));
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
}
