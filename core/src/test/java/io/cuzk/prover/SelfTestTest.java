package io.cuzk.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.ProofFailedException;
import io.cuzk.circuit.Assignment;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.parallel.Workers;
import org.junit.jupiter.api.Test;

class SelfTestTest {
  @Test
  void theCpuMakesTheKnownProof() {
    try (Workers workers = Workers.of(2)) {
      SelfTest.Result result = SelfTest.run(CpuBackend.of(workers), workers);
      assertThat(result.proof()).isEqualTo(SelfTest.KNOWN_ANSWER).hasSize(2 * Proof.BYTES);
      assertThat(result.phases()).extracting(Phase::name).contains("quotient", "msm.h", "verify");
    }
  }

  @Test
  void aBackendThatBlindsOtherwiseIsFoundThoughItsProofVerifies() {
    try (Workers workers = Workers.of(2)) {
      ProverBackend cpu = CpuBackend.of(workers);
      ProverBackend other =
          new ProverBackend() {
            @Override
            public String name() {
              return "other";
            }

            @Override
            public String device() {
              return "device 7";
            }

            @Override
            public Proof prove(ProvingKey key, Assignment a, Blinding blinding, PhaseTimer timer) {
              return cpu.prove(key, a, Blinding.random(), timer);
            }
          };
      assertThatThrownBy(() -> SelfTest.run(other, workers))
          .isInstanceOf(ProofFailedException.class)
          .hasMessageContaining("device 7")
          .hasMessageContaining("not the known one");
    }
  }
}
