package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InvalidInputException;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Satisfaction;
import io.cuzk.testing.Golden;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sectors that were never sealed are good to every check, unless a byte of them is altered. */
class SparseSealerTest {
  private static final OptionalLong MINER = OptionalLong.of(1234);
  private static final OptionalLong SECTOR = OptionalLong.of(9);

  private static Commit1Output sparse(RegisteredProof proof, SectorShape shape, int seed) {
    byte[] seedBytes = new byte[32];
    seedBytes[0] = (byte) seed;
    seedBytes[1] = (byte) (seed >>> 8);
    try (Workers workers = Workers.of(2)) {
      SparseSealer.Request request =
          new SparseSealer.Request(proof, shape, 1234, 9, new byte[32], seedBytes);
      return new SparseSealer(workers).commit1(request, new SplittableRandom(seed));
    }
  }

  /** Under the registered proof of the size, or that of 32 GiB where there is none. */
  private static Commit1Output sparse(String size, int seed) {
    SectorShape shape = SectorShape.of(size);
    String of = shape.registered() ? size : "32GiB";
    return sparse(RegisteredProof.fromName("StackedDrg" + of + "V1_1"), shape, seed);
  }

  private static VanillaCheck.Result inspect(Commit1Output c1) {
    return VanillaCheck.inspect(c1, MINER, SECTOR);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2KiB", "16KiB", "32KiB", "8MiB", "512MiB", "32GiB"})
  void goodToEveryCheckAndBadWithAByteFlipped(String size) {
    Commit1Output c1 = sparse(size, 3);
    VanillaCheck.Result good = inspect(c1);
    assertThat(good.message()).isEqualTo("good");
    assertThat(good.replicaIdChecked()).isTrue();
    int p = c1.partitions().size() - 1;
    VanillaCheck.Result bad = inspect(altered(c1, p, 1));
    assertThat(bad.faults()).hasSize(1);
    assertThat(bad.message())
        .contains("partition " + p + ", challenge 1")
        .contains("exp_parents[5]");
  }

  /** Flips a bit in the column of an expander parent. */
  private static Commit1Output altered(Commit1Output c1, int partition, int challenge) {
    ChallengeProof proof = c1.partitions().get(partition).get(challenge);
    List<ColumnProof> parents = new ArrayList<>(proof.expParents());
    ColumnProof parent = parents.get(5);
    byte[] rows = parent.column().rows().clone();
    rows[40] ^= 1;
    parents.set(5, new ColumnProof(new Column(parent.column().index(), rows), parent.inclusion()));
    List<ChallengeProof> proofs = new ArrayList<>(c1.partitions().get(partition));
    proofs.set(
        challenge,
        new ChallengeProof(
            proof.commD(),
            proof.commRLast(),
            proof.cX(),
            proof.drgParents(),
            parents,
            proof.labeling(),
            proof.encoding()));
    List<List<ChallengeProof>> partitions = new ArrayList<>(c1.partitions());
    partitions.set(partition, proofs);
    return new Commit1Output(
        c1.proof(),
        c1.shape(),
        partitions,
        c1.commR(),
        c1.commD(),
        c1.replicaId(),
        c1.seed(),
        c1.ticket());
  }

  @ParameterizedTest
  @ValueSource(strings = {"2KiB", "16KiB"})
  void theCircuitIsSatisfied(String size) {
    PartitionInput input = PartitionInput.of(sparse(size, 4), 0);
    assertThat(Satisfaction.firstBrokenRow(StackedCircuit.of(input))).isEmpty();
  }

  @Test
  void theDataAreTheWellKnownZeros() {
    for (JsonNode zero : Golden.json("unit-hash-trees.json").get("comm_d_zero")) {
      String size = zero.get("size").asText();
      if (SectorShape.of(size).registered()) {
        assertThat(sparse(size, 5).commD()).isEqualTo(Golden.hex(zero.get("comm_d_zero")));
      }
    }
  }

  /** In a small sector a challenge is soon another's parent, in the same layer and in the next. */
  @Test
  void aChallengeMayBeAnothersParent() {
    int inSameLayer = 0;
    int inLayerBefore = 0;
    for (int seed = 0; seed < 60; seed++) {
      Commit1Output c1 = sparse("2KiB", 100 + seed);
      assertThat(inspect(c1).message()).as("seed " + seed).isEqualTo("good");
      List<ChallengeProof> proofs = c1.partitions().getFirst();
      for (int i = 0; i < 2; i++) {
        long other = proofs.get(1 - i).challenge();
        inSameLayer += count(proofs.get(i).drgParents(), other);
        inLayerBefore += count(proofs.get(i).expParents(), other);
      }
    }
    assertThat(inSameLayer).isPositive();
    assertThat(inLayerBefore).isPositive();
  }

  private static int count(List<ColumnProof> parents, long node) {
    return (int) parents.stream().filter(parent -> parent.column().index() == node).count();
  }

  @Test
  void theLaunchVersionHasItsOwnGraph() {
    RegisteredProof proof = RegisteredProof.fromName("StackedDrg32GiBV1");
    assertThat(inspect(sparse(proof, proof.shape(), 6)).message()).isEqualTo("good");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "StackedDrg2KiBV1_1_Feat_SyntheticPoRep",
        "StackedDrg32GiBV1_2_Feat_NonInteractivePoRep"
      })
  void proofsWhoseSeedCannotBeChosenAreRefused(String name) {
    RegisteredProof proof = RegisteredProof.fromName(name);
    assertThatThrownBy(() -> sparse(proof, proof.shape(), 1))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageStartingWith(name + " can't be sealed sparsely")
        .hasMessageContaining("drawn from comm_r")
        .hasMessageEndingWith("StackedDrg" + proof.shape().name() + "V1_1");
  }

  @Test
  void theWrapperSaysSo() throws IOException {
    Commit1Output c1 = sparse("2KiB", 7);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Commit1Codec.writeWrapped(c1, 9, true, out);
    String text = out.toString(StandardCharsets.UTF_8);
    assertThat(text).endsWith(",\"SectorNum\":9,\"SectorSize\":2048,\"sparse\":true}");
    Commit1File file = read(text);
    assertThat(file.sparse()).isTrue();
    assertThat(file.output()).isEqualTo(c1);
    assertThat(read(text.replace("true}", "false}")).sparse()).isFalse();
    assertThat(read(text.replace(",\"sparse\":true}", "}")).sparse()).isFalse();
    assertThatThrownBy(() -> read(text.replace("true}", "1}")))
        .hasMessageContaining("sparse: found '1'")
        .hasMessageContaining("expected true or false");
    assertThatThrownBy(() -> read(text.replace("\"sparse\"", "\"sprase\"")))
        .hasMessageContaining("did you mean sparse?");
  }

  private static Commit1File read(String text) {
    return Commit1Codec.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "x", Optional.empty());
  }

  @Test
  void oneRandomSeedOneFile() {
    assertThat(sparse("8MiB", 8)).isEqualTo(sparse("8MiB", 8));
    assertThat(Arrays.equals(sparse("8MiB", 8).commR(), sparse("8MiB", 9).commR())).isFalse();
  }
}
