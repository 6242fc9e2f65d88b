package io.cuzk.gpu;

import io.cuzk.circuit.Assignment;
import io.cuzk.circuit.ProvingAssignment;
import io.cuzk.field.Fr;
import io.cuzk.gadget.AllocatedNum;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.ParameterFile;
import io.cuzk.groth16.ParameterGenerator;
import io.cuzk.groth16.Progress;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.CpuBackend;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.r1cs.Circuit;
import java.nio.file.Path;

/** A circuit of a few rows with its key, and the proof that the CPU makes. */
final class FewRows implements AutoCloseable {
  static final Blinding BLINDING =
      Blinding.forTests(
          "0f0e0d0c0b0a09080706050403020100f0e0d0c0b0a090807060504030201000",
          "1112131415161718191a1b1c1d1e1f2021222324252627282930313233343536");

  private final ParameterFile file;
  private final String expected;

  FewRows(Path directory, Workers workers) {
    Path params = directory.resolve("v28-few.params");
    ParameterGenerator.generate(
        circuit(), params, directory.resolve("v28-few.vk"), workers, Progress.NONE);
    file = ParameterFile.open(params);
    expected =
        CpuBackend.of(workers).prove(key(), assignment(), BLINDING, PhaseTimer.of(workers)).hex();
  }

  static Circuit circuit() {
    return cs -> {
      AllocatedNum x = AllocatedNum.alloc(cs, new long[] {1, 2, 3, 4}, 0);
      for (int i = 0; i < 3; i++) {
        x = x.square(cs);
      }
      x.inputize(cs);
    };
  }

  static Assignment assignment() {
    return ProvingAssignment.of(circuit());
  }

  /** Without the constant one. */
  static long[] publicInputs() {
    long[] x = {1, 2, 3, 4};
    for (int i = 0; i < 3; i++) {
      Fr.square(x, 0, x, 0);
    }
    return x;
  }

  ProvingKey key() {
    return file.provingKey();
  }

  /** Hex of the proof with {@link #BLINDING}. */
  String expected() {
    return expected;
  }

  @Override
  public void close() {
    file.close();
  }
}
