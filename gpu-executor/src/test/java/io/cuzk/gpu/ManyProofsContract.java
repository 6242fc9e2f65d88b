package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.bench.SyntheticKey;
import io.cuzk.circuit.Assignment;
import io.cuzk.groth16.Blinding;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.HostPinning;
import io.cuzk.prover.PhaseTimer;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Proofs one after another and two at a time: none is wrong, none leaves device memory behind. */
abstract class ManyProofsContract {
  @TempDir private Path directory;

  abstract GpuDevice open();

  /** How many to make, besides the first of each key. */
  abstract int proofs();

  @Test
  void deviceMemoryStaysFlat() throws Exception {
    try (Workers workers = Workers.of(2);
        FewRows few = new FewRows(directory, workers)) {
      GpuDevice real = open();
      long before = real.freeBytes();
      GpuDevice device = PlantedDevice.before(real).keptOpen().device();
      try (CudaBackend backend = CudaBackend.on(device, workers, HostPinning.RING);
          ExecutorService two = Executors.newFixedThreadPool(2)) {
        Callable<String> proof =
            () ->
                backend
                    .prove(
                        few.key(), FewRows.assignment(), FewRows.BLINDING, PhaseTimer.of(workers))
                    .hex();
        assertThat(proof.call()).isEqualTo(few.expected());
        long withKey = real.freeBytes();
        Future<String> last = two.submit(proof);
        for (int i = 1; i < proofs(); i++) {
          Future<String> next = two.submit(proof);
          assertThat(last.get()).as("proof %d", i).isEqualTo(few.expected());
          last = next;
        }
        assertThat(last.get()).isEqualTo(few.expected());
        FreeMemory.requireBack(real, withKey);
        // A key of another circuit takes the place of this one.
        Assignment assignment = FewRows.assignment();
        SyntheticKey other = SyntheticKey.of("few rows", assignment, workers);
        Blinding blinding = Blinding.random();
        other.require(
            backend.prove(other.key(), assignment, blinding, PhaseTimer.of(workers)),
            blinding,
            backend.device());
        FreeMemory.requireBack(real, withKey);
      }
      FreeMemory.requireBack(real, before);
      real.close();
    }
  }
}
