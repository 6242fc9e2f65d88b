package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.testing.Golden;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StackedGraphTest {
  static Stream<JsonNode> graphs() {
    return StreamSupport.stream(Golden.json("unit-graph.json").get("graphs").spliterator(), false);
  }

  private static StackedGraph graph(JsonNode golden) {
    ApiVersion api =
        golden.get("name").asText().endsWith("-v1") ? ApiVersion.V1_0 : ApiVersion.V1_1;
    return StackedGraph.of(golden.get("nodes").asLong(), Golden.hex(golden.get("porep_id")), api);
  }

  @ParameterizedTest
  @MethodSource("graphs")
  void parentsAreTheReferences(JsonNode golden) {
    StackedGraph graph = graph(golden);
    int[] parents = new int[StackedGraph.DEGREE + 1];
    assertThat(golden.get("parents").size()).isGreaterThan(60);
    for (JsonNode entry : golden.get("parents")) {
      graph.parents(entry.get(0).asLong(), parents, 1);
      for (int i = 0; i < StackedGraph.DEGREE; i++) {
        assertThat(parents[1 + i])
            .as("%s, node %s, parent %d", golden.get("name"), entry.get(0), i)
            .isEqualTo(entry.get(1).get(i).asInt());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("graphs")
  void seedsAreTheReferences(JsonNode golden) {
    StackedGraph graph = graph(golden);
    assertThat(graph.drgSeed()).isEqualTo(Golden.hex(golden.get("drg_seed28")));
    long[] keys = graph.feistelKeys();
    for (int i = 0; i < keys.length; i++) {
      assertThat(keys[i])
          .isEqualTo(HexFormat.fromHexDigitsToLong(golden.get("feistel_keys").get(i).asText()));
    }
  }

  @Test
  void versionTwoOrdersAsVersionOne() {
    byte[] id = ByteBuffer.allocate(32).put(0, (byte) 8).array();
    StackedGraph one = StackedGraph.of(1L << 30, id, ApiVersion.V1_1);
    StackedGraph two = StackedGraph.of(1L << 30, id, ApiVersion.V1_2);
    int[] x = new int[StackedGraph.DEGREE];
    int[] y = new int[StackedGraph.DEGREE];
    for (long node = (1L << 30) - 20; node < 1L << 30; node++) {
      one.parents(node, x, 0);
      two.parents(node, y, 0);
      assertThat(y).isEqualTo(x);
    }
  }

  @Test
  void everyNodeIsAnExpanderParentEightTimes() {
    int nodes = 1 << 10;
    StackedGraph.Walker graph = StackedGraph.of(nodes, new byte[32], ApiVersion.V1_1).walker();
    int[] children = new int[nodes];
    int[] parents = new int[StackedGraph.DEGREE];
    BitSet earlier = new BitSet();
    for (int node = 0; node < nodes; node++) {
      graph.parents(node, parents, 0);
      for (int i = StackedGraph.DRG; i < StackedGraph.DEGREE; i++) {
        children[parents[i]]++;
      }
      for (int i = 0; i < StackedGraph.DRG && node > 0; i++) {
        assertThat(parents[i]).isBetween(0, node - 1);
        earlier.set(parents[i]);
      }
    }
    assertThat(children).containsOnly(StackedGraph.EXPANDER);
    assertThat(earlier.cardinality()).isEqualTo(nodes - 1);
  }

  @Test
  void refusesNodesOutsideAndWrongSizes() {
    StackedGraph graph = StackedGraph.of(64, new byte[32], ApiVersion.V1_1);
    int[] out = new int[StackedGraph.DEGREE];
    assertThatThrownBy(() -> graph.parents(64, out, 0)).hasMessageContaining("node 64 of 64");
    assertThatThrownBy(() -> graph.parents(-1, out, 0)).hasMessageContaining("node -1");
    assertThatThrownBy(() -> StackedGraph.of(1L << 32, new byte[32], ApiVersion.V1_1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> StackedGraph.of(64, new byte[31], ApiVersion.V1_1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
