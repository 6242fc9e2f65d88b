package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.porep.RegisteredProof.Feature;
import io.cuzk.testing.Golden;
import java.util.HexFormat;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChallengesTest {
  private static Stream<JsonNode> golden(String list) {
    return StreamSupport.stream(Golden.json("unit-challenges.json").get(list).spliterator(), false);
  }

  static Stream<JsonNode> challenges() {
    return golden("challenges");
  }

  static Stream<JsonNode> ofLargeSectors() {
    return challenges().filter(c -> c.has("comm_r"));
  }

  static Stream<JsonNode> synthetic() {
    return challenges().filter(c -> c.has("synth_challenges_partitions_0_1"));
  }

  static Stream<JsonNode> replicaIds() {
    return golden("replica_ids");
  }

  private static void check(JsonNode golden, JsonNode lists, ApiVersion api, Feature feature) {
    SectorShape shape = SectorShape.of(golden.get("size").asText());
    RegisteredProof proof = RegisteredProof.of(shape, api, feature);
    byte[] commR = golden.has("comm_r") ? Golden.hex(golden.get("comm_r")) : new byte[32];
    for (int k = 0; k < lists.size(); k++) {
      long[] expected = new long[lists.get(k).size()];
      for (int i = 0; i < expected.length; i++) {
        expected[i] = lists.get(k).get(i).asLong();
      }
      assertThat(
              Challenges.of(
                  proof,
                  shape,
                  Golden.hex(golden.get("replica_id")),
                  commR,
                  Golden.hex(golden.get("seed")),
                  k))
          .as("partition %d of %s", k, proof)
          .isEqualTo(expected)
          .hasSize(shape.challengesPerPartition());
    }
  }

  @ParameterizedTest
  @MethodSource("challenges")
  void interactiveOnesAreTheReferences(JsonNode golden) {
    JsonNode lists = golden.get("challenges_by_partition");
    SectorShape shape = SectorShape.of(golden.get("size").asText());
    assertThat(lists.size()).isEqualTo(shape.partitions());
    check(golden, lists, ApiVersion.V1_1, Feature.NONE);
    check(golden, lists, ApiVersion.V1_0, Feature.NONE);
  }

  @ParameterizedTest
  @MethodSource("synthetic")
  void syntheticOnesAreTheReferences(JsonNode golden) {
    check(
        golden, golden.get("synth_challenges_partitions_0_1"), ApiVersion.V1_1, Feature.SYNTHETIC);
  }

  @ParameterizedTest
  @MethodSource("ofLargeSectors")
  void nonInteractiveOnesAreTheReferences(JsonNode golden) {
    check(
        golden,
        golden.get("ni_challenges_partitions_0_2"),
        ApiVersion.V1_2,
        Feature.NON_INTERACTIVE);
  }

  @Test
  void partitionsDependOnTheFeature() {
    RegisteredProof large =
        RegisteredProof.fromName("StackedDrg32GiBV1_2_Feat_NonInteractivePoRep");
    RegisteredProof small = RegisteredProof.fromName("StackedDrg2KiBV1_2_Feat_NonInteractivePoRep");
    assertThat(Challenges.partitions(large, large.shape())).isEqualTo(126);
    assertThat(Challenges.partitions(small, small.shape())).isEqualTo(13);
    byte[] zero = new byte[32];
    assertThatThrownBy(() -> Challenges.of(small, small.shape(), zero, zero, zero, 13))
        .hasMessage("partition 13 of 13");
    RegisteredProof interactive = RegisteredProof.fromName("StackedDrg2KiBV1_1");
    assertThatThrownBy(() -> Challenges.of(interactive, small.shape(), zero, zero, zero, 1))
        .hasMessage("partition 1 of 1");
  }

  @ParameterizedTest
  @MethodSource("replicaIds")
  void replicaIdsAreTheReferences(JsonNode golden) {
    assertThat(
            ReplicaId.of(
                Golden.hex(golden.get("prover_id")),
                golden.get("sector_id").asLong(),
                Golden.hex(golden.get("ticket")),
                Golden.hex(golden.get("comm_d")),
                Golden.hex(golden.get("porep_id"))))
        .isEqualTo(Golden.hex(golden.get("replica_id")));
  }

  @Test
  void proverIdsAreUnsignedLeb128() {
    assertThat(prover(0)).isEqualTo("00");
    assertThat(prover(127)).isEqualTo("7f");
    assertThat(prover(128)).isEqualTo("8001");
    assertThat(prover(1000)).isEqualTo("e807");
    assertThat(prover(-1)).isEqualTo("ffffffffffffffffff01");
  }

  private static String prover(long miner) {
    String hex = HexFormat.of().formatHex(ReplicaId.proverId(miner));
    assertThat(hex).hasSize(64);
    String trimmed = hex.replaceFirst("(00)+$", "");
    return trimmed.isEmpty() ? "00" : trimmed;
  }
}
