package io.cuzk.groth16;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.porep.SectorShape;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The names of parameter files carry a digest of the circuit's description. */
class ParameterNameTest {
  @SuppressWarnings("unused")
  private static final Iterable<SectorShape> shapes = SectorShape.ALL;

  @ParameterizedTest
  @FieldSource("shapes")
  void namesAreDigestsOfTheDescription(SectorShape shape) throws Exception {
    String description =
        "layered_drgporep::PublicParams{ graph: stacked_graph::StackedGraph{expansion_degree: 8"
            + " base_graph: drgraph::BucketGraph{size: "
            + shape.nodes()
            + "; degree: 6; hasher: poseidon_hasher} }, challenges: LayerChallenges { layers: "
            + shape.layers()
            + ", max_count: "
            + shape.challengesPerPartition()
            + " }, tree: merkletree-poseidon_hasher-"
            + shape.tree()
            + " }";
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(description.getBytes(StandardCharsets.UTF_8));
    String name =
        "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-"
            + shape.tree()
            + "-sha256_hasher-"
            + HexFormat.of().formatHex(digest);
    assertThat(PublishedDigests.fileStem(shape.sectorBytes()))
        .isEqualTo(shape.registered() ? Optional.of(name) : Optional.empty());
  }
}
