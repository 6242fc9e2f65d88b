package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.circuit.Assignment;
import io.cuzk.circuit.CompactAssignment;
import io.cuzk.circuit.CompiledCircuit;
import io.cuzk.circuit.ProvingAssignment;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.RowDigest;
import io.cuzk.r1cs.Satisfaction;
import io.cuzk.testing.Golden;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The compiled circuit: rows, witness and evaluations as rust-fil-proofs and bellperson's. */
class CompiledStackedCircuitTest {
  private static final Workers ONE = Workers.single();
  private static final Map<String, CompiledCircuit> COMPILED = new ConcurrentHashMap<>();

  private static CompiledCircuit compile(String size) {
    return COMPILED.computeIfAbsent(size, name -> StackedCircuits.compile(SectorShape.of(name)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2KiB", "8MiB", "512MiB"})
  void expandsToTheRustCircuitsRows(String size) throws Exception {
    checkRows(size);
  }

  /** 26 GB of rows, digested twice. */
  @Tag("slow")
  @Test
  void expandsToTheRustCircuitsRowsAt32GiB() throws Exception {
    checkRows("32GiB");
  }

  private static void checkRows(String size) throws Exception {
    JsonNode golden = Golden.json("count-" + size + ".json");
    CompiledCircuit compiled = compile(size);
    checkCounts(compiled, golden);
    RowDigest.Result rows = RowDigest.of(compiled.expand(), golden.get("block_rows").asInt(), 0);
    StackedCircuitRowsTest.check(rows, golden);
  }

  private static void checkCounts(CompiledCircuit compiled, JsonNode golden) throws Exception {
    assertThat(compiled.rows()).isEqualTo(golden.get("num_constraints_with_input_rows").asLong());
    assertThat(compiled.aux()).isEqualTo(golden.get("num_aux").asInt());
    assertThat(compiled.inputs()).isEqualTo(golden.get("num_inputs_incl_one").asInt());
    assertThat(StackedCircuitRowsTest.sha256(compiled.aAux()))
        .isEqualTo(golden.get("a_aux_density_sha256").asText());
    assertThat(StackedCircuitRowsTest.sha256(compiled.bAux()))
        .isEqualTo(golden.get("b_aux_density_sha256").asText());
    assertThat(StackedCircuitRowsTest.sha256(compiled.bInputs()))
        .isEqualTo(golden.get("b_input_density_sha256").asText());
  }

  @Test
  void expandsToTheRowsOf16KiBWithSubTrees() {
    JsonNode golden = Golden.json("mini16KiB-2layers.json").get("circuits").get(0);
    RowDigest.Result rows =
        RowDigest.of(compile("16KiB").expand(), golden.get("block_rows").asInt(), 0);
    StackedCircuitRowsTest.checkCounts(rows, golden);
  }

  /** Compiled in seconds, since of 27,042 blocks only 28 differ. */
  @Test
  void countsAndDensitiesOf32GiB() throws Exception {
    CompiledCircuit compiled = compile("32GiB");
    checkCounts(compiled, Golden.json("count-32GiB.json"));
    assertThat(compiled.blocks()).isEqualTo(27_042);
    assertThat(compiled.templates()).isEqualTo(28);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void assignmentOf2KiB(int threads) throws Exception {
    JsonNode golden = Golden.json("circuit-2KiB.json");
    StackedCircuit circuit = StackedCircuit.of(StackedCircuitWitnessTest.input2KiB());
    CompiledCircuit compiled = compile("2KiB");
    try (Workers workers = Workers.of(threads)) {
      CompactAssignment assignment = compiled.assign(circuit, workers);
      assertThat(assignment.brokenRow()).isEqualTo(-1);
      StackedCircuitWitnessTest.checkInputs(assignment, golden.get("inputs"), 0);
      StackedCircuitWitnessTest.check(assignment, golden, 65536);
      StackedCircuitWitnessTest.checkWitness(assignment, golden);
      assertThat(compiled.firstBrokenRow(circuit, assignment, workers)).isEmpty();
    }
  }

  /** A pool's threads outlive assignments by far, so they must not hold on to one. */
  @Test
  void noThreadKeepsAnAssignment() throws Exception {
    StackedCircuit circuit = StackedCircuit.of(StackedCircuitWitnessTest.input2KiB());
    try (Workers workers = Workers.of(2)) {
      WeakReference<long[]> bits =
          new WeakReference<>(compile("2KiB").assign(circuit, workers).auxOnes());
      for (int i = 0; i < 50 && !bits.refersTo(null); i++) {
        System.gc();
        Thread.sleep(20);
      }
      assertThat(bits.refersTo(null)).as("the assignment is garbage").isTrue();
    }
  }

  @Test
  void assignmentOf16KiBWithSubTrees() throws Exception {
    JsonNode golden = Golden.json("mini16KiB-2layers.json").get("circuits").get(0);
    PartitionInput input = PartitionInput.of(Commit1CodecTest.mini().output(), 0);
    CompactAssignment assignment = compile("16KiB").assign(StackedCircuit.of(input), ONE);
    assertThat(assignment.brokenRow()).isEqualTo(-1);
    StackedCircuitWitnessTest.checkInputs(assignment, golden.get("public_inputs"), 1);
    StackedCircuitWitnessTest.check(assignment, golden, 65536);
  }

  /** Ranges that begin and end anywhere give what the reference holds. */
  @Test
  void rangesAreTheReferencesRanges() {
    StackedCircuit circuit = StackedCircuit.of(StackedCircuitWitnessTest.input2KiB());
    Assignment reference = ProvingAssignment.of(circuit);
    Assignment compact = compile("2KiB").assign(circuit, ONE);
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
    long[] expected = new long[4 * 3000];
    long[] found = new long[4 * 3000];
    for (int i = 0; i < 400; i++) {
      int n = random.nextInt(3000);
      long row = random.nextLong(reference.rows() - n + 1);
      row = i == 0 ? reference.rows() - n : row;
      reference.readA(row, n, expected, 0);
      compact.readA(row, n, found, 0);
      assertThat(found).as("A from row " + row).isEqualTo(expected);
      reference.readB(row, n, expected, 0);
      compact.readB(row, n, found, 0);
      assertThat(found).as("B from row " + row).isEqualTo(expected);
      int aux = random.nextInt(reference.aux() - n + 1);
      reference.readAux(aux, n, expected, 0);
      compact.readAux(aux, n, found, 0);
      assertThat(found).as("auxiliaries from " + aux).isEqualTo(expected);
    }
    for (int w = 0; w < reference.auxOthers().length; w++) {
      assertThat(compact.auxOthers()[w]).isEqualTo(reference.auxOthers()[w]);
      assertThat(compact.auxOnes()[w]).isEqualTo(reference.auxOnes()[w]);
    }
    assertThatThrownBy(() -> compact.readA(reference.rows() - 1, 2, found, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** One flipped byte in each kind of field that the circuit reads. */
  @Test
  void brokenRowsAreTheReferences() {
    PartitionInput good = StackedCircuitWitnessTest.input2KiB();
    CompiledCircuit compiled = compile("2KiB");
    List<PartitionInput> altered = new ArrayList<>();
    altered.add(StackedCircuitWitnessTest.withAlteredColumn());
    for (int field = 0; field < 6; field++) {
      altered.add(altered(good, field));
    }
    for (PartitionInput bad : altered) {
      StackedCircuit circuit = StackedCircuit.of(bad);
      Satisfaction.BrokenRow expected = Satisfaction.firstBrokenRow(circuit).orElseThrow();
      CompactAssignment assignment = compiled.assign(circuit, ONE);
      assertThat(compiled.brokenRow(circuit, assignment)).contains(expected);
      assertThat(compiled.firstBrokenRow(circuit, assignment, ONE)).contains(expected);
    }
  }

  private static PartitionInput altered(PartitionInput p, int field) {
    ChallengeInput first = p.challenges().getFirst();
    InclusionProof commD = first.commD();
    InclusionProof commRLast = first.commRLast();
    InclusionProof commC = first.commC();
    switch (field) {
      case 0 -> commD = flipped(commD, true);
      case 1 -> commD = flipped(commD, false);
      case 2 -> commRLast = flipped(commRLast, false);
      case 3 -> commC = flipped(commC, false);
      default -> {}
    }
    ChallengeInput challenge =
        new ChallengeInput(
            field == 4 ? first.challenge() ^ 1 : first.challenge(),
            commD,
            commRLast,
            commC,
            first.drgParents(),
            first.expParents());
    return new PartitionInput(
        p.proof(),
        p.shape(),
        p.partition(),
        field == 5 ? flip(p.replicaId()) : p.replicaId(),
        p.commD(),
        p.commR(),
        p.commC(),
        p.commRLast(),
        p.seed(),
        List.of(challenge, p.challenges().get(1)));
  }

  private static byte[] flip(byte[] bytes) {
    byte[] flipped = bytes.clone();
    flipped[3] ^= 4;
    return flipped;
  }

  private static InclusionProof flipped(InclusionProof proof, boolean leaf) {
    List<PathElement> path = new ArrayList<>(proof.path());
    PathElement second = path.get(1);
    if (!leaf) {
      path.set(1, new PathElement(flip(second.hashes()), second.index()));
    }
    byte[] start = leaf ? flip(proof.leaf()) : proof.leaf();
    return new InclusionProof(proof.form(), proof.root(), start, path);
  }

  @Test
  void otherCircuitsAreRefused() {
    StackedCircuit circuit = StackedCircuit.of(StackedCircuitWitnessTest.input2KiB());
    for (String size : List.of("16KiB", "8MiB", "32GiB")) {
      CompiledCircuit compiled = compile(size);
      assertThatThrownBy(() -> compiled.assign(circuit, ONE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not the compiled one, '" + compiled.name() + "'");
    }
    StackedCircuit blank = StackedCircuit.blank(SectorShape.of("2KiB"));
    CompiledCircuit compiled = compile("2KiB");
    assertThatThrownBy(() -> compiled.assign(blank, ONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was not given");
    assertThat(compiled.fingerprint())
        .isEqualTo(StackedCircuits.compile(SectorShape.of("2KiB")).fingerprint());
    assertThat(compiled.fingerprint()).isNotEqualTo(compile("8MiB").fingerprint());
  }
}
