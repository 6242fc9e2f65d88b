package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InvalidInputException;
import io.cuzk.parallel.Workers;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sealed here, written, read, checked; and sizes that nobody seals in a test. */
class SealedAndCheckedTest {
  private static byte[] random(long seed, int count) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static Commit1Output seal(RegisteredProof proof, SectorShape shape, long sector) {
    try (Workers workers = Workers.of(2)) {
      byte[] data = random(sector, (int) (shape.sectorBytes() / 128 * 127));
      SealRequest request =
          new SealRequest(proof, shape, 1234567, sector, random(sector + 1, 32), data);
      return new Sealer(workers, SealProgress.NONE).seal(request).commit1(random(sector + 2, 32));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "StackedDrg2KiBV1",
        "StackedDrg2KiBV1_1",
        "StackedDrg2KiBV1_1_Feat_SyntheticPoRep"
      })
  void everyProvableKind(String name) throws IOException {
    RegisteredProof proof = RegisteredProof.fromName(name);
    Commit1Output c1 = seal(proof, proof.shape(), 77);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Commit1Codec.writeWrapped(c1, 77, out);
    Commit1File file =
        Commit1Codec.read(
            new ByteArrayInputStream(out.toByteArray()), "sealed.json", Optional.empty());
    assertThat(file.output()).isEqualTo(c1);
    OptionalLong miner = OptionalLong.of(1234567);
    assertThat(VanillaCheck.check(file, miner, OptionalLong.empty()).replicaIdChecked()).isTrue();
    // the challenges' rule is the name's: under another name the same proofs are not good
    RegisteredProof other =
        RegisteredProof.fromName(
            proof.feature() == RegisteredProof.Feature.NONE
                ? "StackedDrg2KiBV1_1_Feat_SyntheticPoRep"
                : "StackedDrg2KiBV1_1");
    Commit1Output renamed =
        new Commit1Output(
            other, c1.partitions(), c1.commR(), c1.commD(), c1.replicaId(), c1.seed(), c1.ticket());
    assertThatThrownBy(() -> VanillaCheck.check(renamed, miner, OptionalLong.of(77)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("replica_id: found ");
    assertThat(VanillaCheck.inspect(renamed, OptionalLong.empty(), OptionalLong.empty()).good())
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"4KiB", "16KiB", "32KiB"})
  void everyFormOfTree(String size) throws IOException {
    SectorShape shape = SectorShape.of(size);
    RegisteredProof proof = RegisteredProof.fromName("StackedDrg32GiBV1_1");
    Commit1Output c1 = seal(proof, shape, 5);
    OptionalLong miner = OptionalLong.of(1234567);
    assertThat(VanillaCheck.check(c1, miner, OptionalLong.of(5)).good()).isTrue();
    for (Commit1File.Form form : Commit1File.Form.values()) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      switch (form) {
        case BARE -> Commit1Codec.writeJson(c1, out);
        case WRAPPED -> Commit1Codec.writeWrapped(c1, 5, out);
        case BINCODE -> Commit1Codec.writeBincode(c1, ReplicaId.proverId(1234567), 5, out);
      }
      Commit1File file =
          Commit1Codec.read(
              new ByteArrayInputStream(out.toByteArray()), "sealed", Optional.of(shape));
      assertThat(file.form()).isEqualTo(form);
      assertThat(file.output()).isEqualTo(c1);
    }
    PartitionInput input = PartitionInput.of(c1, 0);
    assertThat(PartitionInput.fromBytes(input.toBytes())).isEqualTo(input);
  }

  @Test
  void proofsOfAnotherSector() {
    RegisteredProof proof = RegisteredProof.fromName("StackedDrg2KiBV1_1");
    Commit1Output mine = seal(proof, proof.shape(), 1);
    Commit1Output other = seal(proof, proof.shape(), 2);
    Commit1Output mixed =
        new Commit1Output(
            proof,
            other.partitions(),
            mine.commR(),
            mine.commD(),
            mine.replicaId(),
            mine.seed(),
            mine.ticket());
    assertThatThrownBy(
            () -> VanillaCheck.check(mixed, OptionalLong.of(1234567), OptionalLong.of(1)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageEndingWith("the proofs are of another sector or seed");
  }

  /** A C1 of full size with random nodes: 51 MB of JSON, 70 in base64. */
  @Test
  void fullSize(@TempDir Path directory) throws IOException {
    RegisteredProof proof = RegisteredProof.fromName("StackedDrg32GiBV1_1");
    SectorShape shape = proof.shape();
    Random random = new Random(9);
    List<List<ChallengeProof>> partitions = new ArrayList<>();
    for (int p = 0; p < shape.partitions(); p++) {
      partitions.add(
          IntStream.range(0, shape.challengesPerPartition())
              .mapToObj(c -> challenge(shape, random))
              .toList());
    }
    Commit1Output c1 =
        new Commit1Output(
            proof,
            partitions,
            nodes(1, random),
            nodes(1, random),
            nodes(1, random),
            nodes(1, random),
            nodes(1, random));
    Path path = directory.resolve("c1-32GiB.json");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path))) {
      Commit1Codec.writeWrapped(c1, 42, out);
    }
    assertThat(Files.size(path)).isBetween(50_000_000L, 80_000_000L);
    Commit1File file = Commit1Codec.read(path);
    assertThat(file.output()).isEqualTo(c1);
    byte[] travelling = PartitionInput.of(c1, 9).toBytes();
    assertThat(travelling.length).isBetween(500_000, 1_000_000);
    assertThat(PartitionInput.fromBytes(travelling)).isEqualTo(PartitionInput.of(c1, 9));
    // cut near its end it is refused with the place
    Path cut = directory.resolve("cut.json");
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path));
        OutputStream out = Files.newOutputStream(cut)) {
      out.write(in.readNBytes(40_000_001));
    }
    assertThatThrownBy(() -> Commit1Codec.read(cut))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("cut.json: Phase1Out: the file ends at byte 40000001");
  }

  private static ChallengeProof challenge(SectorShape shape, Random random) {
    long node = 1 + random.nextInt((int) shape.nodes() - 1);
    List<ColumnProof> parents = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      Column column = new Column((int) node, nodes(shape.layers(), random));
      parents.add(new ColumnProof(column, inclusion(shape, true, random)));
    }
    List<LabelingProof> labels = new ArrayList<>();
    for (int layer = 1; layer <= shape.layers(); layer++) {
      labels.add(new LabelingProof(node, layer, nodes(37, random)));
    }
    return new ChallengeProof(
        inclusion(shape, false, random),
        inclusion(shape, true, random),
        parents.get(0),
        parents.subList(1, 7),
        parents.subList(7, 15),
        labels,
        new EncodingProof(node, shape.layers(), nodes(37, random)));
  }

  private static InclusionProof inclusion(SectorShape shape, boolean poseidon, Random random) {
    List<PathElement> path = new ArrayList<>();
    int levels = poseidon ? shape.poseidonLevels() : shape.nodesLog();
    for (int i = 0; i < levels; i++) {
      int arity = poseidon ? shape.poseidonArity(i) : 2;
      path.add(new PathElement(nodes(arity - 1, random), random.nextInt(arity)));
    }
    InclusionProof.Form form = poseidon ? shape.poseidonForm() : InclusionProof.Form.SINGLE;
    return new InclusionProof(form, nodes(1, random), nodes(1, random), path);
  }

  private static byte[] nodes(int count, Random random) {
    byte[] nodes = new byte[count * 32];
    random.nextBytes(nodes);
    for (int i = 31; i < nodes.length; i += 32) {
      nodes[i] &= 0x3f;
    }
    return nodes;
  }
}
