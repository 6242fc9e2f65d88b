package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.InvalidInputException;
import io.cuzk.hash.MerkleTree;
import io.cuzk.hash.NodeHash;
import io.cuzk.parallel.Workers;
import io.cuzk.testing.Golden;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SealerTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Workers WORKERS = Workers.of(2);

  @AfterAll
  static void closeWorkers() {
    WORKERS.close();
  }

  private static SealedSector seal(SealRequest request) {
    return new Sealer(WORKERS, SealProgress.NONE).seal(request);
  }

  private static SealedSector goldenSector(JsonNode golden) {
    return seal(
        SealRequest.of(
            SectorShape.of("2KiB"),
            1000,
            golden.get("sector_id").asLong(),
            Golden.hex(golden.get("ticket")),
            Golden.hex(golden.get("unpadded_data"))));
  }

  /** The nodes of all levels, as a store file holds them. */
  private static byte[] store(MerkleTree tree) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int level = 0; level <= tree.height(); level++) {
      out.writeBytes(tree.level(level));
    }
    return out.toByteArray();
  }

  private static byte[] concat(byte[] x, byte[] y) {
    byte[] both = Arrays.copyOf(x, x.length + y.length);
    System.arraycopy(y, 0, both, x.length, y.length);
    return both;
  }

  @Test
  void theGoldenSectorsFilesAreTheReferences() {
    JsonNode golden = Golden.json("seal-2KiB.json");
    SealedSector sector = goldenSector(golden);
    JsonNode files = golden.get("cache_files");
    assertFile(files, "sc-02-data-layer-1.dat", sector.labels(1));
    assertFile(files, "sc-02-data-layer-2.dat", sector.labels(2));
    assertFile(files, "sc-02-data-tree-d.dat", store(sector.treeD()));
    assertFile(files, "sc-02-data-tree-c.dat", store(sector.treeC()));
    assertFile(files, "sc-02-data-tree-r-last.dat", sector.treeR().root());
    assertFile(files, "p_aux", concat(sector.commC(), sector.commRLast()));
    assertHex(golden, "sealed_sector", sector.replica());
    assertHex(golden, "unsealed_sector", sector.treeD().level(0));
    assertHex(golden, "replica_id", sector.replicaId());
    assertHex(golden, "comm_d", sector.commD());
    assertHex(golden, "piece_commitment", sector.commD());
    assertHex(golden, "comm_c", sector.commC());
    assertHex(golden, "comm_r_last", sector.commRLast());
    assertHex(golden, "comm_r", sector.commR());
  }

  private static void assertFile(JsonNode files, String name, byte[] found) {
    assertThat(HEX.formatHex(found)).as(name).isEqualTo(files.get(name).get("hex").asText());
  }

  private static void assertHex(JsonNode golden, String name, byte[] found) {
    assertThat(HEX.formatHex(found)).as(name).isEqualTo(golden.get(name).asText());
  }

  @Test
  void theGoldenSectorsC1IsTheReferencesByteForByte() throws IOException {
    JsonNode golden = Golden.json("seal-2KiB.json");
    Commit1Output c1 = goldenSector(golden).commit1(Golden.hex(golden.get("seed")));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Commit1Codec.writeJson(c1, out);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo(new String(Golden.bytes("c1-2KiB.json"), StandardCharsets.UTF_8));
    for (int i = 0; i < 2; i++) {
      ChallengeProof proof = c1.partitions().getFirst().get(i);
      assertThat(proof.challenge()).isEqualTo(golden.get("challenges").get(i).asLong());
      List<Integer> parents = new ArrayList<>();
      proof.drgParents().forEach(p -> parents.add(p.column().index()));
      proof.expParents().forEach(p -> parents.add(p.column().index()));
      List<Integer> expected = new ArrayList<>();
      golden.get("challenge_parents_drg6_exp8").get(i).forEach(n -> expected.add(n.asInt()));
      assertThat(parents).isEqualTo(expected);
    }
  }

  /** The data of this sector was not kept, so labels and columns start from its replica id. */
  @Test
  void compoundTreesAreTheReferences() throws Exception {
    JsonNode golden = Golden.json("mini16KiB-2layers.json");
    SectorShape shape = SectorShape.of("16KiB");
    StackedGraph graph =
        StackedGraph.of(shape.nodes(), Golden.hex(golden.get("porep_id")), ApiVersion.V1_1);
    byte[][] labels =
        Labels.generate(
            graph, Golden.hex(golden.get("replica_id")), shape, WORKERS, SealProgress.NONE);
    JsonNode files = golden.get("cache_files");
    assertDigest(files, "sc-02-data-layer-1.dat", labels[0]);
    assertDigest(files, "sc-02-data-layer-2.dat", labels[1]);
    MerkleTree whole =
        MerkleTree.build(
            Sealer.columnHashes(labels, WORKERS, n -> {}),
            Sealer.arities(shape),
            NodeHash::poseidon,
            WORKERS,
            n -> {});
    assertThat(whole.root()).isEqualTo(Golden.hex(golden.get("comm_c")));
    int children = shape.subArity();
    for (int tree = 0; tree < children; tree++) {
      ByteArrayOutputStream base = new ByteArrayOutputStream();
      for (int level = 0; level <= shape.baseLevels(); level++) {
        byte[] nodes = whole.level(level);
        int part = nodes.length / children;
        base.write(nodes, tree * part, part);
      }
      assertDigest(files, "sc-02-data-tree-c-" + tree + ".dat", base.toByteArray());
    }
    Commit1Output c1 =
        Commit1Codec.read(
                Golden.class.getResourceAsStream("/golden/c1-mini16KiB-2layers.json"),
                "c1-mini16KiB-2layers.json",
                Optional.of(shape))
            .output();
    for (ChallengeProof proof : c1.partitions().getFirst()) {
      assertThat(SealedSector.path(whole, InclusionProof.Form.SUB, (int) proof.challenge()))
          .isEqualTo(proof.cX().inclusion());
    }
  }

  private static void assertDigest(JsonNode files, String name, byte[] found) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(found);
    assertThat(HEX.formatHex(digest)).as(name).isEqualTo(files.get(name).get("sha256").asText());
  }

  /** A sector of another maker: PoRep id zero, parents in the order of V1_2. */
  @Test
  void aRealSectorIsSealedAsItsMakerDid() throws IOException {
    byte[] data = Files.readAllBytes(Golden.realdata("polka-storage/test-data-big.car"));
    JsonNode maat =
        JSON.readTree(Golden.realdata("polka-storage/derived-maat-7b666dd9.json").toFile());
    JsonNode ids = null;
    for (JsonNode set :
        JSON.readTree(Golden.realdata("polka-storage/porep-2kib-groth16.json").toFile())) {
      if (set.get("comm_r").equals(maat.get("comm_r"))) {
        ids = set;
      }
    }
    assertThat(ids).isNotNull();
    SectorShape shape = SectorShape.of("2KiB");
    RegisteredProof proof =
        new RegisteredProof(0, "polka", shape, ApiVersion.V1_2, RegisteredProof.Feature.NONE);
    SealedSector sector =
        new Sealer(WORKERS, SealProgress.NONE)
            .seal(
                new SealRequest(
                    proof,
                    shape,
                    0,
                    ids.get("sector").asLong(),
                    Golden.hex(ids.get("ticket")),
                    data),
                Golden.hex(ids.get("prover_id")));
    assertHex(ids, "replica_id", sector.replicaId());
    assertHex(maat, "comm_d", sector.commD());
    for (int layer = 1; layer <= 2; layer++) {
      for (int node = 0; node < shape.nodes(); node++) {
        assertThat(Nodes.hex(sector.labels(layer), node * Nodes.BYTES))
            .as("layer %d, node %d", layer, node)
            .isEqualTo(maat.get("labels").get(layer - 1).get(node).asText());
      }
    }
    assertHex(maat, "comm_c", sector.commC());
    assertHex(maat, "comm_r_last", sector.commRLast());
    assertHex(maat, "comm_r", sector.commR());
    assertThat(sector.replica())
        .isEqualTo(
            Files.readAllBytes(Golden.realdata("polka-storage/derived-maat-7b666dd9-replica.bin")));
  }

  @Test
  void everyCompoundShapeProvesItsChallenges() {
    byte[] ticket = new byte[32];
    byte[] seed = new byte[32];
    for (String size : List.of("4KiB", "16KiB", "32KiB")) {
      SectorShape shape = SectorShape.of(size);
      RegisteredProof proof = RegisteredProof.fromName("StackedDrg2KiBV1_1");
      byte[] data = new byte[(int) Fr32.capacity(shape.sectorBytes())];
      new Random(5).nextBytes(data);
      SealedSector sector = seal(new SealRequest(proof, shape, 7, 8, ticket, data));
      for (ChallengeProof challenge : sector.commit1(seed).partitions().getFirst()) {
        List<InclusionProof> columns = new ArrayList<>(List.of(challenge.cX().inclusion()));
        challenge.drgParents().forEach(parent -> columns.add(parent.inclusion()));
        challenge.expParents().forEach(parent -> columns.add(parent.inclusion()));
        for (InclusionProof column : columns) {
          assertThat(rootOf(column, NodeHash.poseidon())).isEqualTo(sector.commC());
        }
        assertThat(rootOf(challenge.commRLast(), NodeHash.poseidon()))
            .isEqualTo(sector.commRLast());
        assertThat(challenge.commRLast().path()).hasSize(shape.poseidonLevels());
        assertThat(challenge.commRLast().leafIndex()).isEqualTo(challenge.challenge());
        assertThat(rootOf(challenge.commD(), NodeHash.sha256())).isEqualTo(sector.commD());
      }
      assertHolds(sector.commit1(seed), 7, 8);
    }
  }

  private static void assertHolds(Commit1Output c1, long miner, long sector) {
    VanillaCheck.Result result =
        VanillaCheck.inspect(c1, OptionalLong.of(miner), OptionalLong.of(sector));
    assertThat(result.message()).isEqualTo("good");
    assertThat(result.unchecked()).isEmpty();
  }

  @Test
  void sectorsOfEveryVersionHold() {
    for (RegisteredProof proof : RegisteredProof.ALL) {
      if (proof.shape().name().equals("2KiB")
          && proof.feature() != RegisteredProof.Feature.NON_INTERACTIVE) {
        SealRequest request =
            new SealRequest(
                proof, proof.shape(), Long.MAX_VALUE, 1L << 40, new byte[32], new byte[2032]);
        assertHolds(seal(request).commit1(new byte[32]), Long.MAX_VALUE, 1L << 40);
      }
    }
  }

  /** Climbs a path from its leaf. */
  private static byte[] rootOf(InclusionProof proof, NodeHash hash) {
    byte[] node = proof.leaf();
    for (PathElement element : proof.path()) {
      int own = element.index() * Nodes.BYTES;
      byte[] all = new byte[element.arity() * Nodes.BYTES];
      System.arraycopy(element.hashes(), 0, all, 0, own);
      System.arraycopy(node, 0, all, own, Nodes.BYTES);
      System.arraycopy(
          element.hashes(), own, all, own + Nodes.BYTES, element.hashes().length - own);
      node = new byte[Nodes.BYTES];
      hash.join(node, 0, all, 0, element.arity());
    }
    return node;
  }

  @Test
  void threadsChangeNothing() {
    JsonNode golden = Golden.json("seal-2KiB.json");
    try (Workers one = Workers.of(1);
        Workers three = Workers.of(3)) {
      SectorShape shape = SectorShape.of("32KiB");
      SealRequest request =
          new SealRequest(
              RegisteredProof.fromName("StackedDrg2KiBV1_1"),
              shape,
              1,
              1,
              Golden.hex(golden.get("ticket")),
              new byte[] {1, 2, 3});
      assertThat(new Sealer(one, SealProgress.NONE).seal(request).commR())
          .isEqualTo(new Sealer(three, SealProgress.NONE).seal(request).commR());
    }
  }

  @Test
  void progressReachesTheEndOfEveryStage() {
    List<String> ended = Collections.synchronizedList(new ArrayList<>());
    byte[] data = {1};
    new Sealer(
            WORKERS,
            (stage, done, total) -> {
              assertThat(done).isBetween(0L, total);
              if (done == total) {
                ended.add(stage);
              }
            })
        .seal(SealRequest.of(SectorShape.of("2KiB"), 1, 1, new byte[32], data));
    assertThat(ended)
        .containsExactly(
            "tree D", "labels of layer 1 of 2", "labels of layer 2 of 2", "tree C", "tree R");
  }

  @Test
  void refusesWhatCannotBeSealedAndSaysWhy() {
    byte[] ticket = new byte[32];
    byte[] none = {};
    for (String circuitOnly : List.of("4KiB", "16KiB", "32KiB", "16MiB", "1GiB")) {
      assertThatThrownBy(() -> SealRequest.of(SectorShape.of(circuitOnly), 1, 1, ticket, none))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining(circuitOnly)
          .hasMessageContaining("circuit only");
    }
    for (String large : List.of("32GiB", "64GiB")) {
      assertThatThrownBy(() -> SealRequest.of(SectorShape.of(large), 1, 1, ticket, none))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining(large)
          .hasMessageContaining("memory")
          .hasMessageMatching("(?s).*\\d+ GiB.*");
      assertThatThrownBy(() -> SealRequest.requireSealable(SectorShape.of(large)))
          .hasMessageContaining(large);
    }
    assertThatThrownBy(() -> SealRequest.of(SectorShape.of("2KiB"), 1, 1, ticket, new byte[2033]))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("2033")
        .hasMessageContaining("2032");
    assertThatThrownBy(
            () ->
                new SealRequest(
                    RegisteredProof.fromName("StackedDrg2KiBV1_2_Feat_NonInteractivePoRep"),
                    SectorShape.of("2KiB"),
                    1,
                    1,
                    ticket,
                    none))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("NonInteractive");
  }

  @Test
  void syntheticSectorsAreChallengedByTheirOwnRule() {
    SectorShape shape = SectorShape.of("2KiB");
    byte[] ticket = new byte[32];
    byte[] seed = new byte[32];
    seed[0] = 1;
    byte[] data = {1, 2, 3};
    RegisteredProof synthetic = RegisteredProof.fromName("StackedDrg2KiBV1_1_Feat_SyntheticPoRep");
    Commit1Output c1 = seal(new SealRequest(synthetic, shape, 1, 1, ticket, data)).commit1(seed);
    long[] expected = Challenges.of(synthetic, shape, c1.replicaId(), c1.commR(), seed, 0);
    assertThat(c1.partitions().getFirst().stream().mapToLong(ChallengeProof::challenge))
        .containsExactly(expected[0], expected[1]);
  }

  /** Two cores are to seal this size within two minutes. */
  @Test
  void eightMebibytesTakeSeconds() {
    SectorShape shape = SectorShape.of("8MiB");
    byte[] data = new byte[1 << 20];
    new Random(6).nextBytes(data);
    long start = Workers.threadCpuNanos() + WORKERS.cpuNanos();
    SealedSector sector = seal(SealRequest.of(shape, 1000, 1, new byte[32], data));
    Commit1Output c1 = sector.commit1(new byte[32]);
    double cpuSeconds = (Workers.threadCpuNanos() + WORKERS.cpuNanos() - start) / 1e9;
    assertThat(cpuSeconds).isLessThan(120);
    assertHolds(c1, 1000, 1);
  }
}
