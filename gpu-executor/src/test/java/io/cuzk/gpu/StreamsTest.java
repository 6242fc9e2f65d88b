package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.DeviceException;
import io.cuzk.circuit.Assignment;
import io.cuzk.circuit.CompiledCircuit;
import io.cuzk.gpu.simulator.SimulatedDevice;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.HostPinning;
import io.cuzk.prover.Phase;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.r1cs.Circuit;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The order of work on a device's streams, with proofs of a circuit of a few rows. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StreamsTest {
  @TempDir static Path directory;

  private final Workers workers = Workers.of(2);
  private FewRows few;
  private String expected;

  @BeforeAll
  void makeKey() {
    few = new FewRows(directory, workers);
    expected = few.expected();
  }

  @AfterAll
  void close() {
    few.close();
    workers.close();
  }

  private String prove(CudaBackend backend, PhaseTimer timer) {
    return backend.prove(few.key(), FewRows.assignment(), FewRows.BLINDING, timer).hex();
  }

  private CudaBackend on(PlantedDevice planted) {
    return CudaBackend.on(planted.device(), workers, HostPinning.RING);
  }

  /**
   * Each wait by itself: without it what was not yet uploaded is read, in one order or the other.
   */
  @Test
  void everyWaitBetweenStreamsIsNeeded() {
    PlantedDevice whole = PlantedDevice.before(SimulatedDevice.eager(32));
    try (CudaBackend backend = on(whole)) {
      assertThat(prove(backend, PhaseTimer.of(workers))).isEqualTo(expected);
    }
    assertThat(whole.awaits()).as("waits of a proof").isBetween(2, 10);
    for (int k = 0; k < whole.awaits(); k++) {
      List<String> faults = new ArrayList<>();
      for (SimulatedDevice device : List.of(SimulatedDevice.eager(32), SimulatedDevice.fast(32))) {
        int dropped = k;
        CudaBackend backend = on(PlantedDevice.before(device).forgetting(i -> i == dropped));
        try {
          prove(backend, PhaseTimer.of(workers));
        } catch (DeviceException e) {
          faults.add(e.getMessage());
        }
      }
      assertThat(faults)
          .as("without wait %d", k)
          .isNotEmpty()
          .allMatch(fault -> fault.contains("were never written"));
    }
  }

  /** The last kernel of the first proof begins only when the second one's data went over. */
  @Test
  void theNextProofsDataGoOverWhileTheKernelsOfOneRun() throws Exception {
    AtomicInteger uploads = new AtomicInteger();
    CountDownLatch computing = new CountDownLatch(1);
    CountDownLatch ahead = new CountDownLatch(1);
    AtomicInteger seen = new AtomicInteger(Integer.MAX_VALUE);
    SimulatedDevice simulated = SimulatedDevice.fast(64);
    PlantedDevice planted =
        PlantedDevice.before(simulated)
            .telling(
                kernel -> {
                  if (kernel.equals("g2_sum_listed") || kernel.equals("g2_reduce")) {
                    seen.compareAndSet(Integer.MAX_VALUE, uploads.get());
                    computing.countDown();
                    await(ahead);
                  }
                },
                () -> {
                  // Two sides of rows and the first scalars.
                  if (uploads.incrementAndGet() >= seen.get() + 3) {
                    ahead.countDown();
                  }
                });
    try (ExecutorService threads = Executors.newCachedThreadPool();
        CudaBackend backend = on(planted)) {
      Future<String> first = threads.submit(() -> prove(backend, PhaseTimer.of(workers)));
      await(computing);
      PhaseTimer timer = PhaseTimer.of(workers);
      Future<String> second = threads.submit(() -> prove(backend, timer));
      assertThat(first.get(20, TimeUnit.MINUTES)).isEqualTo(expected);
      assertThat(second.get(20, TimeUnit.MINUTES)).isEqualTo(expected);
      assertThat(ahead.getCount()).as("sent before the first proof's last kernel").isZero();
      Map<String, Phase> phases = byName(timer);
      // How long it waited is the scheduler's: on a busy machine the first may have ended by then.
      assertThat(phases).containsKey("mutex_wait");
      Phase upload = phases.get("upload");
      assertThat(upload.startNanos()).isLessThan(phases.get("quotient").startNanos());
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(20, TimeUnit.MINUTES)) {
        throw new IllegalStateException("nothing went over beside the kernels");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, Phase> byName(PhaseTimer timer) {
    return timer.phases().stream().collect(Collectors.toMap(Phase::name, phase -> phase));
  }

  /** What the device gives back before the proof is put together is all that a proof took. */
  @Test
  void theDeviceIsFreeBeforeTheProofIsAssembled() {
    SimulatedDevice simulated = SimulatedDevice.fast(32);
    try (CudaBackend backend = CudaBackend.on(simulated, workers, HostPinning.RING)) {
      prove(backend, PhaseTimer.of(workers));
      final long baseline = simulated.freeBytes();
      PhaseTimer timer = PhaseTimer.of(workers);
      var rest = backend.proveOnDevice(few.key(), FewRows.assignment(), FewRows.BLINDING, timer);
      assertThat(simulated.freeBytes()).as("free bytes").isEqualTo(baseline);
      long instructions = simulated.executed();
      assertThat(byName(timer)).doesNotContainKey("assemble").containsKey("gpu_total");
      assertThat(prove(backend, PhaseTimer.of(workers)))
          .as("another in between")
          .isEqualTo(expected);
      long after = simulated.executed();
      assertThat(after).isGreaterThan(instructions);
      assertThat(rest.get().hex()).isEqualTo(expected);
      assertThat(simulated.executed()).as("instructions, the tail's included").isEqualTo(after);
    }
  }

  /** No phase holds the loading of a kernel, of the first proof neither. */
  @Test
  void allKernelsAreLoadedBeforeTheFirstStarts() {
    List<String> calls = new ArrayList<>();
    PlantedDevice planted = PlantedDevice.before(SimulatedDevice.fast(32)).logging(calls::add);
    try (CudaBackend backend = on(planted)) {
      assertThat(prove(backend, PhaseTimer.of(workers))).isEqualTo(expected);
    }
    assertThat(calls).contains("load", "launch");
    assertThat(calls.lastIndexOf("load")).isLessThan(calls.indexOf("launch"));
  }

  /**
   * A proof waits for uploads, and begins its time, only while no other proof can send: else what
   * the next one has sent would be waited for, and what the one before has sent be counted.
   */
  @Test
  void waitsAndTimesAreTheProofsOwn() {
    AtomicReference<CudaBackend> on = new AtomicReference<>();
    List<String> early = new ArrayList<>();
    List<String> late = new ArrayList<>();
    AtomicInteger waits = new AtomicInteger();
    PlantedDevice planted =
        PlantedDevice.before(SimulatedDevice.fast(32))
            .logging(
                call -> {
                  CudaBackend backend = on.get();
                  if (backend == null) {
                    return;
                  }
                  if (call.equals("await")) {
                    waits.incrementAndGet();
                    if (!backend.isSending()) {
                      late.add(call);
                    }
                  } else if (call.equals("record")
                      && !backend.isSending()
                      && !backend.isComputing()) {
                    early.add(call);
                  }
                });
    try (CudaBackend backend = on(planted)) {
      prove(backend, PhaseTimer.of(workers)); // the key stays
      on.set(backend);
      prove(backend, PhaseTimer.of(workers));
      on.set(null);
    }
    assertThat(waits.get()).isEqualTo(2);
    assertThat(late).as("waits when others may have sent").isEmpty();
    assertThat(early).as("records before a turn").isEmpty();
  }

  /** What a proof's rows take on the device is what was counted for them. */
  @Test
  void rowsTakeWhatIsCounted() {
    Circuit circuit = FewRows.circuit();
    Assignment compact = CompiledCircuit.compile("few", circuit).assign(circuit, workers);
    assertThat(compact.compactRowBytes()).isPositive();
    SimulatedDevice device = SimulatedDevice.fast(32);
    DeviceStream uploads = device.stream();
    try (DeviceKernels kernels = new DeviceKernels(device);
        Staging staging = new Staging(device, uploads, workers, HostPinning.RING)) {
      for (Assignment assignment : List.of(compact, FewRows.assignment())) {
        long before = device.freeBytes();
        try (DeviceProof proof =
            new DeviceProof(kernels, staging, uploads, device.stream(), assignment)) {
          proof.begin();
          proof.uploadRows();
          uploads.synchronize();
          // Four allocations at most are rounded up.
          assertThat(before - device.freeBytes())
              .isBetween(proof.rowBytes() - 4 * 512, proof.rowBytes() + 4 * 512);
          assertThat(DeviceProof.leastBytes(assignment)).isGreaterThan(proof.rowBytes());
        }
        assertThat(device.freeBytes()).isEqualTo(before);
      }
    }
  }

  /** Device times are of the order in which the device works, and add up. */
  @Test
  void phasesByEventsAddUp() {
    try (CudaBackend backend =
        CudaBackend.on(SimulatedDevice.fast(32), workers, HostPinning.RING)) {
      PhaseTimer timer = PhaseTimer.of(workers);
      prove(backend, timer);
      Map<String, Phase> phases = byName(timer);
      assertThat(phases.values()).allSatisfy(p -> assertThat(p.wallNanos()).isNotNegative());
      String[] order = {"upload", "quotient", "msm.h", "msm.l", "msm.a", "msm.b1", "msm.b2"};
      for (int i = 1; i < order.length; i++) {
        assertThat(phases.get(order[i]).startNanos())
            .as("%s after %s", order[i], order[i - 1])
            .isGreaterThanOrEqualTo(phases.get(order[i - 1]).startNanos());
      }
      assertThat(sum(phases, "quotient", "msm.h")).isEqualTo(sum(phases, "ntt_msm_h"));
      assertThat(sum(phases, "msm.l", "msm.a", "msm.b1"))
          .isEqualTo(sum(phases, "batch_add", "tail_msm"));
      assertThat(sum(phases, "msm.b2")).isEqualTo(sum(phases, "b_g2_msm"));
      long parts = sum(phases, "quotient", "msm.h", "msm.l", "msm.a", "msm.b1", "msm.b2");
      assertThat(parts).isPositive().isLessThanOrEqualTo(sum(phases, "gpu_total"));
      assertThat(sum(phases, "gpu_total")).isLessThanOrEqualTo(sum(phases, "mutex_held"));
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      TimingLines.print(timer.phases(), new PrintStream(text, true, StandardCharsets.UTF_8));
      assertThat(text.toString(StandardCharsets.UTF_8).lines())
          .allMatch(
              line -> line.matches("CUZK_TIMING: (gpu_tid=0 )?(\\w+_ms=\\d+ ?)+(num_circuits=1)?"))
          .contains(
              "CUZK_TIMING: gpu_tid=0 ntt_msm_h_ms=" + sum(phases, "ntt_msm_h") / 1_000_000,
              "CUZK_TIMING: b_g2_msm_ms="
                  + sum(phases, "b_g2_msm") / 1_000_000
                  + " num_circuits=1");
    }
  }

  private static long sum(Map<String, Phase> phases, String... names) {
    long sum = 0;
    for (String name : names) {
      sum += phases.get(name).wallNanos();
    }
    return sum;
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RING")
  void otherPinningMakesTheSameProofAndUnlocksWhatItLocked(HostPinning pinning) {
    SimulatedDevice simulated = SimulatedDevice.fast(32);
    try (CudaBackend backend = CudaBackend.on(simulated, workers, pinning)) {
      final int kept = simulated.pinned();
      assertThat(kept).isZero();
      int before = simulated.pinnings();
      assertThat(prove(backend, PhaseTimer.of(workers))).isEqualTo(expected);
      assertThat(simulated.pinned()).as("locked between proofs").isEqualTo(kept);
      assertThat(simulated.pinnings() - before > 0)
          .as("locks for single proofs")
          .isEqualTo(pinning == HostPinning.REGISTER);
    }
    assertThat(simulated.pinned()).isZero();
  }

  @Test
  void whatDoesNotFitAheadWaitsForTheProofBefore() throws Exception {
    // Room for one proof: the second one's rows go over when the first is done.
    SimulatedDevice simulated = SimulatedDevice.fast(12);
    try (ExecutorService threads = Executors.newCachedThreadPool();
        CudaBackend backend = CudaBackend.on(simulated, workers, HostPinning.RING)) {
      Future<String> first = threads.submit(() -> prove(backend, PhaseTimer.of(workers)));
      Future<String> second = threads.submit(() -> prove(backend, PhaseTimer.of(workers)));
      assertThat(first.get(20, TimeUnit.MINUTES)).isEqualTo(expected);
      assertThat(second.get(20, TimeUnit.MINUTES)).isEqualTo(expected);
    }
  }
}
