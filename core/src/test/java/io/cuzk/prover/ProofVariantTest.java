package io.cuzk.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.ProofFailedException;
import io.cuzk.bench.Measurement;
import io.cuzk.bench.Plan;
import io.cuzk.bench.ProofBench;
import io.cuzk.bench.ProofCheck;
import io.cuzk.circuit.ProvingAssignment;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.ParameterFile;
import io.cuzk.groth16.Progress;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.Toy;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.ConstraintMatrices;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProofVariantTest {
  @TempDir Path directory;
  private final Workers workers = Workers.of(2);
  private final ConstraintMatrices matrices = ConstraintMatrices.of(Toy.circuit());
  private ParameterFile file;
  private ProvingKey key;

  @BeforeEach
  void open() throws IOException {
    file = ParameterFile.open(Toy.params(directory));
    key = file.provingKey();
  }

  @AfterEach
  void close() {
    file.close();
    workers.close();
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"PINNED_HOST", "UNPINNED_HOST"})
  void everyVariantMakesTheGoldenProof(ProofVariant variant) {
    Blinding blinding = Blinding.forTests(Toy.JSON.get("r").asText(), Toy.JSON.get("s").asText());
    Proof proof =
        CpuBackend.of(workers, variant, matrices)
            .prove(key, ProvingAssignment.of(Toy.circuit()), blinding, PhaseTimer.of(workers));
    assertThat(proof.hex()).isEqualTo(Toy.JSON.get("proof_hex_192").asText());
  }

  @Test
  void theSumInG2IsAPhaseOfTheParallelVariantToo() {
    PhaseTimer timer = PhaseTimer.of(workers);
    CpuBackend.of(workers, ProofVariant.PARALLEL_B_G2, null)
        .prove(key, ProvingAssignment.of(Toy.circuit()), Blinding.random(), timer);
    assertThat(timer.phases().stream().map(Phase::name))
        .containsExactlyInAnyOrder(
            "quotient", "msm.h", "msm.l", "msm.a", "msm.b1", "msm.b2", "assemble");
  }

  @Test
  void whatCannotRunIsRefusedWithItsReason() {
    assertThatThrownBy(() -> CpuBackend.of(workers, ProofVariant.PINNED_HOST, null))
        .hasMessageContaining("pinned-host: nothing goes to a device");
    assertThatThrownBy(() -> CpuBackend.of(Workers.single(), ProofVariant.PARALLEL_B_G2, null))
        .hasMessageContaining("one thread has nobody to work beside");
    assertThatThrownBy(() -> CpuBackend.of(workers, ProofVariant.C_MATRIX, null))
        .hasMessageContaining("needs the circuit's matrices");
    assertThat(EnumSet.allOf(ProofVariant.class))
        .filteredOn(variant -> variant.inapplicable("cuda", 2).isEmpty())
        .containsExactly(
            ProofVariant.STANDARD, ProofVariant.PINNED_HOST, ProofVariant.UNPINNED_HOST);
    assertThat(ProofVariant.PINNED_HOST.pinning()).isEqualTo(HostPinning.REGISTER);
    assertThat(ProofVariant.UNPINNED_HOST.pinning()).isEqualTo(HostPinning.NONE);
    assertThat(ProofVariant.STANDARD.pinning()).isEqualTo(HostPinning.RING);
  }

  @Test
  void theBenchComparesInTheOrderAskedFor() {
    List<Measurement> rows = bench(matrices);
    assertThat(rows.stream().map(row -> row.more().get("variant")))
        .containsExactly("standard", "c-matrix");
    assertThat(rows).allSatisfy(row -> assertThat(row.timing().cpuSamples()).hasSize(2));
  }

  @Test
  void theBenchShowsNoFigureOfAVariantThatMakesOtherBytes() {
    ConstraintMatrices other =
        ConstraintMatrices.of(
            cs -> {
              Toy.circuit().synthesize(cs);
              cs.enforce(cs.lc(), cs.lc(), cs.lc().add(0));
            });
    assertThatThrownBy(() -> bench(other))
        .isInstanceOf(ProofFailedException.class)
        .hasMessageContaining("proof 1 by c-matrix");
  }

  private List<Measurement> bench(ConstraintMatrices ofC) {
    Map<ProofVariant, ProverBackend> backends = new LinkedHashMap<>();
    backends.put(ProofVariant.STANDARD, CpuBackend.of(workers));
    backends.put(ProofVariant.C_MATRIX, CpuBackend.of(workers, ProofVariant.C_MATRIX, ofC));
    return ProofBench.run(
        "toy",
        workers,
        backends,
        key,
        ProvingAssignment.of(Toy.circuit()),
        ProofCheck.verifying(key.vk(), Toy.inputs()),
        new Plan(0, 2, Progress.NONE));
  }
}
