package io.cuzk.prover;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.circuit.Assignment;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.ParameterFile;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.Toy;
import io.cuzk.parallel.Workers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two proofs at once in one process: the CPU time of a phase is that of its own proof. */
@Timeout(120)
class OwnCpuTimeTest {
  private static final long BURNT_NANOS = 400_000_000;

  @TempDir private Path directory;

  /** The last bits of the CPU's proofs, after a phase that burns or waits for who burns. */
  private record Burning(Workers workers, CountDownLatch begun, CountDownLatch burnt)
      implements ProverBackend {
    @Override
    public String name() {
      return "cpu";
    }

    @Override
    public String device() {
      return "cpu";
    }

    @Override
    public ProverBackend on(Workers own) {
      return new Burning(own, begun, burnt);
    }

    @Override
    public Proof prove(ProvingKey key, Assignment assignment, Blinding b, PhaseTimer timer) {
      timer.run("quotient", workers.threads() == 3 ? this::burn : this::sit);
      return CpuBackend.of(workers).prove(key, assignment, b, timer);
    }

    private void burn() {
      await(begun);
      workers.forRanges(
          3,
          1,
          (from, to) -> {
            long end = Workers.threadCpuNanos() + BURNT_NANOS * (to - from);
            while (Workers.threadCpuNanos() < end) {
              Thread.onSpinWait();
            }
          });
      burnt.countDown();
    }

    private void sit() {
      begun.countDown();
      await(burnt);
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final class Provider implements ProverBackendProvider {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch burnt = new CountDownLatch(1);

    @Override
    public String name() {
      return "cpu";
    }

    @Override
    public int priority() {
      return 0;
    }

    @Override
    public Optional<String> unavailable() {
      return Optional.empty();
    }

    @Override
    public boolean concurrent() {
      return true;
    }

    @Override
    public ProverBackend open(int device, Workers workers) {
      return new Burning(workers, begun, burnt);
    }
  }

  private static long cpuNanos(ProvedPartition proved) {
    return proved.phases().stream()
        .filter(phase -> phase.name().equals("quotient"))
        .mapToLong(Phase::cpuNanos)
        .sum();
  }

  @Test
  void aNeighboursWorkIsNotCounted() throws Exception {
    try (ParameterFile file = ParameterFile.open(Toy.params(directory));
        Workers shared = Workers.single();
        Workers busy = Workers.of(3);
        Workers idle = Workers.of(2);
        ExecutorService threads = Executors.newCachedThreadPool()) {
      PartitionPipeline pipeline =
          PartitionPipeline.of(
              MemoryBudget.of(1 << 20),
              DevicePool.of(new Provider(), List.of(), shared),
              Duration.ofMinutes(1));
      Future<ProvedPartition> burns = threads.submit(() -> prove(pipeline, file, busy, shared));
      Future<ProvedPartition> sits = threads.submit(() -> prove(pipeline, file, idle, shared));
      assertThat(cpuNanos(burns.get())).isGreaterThanOrEqualTo(3 * BURNT_NANOS);
      assertThat(cpuNanos(sits.get())).isLessThan(BURNT_NANOS);
    }
  }

  private static ProvedPartition prove(
      PartitionPipeline pipeline, ParameterFile file, Workers own, Workers shared) {
    return pipeline.prove(
        new PartitionPipeline.Request(
            "partition " + own.threads(),
            Toy.circuit(),
            Toy.inputs(),
            Synthesis.REFERENCE,
            1000,
            file.provingKey(),
            Blinding.random(),
            PartitionOrder.of(0),
            null,
            Set.of(),
            own),
        PhaseTimer.of(own, shared),
        (device, address) -> {});
  }
}
