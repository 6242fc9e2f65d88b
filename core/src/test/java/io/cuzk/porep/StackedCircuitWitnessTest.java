package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InvalidInputException;
import io.cuzk.circuit.Assignment;
import io.cuzk.circuit.ProvingAssignment;
import io.cuzk.field.Fr;
import io.cuzk.r1cs.GoldenRows;
import io.cuzk.r1cs.Satisfaction;
import io.cuzk.r1cs.TermStorage;
import io.cuzk.testing.Golden;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The circuit with the witness of real C1 files: values and evaluations as bellperson's. */
class StackedCircuitWitnessTest {
  private static final int CHUNK = 4096;

  /** Copies a range of elements. */
  private interface Reader {
    void read(long from, int n, long[] out, int at);
  }

  static PartitionInput input2KiB() {
    return PartitionInput.of(Commit1CodecTest.read(Golden.bytes("c1-2KiB.json")).output(), 0);
  }

  @ParameterizedTest
  @EnumSource(TermStorage.class)
  void assignmentOf2KiB(TermStorage storage) throws Exception {
    JsonNode golden = Golden.json("circuit-2KiB.json");
    ProvingAssignment cs = ProvingAssignment.withC(storage);
    StackedCircuit.of(input2KiB()).synthesize(cs);
    Assignment assignment = cs.finish();
    checkInputs(assignment, golden.get("inputs"), 0);
    long[] first = new long[4 * 2000];
    assignment.readAux(0, 2000, first, 0);
    for (int i = 0; i < 2000; i++) {
      assertThat(GoldenRows.hex(first, 4 * i))
          .as("x" + i)
          .isEqualTo(golden.get("aux_first_2000").get(i).asText());
    }
    check(assignment, cs, golden, 65536);
    checkWitness(assignment, golden);
  }

  static void checkWitness(Assignment assignment, JsonNode golden) throws Exception {
    long ones = Arrays.stream(assignment.auxOnes()).map(Long::bitCount).sum();
    long others = Arrays.stream(assignment.auxOthers()).map(Long::bitCount).sum();
    assertThat(ones).isEqualTo(golden.get("aux_one_count").asLong());
    assertThat(assignment.aux() - ones - others).isEqualTo(golden.get("aux_zero_count").asLong());
    MessageDigest witness = sha256();
    update(
        witness,
        assignment.inputs(),
        (from, n, out, at) -> assignment.readInputs((int) from, n, out, at));
    update(
        witness,
        assignment.aux(),
        (from, n, out, at) -> assignment.readAux((int) from, n, out, at));
    assertThat(hex(witness)).isEqualTo(golden.get("witness_sha256").asText());
  }

  @Test
  void assignmentOf16KiBWithSubTrees() throws Exception {
    JsonNode golden = Golden.json("mini16KiB-2layers.json").get("circuits").get(0);
    ProvingAssignment cs = ProvingAssignment.withC();
    PartitionInput input = PartitionInput.of(Commit1CodecTest.mini().output(), 0);
    StackedCircuit.of(input).synthesize(cs);
    Assignment assignment = cs.finish();
    checkInputs(assignment, golden.get("public_inputs"), 1);
    check(assignment, cs, golden, 65536);
  }

  static void checkInputs(Assignment assignment, JsonNode golden, int skip) {
    assertThat(assignment.inputs()).isEqualTo(golden.size() + skip);
    long[] inputs = new long[4 * assignment.inputs()];
    assignment.readInputs(0, assignment.inputs(), inputs, 0);
    for (int i = 0; i < golden.size(); i++) {
      assertThat(GoldenRows.hex(inputs, 4 * (i + skip)))
          .as("input " + (i + skip))
          .isEqualTo(golden.get(i).asText());
    }
  }

  private static void check(
      Assignment assignment, ProvingAssignment cs, JsonNode golden, int auxBlock) throws Exception {
    check(assignment, golden, auxBlock);
    MessageDigest digest = sha256();
    update(digest, assignment.rows(), (from, n, out, at) -> cs.c().read((int) from, n, out, at));
    assertThat(hex(digest)).isEqualTo(golden.get("eval_c_sha256").asText());
  }

  static void check(Assignment assignment, JsonNode golden, int auxBlock) throws Exception {
    assertThat(assignment.aux()).isEqualTo(golden.get("num_aux").asInt());
    assertThat(assignment.rows()).isEqualTo(golden.get("num_constraints_with_input_rows").asLong());
    List<String> blocks = new ArrayList<>();
    MessageDigest digest = sha256();
    for (int from = 0; from < assignment.aux(); from += auxBlock) {
      int base = from;
      int n = Math.min(auxBlock, assignment.aux() - from);
      update(digest, n, (at, count, out, o) -> assignment.readAux(base + (int) at, count, out, o));
      blocks.add(hex(digest));
    }
    List<String> expected = new ArrayList<>();
    golden.get("aux_block_sha256").forEach(b -> expected.add(b.asText()));
    assertThat(blocks).isEqualTo(expected);
    update(
        digest, assignment.aux(), (from, n, out, at) -> assignment.readAux((int) from, n, out, at));
    assertThat(hex(digest)).isEqualTo(golden.get("aux_sha256").asText());
    update(digest, assignment.rows(), assignment::readA);
    assertThat(hex(digest)).isEqualTo(golden.get("eval_a_sha256").asText());
    update(digest, assignment.rows(), assignment::readB);
    assertThat(hex(digest)).isEqualTo(golden.get("eval_b_sha256").asText());
    assertThat(StackedCircuitRowsTest.sha256(assignment.aAux()))
        .isEqualTo(golden.get("a_aux_density_sha256").asText());
    assertThat(StackedCircuitRowsTest.sha256(assignment.bAux()))
        .isEqualTo(golden.get("b_aux_density_sha256").asText());
    assertThat(StackedCircuitRowsTest.sha256(assignment.bInputs()))
        .isEqualTo(golden.get("b_input_density_sha256").asText());
  }

  @Test
  void firstBrokenRowIsNamed() {
    Optional<Satisfaction.BrokenRow> broken =
        Satisfaction.firstBrokenRow(StackedCircuit.of(withAlteredColumn()));
    assertThat(broken).isPresent();
    assertThat(broken.get().path()).isEqualTo("challenge_1/exp_parent_3_inclusion");
    assertThat(broken.get().text()).contains("reads");
  }

  /** One byte of the fourth expander parent's column in challenge 1 is flipped. */
  static PartitionInput withAlteredColumn() {
    PartitionInput good = input2KiB();
    ChallengeInput challenge = good.challenges().get(1);
    ColumnProof parent = challenge.expParents().get(3);
    byte[] rows = parent.column().rows().clone();
    rows[40] ^= 1;
    List<ColumnProof> parents = new ArrayList<>(challenge.expParents());
    parents.set(3, new ColumnProof(new Column(parent.column().index(), rows), parent.inclusion()));
    ChallengeInput altered =
        new ChallengeInput(
            challenge.challenge(),
            challenge.commD(),
            challenge.commRLast(),
            challenge.commC(),
            challenge.drgParents(),
            parents);
    return with(good, good.commC(), List.of(good.challenges().get(0), altered));
  }

  @Test
  void goodWitnessHasNoBrokenRow() {
    assertThat(Satisfaction.firstBrokenRow(StackedCircuit.of(input2KiB()))).isEmpty();
  }

  @Test
  void badInputNamesItsPlace() {
    PartitionInput good = input2KiB();
    byte[] large = new byte[32];
    Arrays.fill(large, (byte) 0xff);
    assertThatThrownBy(() -> StackedCircuit.of(with(good, large, good.challenges())))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("partition 0, comm_c");
    assertThatThrownBy(() -> StackedCircuit.of(with(good, new byte[32], good.challenges())))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("challenge 0, c_x");
    ChallengeInput first = good.challenges().get(0);
    PathElement element = first.commD().path().get(2);
    List<PathElement> path = new ArrayList<>(first.commD().path());
    path.set(2, new PathElement(large, element.index()));
    ChallengeInput altered =
        new ChallengeInput(
            first.challenge(),
            new InclusionProof(
                first.commD().form(), first.commD().root(), first.commD().leaf(), path),
            first.commRLast(),
            first.commC(),
            first.drgParents(),
            first.expParents());
    assertThatThrownBy(
            () ->
                StackedCircuit.of(
                    with(good, good.commC(), List.of(good.challenges().get(1), altered))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("challenge 1, comm_d_proofs, level 2, sibling 0");
  }

  static PartitionInput with(PartitionInput p, byte[] commC, List<ChallengeInput> challenges) {
    return new PartitionInput(
        p.proof(),
        p.shape(),
        p.partition(),
        p.replicaId(),
        p.commD(),
        p.commR(),
        commC,
        p.commRLast(),
        p.seed(),
        challenges);
  }

  private static MessageDigest sha256() throws Exception {
    return MessageDigest.getInstance("SHA-256");
  }

  private static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void update(MessageDigest digest, long size, Reader reader) {
    long[] words = new long[4 * CHUNK];
    byte[] bytes = new byte[32 * CHUNK];
    for (long from = 0; from < size; from += CHUNK) {
      int n = (int) Math.min(CHUNK, size - from);
      reader.read(from, n, words, 0);
      for (int i = 0; i < n; i++) {
        Fr.toBytes(bytes, 32 * i, words, 4 * i);
      }
      digest.update(bytes, 0, 32 * n);
    }
  }
}
