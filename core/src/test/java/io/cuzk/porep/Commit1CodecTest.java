package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.testing.Golden;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What other programs wrote is read and written back byte for byte. */
class Commit1CodecTest {
  /** The 16 KiB sector whose C1 bears the names of 32 GiB. */
  static final SectorShape MINI = SectorShape.of("16KiB");

  static Commit1File read(byte[] bytes) {
    return Commit1Codec.read(new ByteArrayInputStream(bytes), "test.json", Optional.empty());
  }

  static Commit1File mini() {
    return Commit1Codec.read(
        new ByteArrayInputStream(Golden.bytes("c1-mini16KiB-2layers.json")),
        "mini.json",
        Optional.of(MINI));
  }

  @Test
  void bareRoundTrip() throws IOException {
    byte[] bytes = Golden.bytes("c1-2KiB.json");
    Commit1File file = read(bytes);
    assertThat(file.form()).isEqualTo(Commit1File.Form.BARE);
    assertThat(file.sectorNumber()).isEmpty();
    assertThat(file.bytes()).isEqualTo(bytes.length);
    assertThat(file.output().proof().name()).isEqualTo("StackedDrg2KiBV1_1");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Commit1Codec.writeJson(file.output(), out);
    assertThat(out.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void wrappedRoundTrip() throws IOException {
    byte[] bytes = Golden.bytes("c1-2KiB-wrapped.json");
    Commit1File file = read(bytes);
    assertThat(file.form()).isEqualTo(Commit1File.Form.WRAPPED);
    assertThat(file.sectorNumber()).isEqualTo(OptionalLong.of(42));
    assertThat(file.output()).isEqualTo(read(Golden.bytes("c1-2KiB.json")).output());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Commit1Codec.writeWrapped(file.output(), 42, out);
    assertThat(out.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void digestIsTheFiles() {
    assertThat(read(Golden.bytes("c1-2KiB.json")).sha256())
        .isEqualTo("ac03fd5ac08ee11b9909504c6a6feed67acdbb72e45848f39997315dc94fef64");
    assertThat(read(Golden.bytes("c1-2KiB-wrapped.json")).sha256())
        .isEqualTo("11256d376b2cd3e10d48034b51cb74cbecd23b05a92b19c4e471c98cb06171be");
  }

  @Test
  void keysInAnyOrderAndCompoundTrees() throws IOException {
    Commit1File file = mini(); // every object's keys are sorted by name, vanilla_proofs last
    assertThat(file.output().shape()).isEqualTo(MINI);
    assertThat(file.output().proof().name()).isEqualTo("StackedDrg32GiBV1_1");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Commit1Codec.writeJson(file.output(), out);
    ObjectMapper json = new ObjectMapper();
    JsonNode written = json.readTree(out.toByteArray());
    assertThat(written).isEqualTo(Golden.json("c1-mini16KiB-2layers.json"));
    // and serde_json's own order, vanilla_proofs second, reads the same
    assertThat(
            Commit1Codec.read(
                    new ByteArrayInputStream(out.toByteArray()), "again", Optional.of(MINI))
                .output())
        .isEqualTo(file.output());
  }

  @Test
  void bincodeOfCompoundTreesRoundTrip() throws IOException {
    Commit1Output output = mini().output();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] prover = new byte[32];
    prover[0] = 7;
    Commit1Codec.writeBincode(output, prover, 99, out);
    Commit1File back =
        Commit1Codec.read(
            new ByteArrayInputStream(out.toByteArray()), "mini.bin", Optional.of(MINI));
    assertThat(back.output()).isEqualTo(output);
    assertThat(back.proverId()).hasValue(prover);
    assertThat(back.sectorNumber()).hasValue(99);
  }

  @Test
  void realBincode() throws IOException {
    Path path = Golden.realdata("gevulot-fil/c2-input-8MiB.bincode");
    Commit1File file = Commit1Codec.read(path);
    assertThat(file.form()).isEqualTo(Commit1File.Form.BINCODE);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Commit1Codec.writeBincode(
        file.output(), file.proverId().orElseThrow(), file.sectorNumber().orElseThrow(), out);
    assertThat(out.toByteArray()).isEqualTo(Files.readAllBytes(path));

    JsonNode decoded =
        new ObjectMapper().readTree(Golden.realdata("gevulot-fil/c1-8MiB-decoded.json").toFile());
    Commit1Output c1 = file.output();
    assertThat(c1.proof().name()).isEqualTo(decoded.get("registered_proof_name").asText());
    assertThat(file.proverId().orElseThrow()).isEqualTo(Golden.hex(decoded.get("prover_id")));
    assertThat(file.sectorNumber()).hasValue(decoded.get("sector_id").asLong());
    assertThat(c1.commR()).isEqualTo(Golden.hex(decoded.get("comm_r")));
    assertThat(c1.commD()).isEqualTo(Golden.hex(decoded.get("comm_d")));
    assertThat(c1.commC()).isEqualTo(Golden.hex(decoded.get("comm_c")));
    assertThat(c1.commRLast()).isEqualTo(Golden.hex(decoded.get("comm_r_last")));
    assertThat(c1.replicaId()).isEqualTo(Golden.hex(decoded.get("replica_id")));
    assertThat(c1.seed()).isEqualTo(Golden.hex(decoded.get("seed")));
    assertThat(c1.ticket()).isEqualTo(Golden.hex(decoded.get("ticket")));
    List<List<ChallengeProof>> proofs = new ArrayList<>();
    for (JsonNode partition : decoded.get("vanilla_proofs")) {
      List<ChallengeProof> challenges = new ArrayList<>();
      partition.forEach(challenge -> challenges.add(challenge(challenge)));
      proofs.add(challenges);
    }
    assertThat(c1.partitions()).isEqualTo(proofs);
  }

  private static ChallengeProof challenge(JsonNode node) {
    JsonNode columns = node.get("replica_column_proofs");
    List<LabelingProof> labels = new ArrayList<>();
    for (JsonNode label : node.get("labeling_proofs")) {
      labels.add(
          new LabelingProof(
              label.get("node").asLong(),
              label.get("layer_index").asInt(),
              nodes(label.get("parents"))));
    }
    JsonNode encoding = node.get("encoding_proof");
    return new ChallengeProof(
        inclusion(node.get("comm_d_proofs")),
        inclusion(node.get("comm_r_last_proof")),
        column(columns.get("c_x")),
        columns(columns.get("drg_parents")),
        columns(columns.get("exp_parents")),
        labels,
        new EncodingProof(
            encoding.get("node").asLong(),
            encoding.get("layer_index").asInt(),
            nodes(encoding.get("parents"))));
  }

  private static List<ColumnProof> columns(JsonNode list) {
    List<ColumnProof> columns = new ArrayList<>();
    list.forEach(node -> columns.add(column(node)));
    return columns;
  }

  private static ColumnProof column(JsonNode node) {
    JsonNode column = node.get("column");
    return new ColumnProof(
        new Column(column.get("index").asInt(), nodes(column.get("rows"))),
        inclusion(node.get("inclusion_proof")));
  }

  private static InclusionProof inclusion(JsonNode node) {
    List<PathElement> path = new ArrayList<>();
    for (JsonNode element : node.get("path")) {
      path.add(new PathElement(nodes(element.get("hashes")), element.get("index").asInt()));
    }
    return new InclusionProof(
        InclusionProof.Form.SINGLE,
        Golden.hex(node.get("root")),
        Golden.hex(node.get("leaf")),
        path);
  }

  private static byte[] nodes(JsonNode list) {
    StringBuilder hex = new StringBuilder();
    list.forEach(node -> hex.append(node.asText()));
    return Golden.hex(hex.toString());
  }
}
