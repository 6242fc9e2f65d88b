package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.InvalidInputException;
import io.cuzk.field.Fr;
import io.cuzk.testing.Golden;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublicInputsTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The inputs in 32 little-endian bytes each. */
  private static List<String> littleEndian(long[] inputs) {
    List<String> out = new ArrayList<>();
    byte[] bytes = new byte[Fr.BYTES];
    for (int i = 0; i < inputs.length; i += Fr.WORDS) {
      Fr.toBytes(bytes, 0, inputs, i);
      out.add(HEX.formatHex(bytes));
    }
    return out;
  }

  private static List<BigInteger> numbers(long[] inputs) {
    List<BigInteger> out = new ArrayList<>();
    for (int i = 0; i < inputs.length; i += Fr.WORDS) {
      out.add(Fr.toBigInteger(inputs, i));
    }
    return out;
  }

  /** Numbers written {@code 0x…}. */
  private static List<BigInteger> bigEndian(List<String> texts) {
    return texts.stream().map(text -> new BigInteger(text.substring(2), 16)).toList();
  }

  private static List<String> texts(JsonNode list) {
    List<String> out = new ArrayList<>();
    list.forEach(node -> out.add(node.asText()));
    return out;
  }

  private static PartitionInput golden2KiB() throws IOException {
    return PartitionInput.of(
        Commit1Codec.read(
                Golden.class.getResourceAsStream("/golden/c1-2KiB.json"),
                "c1-2KiB.json",
                java.util.Optional.empty())
            .output(),
        0);
  }

  @Test
  void ofTheGoldenSectorAreTheReferences() throws IOException {
    List<String> expected = texts(Golden.json("seal-2KiB.json").get("public_inputs"));
    assertThat(littleEndian(PublicInputs.of(golden2KiB()))).hasSize(39).isEqualTo(expected);
  }

  @Test
  void refusesCommitmentsThatAreNoFieldElements() throws IOException {
    PartitionInput input = golden2KiB();
    byte[] large = new byte[32];
    Arrays.fill(large, (byte) 0xff);
    assertThatThrownBy(
            () ->
                PublicInputs.of(
                    input.proof(),
                    input.shape(),
                    input.replicaId(),
                    large,
                    input.commR(),
                    input.seed(),
                    0))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("comm_d");
  }

  /** The inputs of ten real partitions follow from the challenges; the seed was not published. */
  @Test
  void ofRealPartitionsFollowFromTheirChallenges() throws IOException {
    JsonNode json = JSON.readTree(Golden.realdata("fil-blst/seal32_x10.json").toFile());
    ByteBuffer prf =
        ByteBuffer.wrap(Files.readAllBytes(Golden.realdata("fil-blst/seal32_x10.prf")));
    int inputs = (int) prf.getLong(8);
    int proofAt = 16 + (int) Files.size(Golden.realdata("fil-blst/seal32_x10.vk"));
    SectorShape shape = SectorShape.of("32GiB");
    RegisteredProof proof = RegisteredProof.fromName("StackedDrg32GiBV1");
    assertThat(proof.porepId()[0]).isEqualTo((byte) json.get("porep_id_byte0").asInt());
    assertThat(PublicInputs.count(shape)).isEqualTo(inputs);
    assertThat(json.get("partitions").size()).isEqualTo(10);
    for (int k = 0; k < 10; k++) {
      JsonNode partition = json.get("partitions").get(k);
      long[] challenges = new long[partition.get("challenges").size()];
      Arrays.setAll(challenges, i -> partition.get("challenges").get(i).asLong());
      long[] found =
          PublicInputs.of(
              StackedGraph.of(shape.nodes(), proof.porepId(), proof.api()),
              Golden.hex(json.get("replica_id")),
              Golden.hex(json.get("comm_d")),
              Golden.hex(json.get("comm_r")),
              challenges);
      byte[] bytes = new byte[inputs * Fr.BYTES];
      for (int i = 0; i < inputs; i++) {
        Fr.toBytesBigEndian(bytes, i * Fr.BYTES, found, i * Fr.WORDS);
      }
      int at = proofAt + k * (192 + bytes.length) + 192;
      assertThat(HEX.formatHex(bytes))
          .as("partition %d", k)
          .isEqualTo(HEX.formatHex(prf.array(), at, at + bytes.length));
    }
  }

  /** Keys and proofs of another maker, with PoRep id zero and the order of V1_2. */
  @Test
  void ofRealProofsWithAForeignPorepIdAreTheirs() throws IOException {
    JsonNode sets =
        JSON.readTree(Golden.realdata("polka-storage/porep-2kib-groth16.json").toFile());
    int proofs = 0;
    for (JsonNode set : sets) {
      byte[] porepId = Golden.hex(set.get("porep").get("porep_id"));
      byte[] replicaId =
          ReplicaId.of(
              Golden.hex(set.get("prover_id")),
              set.get("sector").asLong(),
              Golden.hex(set.get("ticket")),
              Golden.hex(set.get("comm_d")),
              porepId);
      assertThat(HEX.formatHex(replicaId)).isEqualTo(set.get("replica_id").asText());
      SectorShape shape = SectorShape.of("2KiB");
      StackedGraph graph = StackedGraph.of(shape.nodes(), porepId, ApiVersion.V1_2);
      for (JsonNode proof : set.get("proofs")) {
        long[] challenges =
            Challenges.of(
                RegisteredProof.fromName("StackedDrg2KiBV1_1"),
                shape,
                replicaId,
                new byte[32],
                Golden.hex(proof.get("seed")),
                0);
        List<String> expected = texts(proof.get("public_inputs"));
        List<String> named = texts(proof.get("challenges"));
        for (int i = 0; i < challenges.length; i++) {
          assertThat(Long.toString(challenges[i])).isEqualTo(named.get(i));
        }
        long[] found =
            PublicInputs.of(
                graph,
                replicaId,
                Golden.hex(set.get("comm_d")),
                Golden.hex(set.get("comm_r")),
                challenges);
        assertThat(numbers(found)).isEqualTo(bigEndian(expected));
        proofs++;
      }
    }
    assertThat(proofs).isEqualTo(11);
  }

  @Test
  void ofARealC1AreItsOwn() throws IOException {
    JsonNode json = JSON.readTree(Golden.realdata("gevulot-fil/c1-8MiB-decoded.json").toFile());
    RegisteredProof proof = RegisteredProof.fromName(json.get("registered_proof_name").asText());
    assertThat(proof.porepId()).isEqualTo(Golden.hex(json.get("porep_id")));
    byte[] replicaId =
        ReplicaId.of(
            Golden.hex(json.get("prover_id")),
            json.get("sector_id").asLong(),
            Golden.hex(json.get("ticket")),
            Golden.hex(json.get("comm_d")),
            proof.porepId());
    assertThat(HEX.formatHex(replicaId)).isEqualTo(json.get("replica_id").asText());
    long[] found =
        PublicInputs.of(
            proof,
            proof.shape(),
            replicaId,
            Golden.hex(json.get("comm_d")),
            Golden.hex(json.get("comm_r")),
            Golden.hex(json.get("seed")),
            0);
    assertThat(numbers(found)).hasSize(39).isEqualTo(bigEndian(texts(json.get("public_inputs"))));
    assertThat(numbers(found).get(3)).isEqualTo(BigInteger.valueOf(151786));
  }
}
