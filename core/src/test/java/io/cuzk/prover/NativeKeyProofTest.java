package io.cuzk.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.circuit.Assignment;
import io.cuzk.circuit.ProvingAssignment;
import io.cuzk.field.Arithmetic;
import io.cuzk.field.Fr;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.NativeKeyFile;
import io.cuzk.groth16.NativeKeyWriter;
import io.cuzk.groth16.ParameterFile;
import io.cuzk.groth16.Progress;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.ProvingKeyFile;
import io.cuzk.groth16.Toy;
import io.cuzk.lanes.Lanes;
import io.cuzk.parallel.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The golden proof by either arithmetic from either file of the same parameters. */
class NativeKeyProofTest {
  /** An arithmetic of the test's name. */
  record Provider(String name, Supplier<Arithmetic> arithmetic) {
    @Override
    public String toString() {
      return name;
    }
  }

  @TempDir Path directory;
  private final Workers workers = Workers.of(2);

  @AfterEach
  void close() {
    workers.close();
  }

  static List<Provider> providers() {
    return List.of(
        new Provider("scalar", Arithmetic::scalar), new Provider("lanes", Lanes::widest));
  }

  @ParameterizedTest
  @MethodSource("providers")
  void bothFilesGiveTheGoldenSumsAndBytes(Provider provider) throws IOException {
    Arithmetic arithmetic = provider.arithmetic().get();
    Path params = Toy.params(directory);
    Path converted = NativeKeyWriter.convert(params, workers, Progress.NONE).path();
    CpuBackend cpu = CpuBackend.of(workers, arithmetic);
    for (ProvingKeyFile file : List.of(ParameterFile.open(params), NativeKeyFile.open(converted))) {
      try (file) {
        ProvingKey key = file.provingKey();
        CpuBackend.PartialSums sums =
            cpu.sums(key, ProvingAssignment.of(Toy.circuit()), PhaseTimer.of(workers));
        CpuBackendTest.requireSums(sums, Toy.JSON.get("msm"));
        PartitionProver prover = PartitionProver.of(Synthesis.REFERENCE, cpu, key, workers);
        Blinding blinding =
            Blinding.forTests(Toy.JSON.get("r").asText(), Toy.JSON.get("s").asText());
        assertThat(
                prover
                    .prove("toy", Toy.circuit(), Toy.inputs(), blinding, prover.timer())
                    .proof()
                    .hex())
            .as("%s from %s", provider, file.layout())
            .isEqualTo(Toy.JSON.get("proof_hex_192").asText());
      }
    }
  }

  @Test
  void rowsAreLetGoOnlyByAnAssignmentForOneProof() {
    Assignment kept = ProvingAssignment.of(Toy.circuit());
    Assignment once = kept.once();
    CpuBackend cpu = CpuBackend.of(workers, Arithmetic.scalar());
    cpu.quotient(kept);
    cpu.quotient(kept);
    cpu.quotient(once);
    assertThatThrownBy(() -> cpu.quotient(once)).hasMessageContaining("were let go");
    assertThat(once.rows()).isEqualTo(kept.rows());
    long[] out = new long[Fr.WORDS];
    assertThatThrownBy(() -> once.readA(0, 1, out, 0)).isInstanceOf(IllegalStateException.class);
    kept.readB(0, 1, out, 0);
  }
}
