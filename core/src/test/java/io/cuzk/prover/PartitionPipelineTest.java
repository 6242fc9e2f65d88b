package io.cuzk.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.DeviceException;
import io.cuzk.InfrastructureException;
import io.cuzk.ProofFailedException;
import io.cuzk.circuit.Assignment;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.ParameterFile;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.Toy;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Circuit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The toy circuit through a pipeline, on devices that a test can hold, spoil and lose. */
@Timeout(600)
class PartitionPipelineTest {
  private static final long BYTES = 1000;

  @TempDir Path directory;
  private final Workers workers = Workers.single();
  private final Devices devices = new Devices();
  private ParameterFile file;
  private ProvingKey key;

  /** Devices that compute on the CPU and do as they are told. */
  private final class Devices implements ProverBackendProvider {
    final AtomicInteger holders = new AtomicInteger();
    final AtomicInteger mostHolders = new AtomicInteger();
    final List<String> opened = Collections.synchronizedList(new ArrayList<>());
    final List<String> closed = Collections.synchronizedList(new ArrayList<>());
    volatile Runnable before = () -> {};
    volatile Runnable opening = () -> {};
    volatile Runnable readying = () -> {};
    volatile int atOnce = 1;
    volatile String wrong = "";
    volatile String calledAs;
    volatile int busy;

    @Override
    public String name() {
      return "test";
    }

    @Override
    public int priority() {
      return -1;
    }

    @Override
    public int proofsAtOnce() {
      return atOnce;
    }

    @Override
    public Optional<String> unavailable() {
      return Optional.empty();
    }

    @Override
    public ProverBackend open(int device, Workers pool) {
      opening.run();
      if (device == 9) {
        throw new IllegalStateException("broken card");
      }
      if (busy > 0) {
        busy--;
        throw new DeviceException(
            busy % 2 == 0 ? DeviceException.Kind.BUSY : DeviceException.Kind.OUT_OF_MEMORY,
            "another process has the card");
      }
      opened.add("" + device);
      CpuBackend cpu = CpuBackend.of(pool);
      return new ProverBackend() {
        @Override
        public String name() {
          return "test";
        }

        @Override
        public String device() {
          return "test device " + device;
        }

        @Override
        public Optional<String> address() {
          return Optional.of(calledAs == null ? "" + device : calledAs);
        }

        @Override
        public void ready(ProvingKey k, Assignment assignment, PhaseTimer timer) {
          timer.run("key.load", readying);
        }

        @Override
        public void close() {
          closed.add("" + device);
        }

        @Override
        public Proof prove(ProvingKey k, Assignment assignment, Blinding b, PhaseTimer timer) {
          throw new AssertionError("the pipeline asks for the device's part");
        }

        @Override
        public Supplier<Proof> proveOnDevice(
            ProvingKey k, Assignment assignment, Blinding b, PhaseTimer timer) {
          mostHolders.accumulateAndGet(holders.incrementAndGet(), Math::max);
          try {
            before.run();
            byte[] proof = cpu.prove(k, assignment, b, timer).encode();
            if (wrong.equals("" + device)) {
              System.arraycopy(proof, 144, proof, 0, 48); // C in the place of A
            }
            return () -> Proof.decode(proof);
          } finally {
            holders.decrementAndGet();
          }
        }
      };
    }
  }

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

  private PartitionPipeline pipeline(long budget, String... addresses) {
    return PartitionPipeline.of(
        MemoryBudget.of(budget),
        DevicePool.of(devices, List.of(addresses), workers),
        Duration.ofSeconds(60));
  }

  private PartitionPipeline.Request request(int number, String address) {
    return request(number, address, Synthesis.REFERENCE);
  }

  private PartitionPipeline.Request request(int number, String address, Synthesis synthesis) {
    return request(number, address, synthesis, Set.of());
  }

  private PartitionPipeline.Request request(
      int number, String address, Synthesis synthesis, Set<String> avoid) {
    return new PartitionPipeline.Request(
        "partition " + number,
        Toy.circuit(),
        Toy.inputs(),
        synthesis,
        BYTES,
        key,
        Blinding.random(),
        PartitionOrder.of(number),
        address,
        avoid,
        workers);
  }

  private ProvedPartition prove(PartitionPipeline pipeline, PartitionPipeline.Request request) {
    return pipeline.prove(request, PhaseTimer.of(workers), (device, address) -> {});
  }

  @Test
  void theNextIsSynthesisedWhileTheFirstIsOnTheDeviceAsFarAsTheBudgetGoes() throws Exception {
    CountDownLatch free = new CountDownLatch(1);
    AtomicInteger synthesised = new AtomicInteger();
    devices.before =
        () -> {
          try {
            free.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    Synthesis counting =
        new Synthesis() {
          @Override
          public String name() {
            return "counting";
          }

          @Override
          public Assignment synthesize(Circuit circuit, PhaseTimer timer) {
            synthesised.incrementAndGet();
            return new Sized(Synthesis.REFERENCE.synthesize(circuit, timer));
          }
        };
    PartitionPipeline pipeline = pipeline(3 * BYTES, "4");
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<ProvedPartition>> all = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        int number = i;
        all.add(threads.submit(() -> prove(pipeline, request(number, "4", counting))));
      }
      // one on the device, two more synthesised: the budget is full, two wait for it
      while (synthesised.get() < 3
          || pipeline.budget().waiting() < 2
          || devices.holders.get() < 1) {
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(pipeline.budget().used()).isEqualTo(3 * BYTES);
      assertThat(synthesised).hasValue(3);
      assertThat(devices.holders).hasValue(1);
      free.countDown();
      for (Future<ProvedPartition> each : all) {
        assertThat(each.get().device()).isEqualTo("test device 4");
      }
    }
    assertThat(devices.mostHolders).hasValue(1);
    assertThat(devices.opened).containsExactly("4"); // once for all
    assertThat(pipeline.budget().used()).isZero();
    assertThat(pipeline.devices().busyNanos()).isPositive();
    assertThat(pipeline.waitNanos()).isPositive();
  }

  /** An assignment that says it has {@link #BYTES} bytes. */
  private record Sized(Assignment of) implements Assignment {
    @Override
    public int inputs() {
      return of.inputs();
    }

    @Override
    public int aux() {
      return of.aux();
    }

    @Override
    public long rows() {
      return of.rows();
    }

    @Override
    public long bytes() {
      return BYTES;
    }

    @Override
    public void readInputs(int from, int n, long[] out, int at) {
      of.readInputs(from, n, out, at);
    }

    @Override
    public void readAux(int from, int n, long[] out, int at) {
      of.readAux(from, n, out, at);
    }

    @Override
    public long[] auxOnes() {
      return of.auxOnes();
    }

    @Override
    public long[] auxOthers() {
      return of.auxOthers();
    }

    @Override
    public void readA(long row, int n, long[] out, int at) {
      of.readA(row, n, out, at);
    }

    @Override
    public void readB(long row, int n, long[] out, int at) {
      of.readB(row, n, out, at);
    }

    @Override
    public io.cuzk.r1cs.Density aAux() {
      return of.aAux();
    }

    @Override
    public io.cuzk.r1cs.Density bInputs() {
      return of.bInputs();
    }

    @Override
    public io.cuzk.r1cs.Density bAux() {
      return of.bAux();
    }
  }

  /** A slow file system is no device that hangs: 20 MB of points have a second more. */
  @Test
  void theKeyHasALimitOfItsOwnBeforeTheProofs() {
    long points = 96L * (key.h().size() + key.l().size() + key.a().size() + key.bG1().size());
    assertThat(key.pointBytes()).isEqualTo(points + 192L * key.bG2().size());
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    devices.readying = () -> order.add("key");
    devices.before = () -> order.add("proof");
    PhaseTimer timer = PhaseTimer.of(workers);
    pipeline(BYTES, "4").prove(request(1, "4"), timer, (device, address) -> order.add("device"));
    assertThat(order).containsExactly("device", "key", "proof");
    assertThat(timer.phases()).extracting(Phase::name).contains("key.load");

    CountDownLatch never = new CountDownLatch(1);
    devices.readying =
        () -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            // a driver does not listen, but the test ends
          }
        };
    DevicePool pool = DevicePool.of(devices, List.of("5"), workers);
    PartitionPipeline slow =
        PartitionPipeline.of(MemoryBudget.of(BYTES), pool, Duration.ofMillis(500));
    assertThatThrownBy(() -> prove(slow, request(2, "5")))
        .isInstanceOf(DeviceException.class)
        .hasMessageStartingWith("the key for partition 2 on backend test, device test device 5")
        .hasMessageContaining(
            "no answer within %d ms".formatted(500 + key.pointBytes() / 20_000)); // bytes a ms
    never.countDown();
  }

  @Test
  void whatTwoProofsShareOfADeviceCountsOnce() throws Exception {
    devices.atOnce = 2;
    CountDownLatch both = new CountDownLatch(2);
    devices.before =
        () -> {
          try {
            both.countDown();
            both.await();
            Thread.sleep(500);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    PartitionPipeline pipeline = pipeline(2 * BYTES, "4");
    long begun = System.nanoTime();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<ProvedPartition> one = threads.submit(() -> prove(pipeline, request(0, "4")));
      Future<ProvedPartition> other = threads.submit(() -> prove(pipeline, request(1, "4")));
      one.get();
      other.get();
    }
    long wall = System.nanoTime() - begun;
    assertThat(devices.mostHolders).hasValue(2);
    assertThat(pipeline.devices().busyNanos()).isBetween(500_000_000L, wall);
    long after = pipeline.devices().busyNanos();
    assertThat(pipeline.devices().busyNanos()).as("nothing is at work").isEqualTo(after);
  }

  @Test
  void twoAddressesProveAtOnceAndNeitherTwice() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    devices.before =
        () -> {
          both.countDown();
          try {
            both.await(); // neither goes on before the other has begun
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    PartitionPipeline pipeline = pipeline(10 * BYTES, "0", "1");
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        int number = i;
        all.add(
            threads.submit(
                () ->
                    pipeline.prove(
                        request(number, "" + number % 2),
                        PhaseTimer.of(workers),
                        (device, address) -> told.add(address.orElseThrow()))));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
    assertThat(devices.mostHolders).hasValue(2);
    assertThat(told).containsExactlyInAnyOrder("0", "1", "0", "1", "0", "1");
  }

  @Test
  void aWrongProofIsDroppedAndTheSecondExcludesTheDevice() {
    devices.wrong = "0";
    PartitionPipeline pipeline = pipeline(10 * BYTES, "0", "1");
    assertThatThrownBy(() -> prove(pipeline, request(0, "0")))
        .isInstanceOf(ProofFailedException.class)
        .hasMessageContaining("partition 0")
        .hasMessageContaining("test device 0");
    assertThat(pipeline.devices().health().getFirst().strikes()).isEqualTo(1);
    assertThat(pipeline.devices().health().getFirst().excluded()).isEmpty();
    assertThatThrownBy(() -> prove(pipeline, request(1, "0")))
        .isInstanceOf(ProofFailedException.class);
    assertThat(pipeline.devices().health().getFirst().excluded().orElseThrow())
        .contains("failed 2 times", "partition 0", "partition 1");
    // who is sent there gets the other one
    assertThat(prove(pipeline, request(2, "0")).device()).isEqualTo("test device 1");
    devices.wrong = "1";
    for (int i = 3; i < 5; i++) {
      int number = i;
      assertThatThrownBy(() -> prove(pipeline, request(number, "1")))
          .isInstanceOf(ProofFailedException.class);
    }
    assertThatThrownBy(() -> prove(pipeline, request(5, "1")))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("no device of this process is left")
        .hasMessageContaining("device 0 is excluded")
        .hasMessageContaining("device 1 is excluded");
    assertThat(pipeline.budget().used()).isZero();
  }

  @Test
  void aStrikeIsForgottenAfterAHundredGoodProofsInARowAndNotBefore() {
    assertThat(excludedAfterGoodProofs(DevicePool.GOOD_PROOFS_FORGIVE - 1)).isTrue();
    assertThat(excludedAfterGoodProofs(DevicePool.GOOD_PROOFS_FORGIVE)).isFalse();
  }

  /** One bad proof, so many good ones, the last of which is really made, and another bad one. */
  private boolean excludedAfterGoodProofs(int good) {
    PartitionPipeline pipeline = pipeline(10 * BYTES, "0");
    proveWrongly(pipeline);
    devices.wrong = "";
    for (int i = 1; i < good; i++) {
      try (DeviceLease lease = pipeline.devices().lease("0", PartitionOrder.of(i))) {
        lease.verified();
      }
    }
    prove(pipeline, request(0, "0"));
    assertThat(pipeline.devices().health().getFirst().strikes())
        .isEqualTo(good < DevicePool.GOOD_PROOFS_FORGIVE ? 1 : 0);
    proveWrongly(pipeline);
    return pipeline.devices().health().getFirst().excluded().isPresent();
  }

  private void proveWrongly(PartitionPipeline pipeline) {
    devices.wrong = "0";
    assertThatThrownBy(() -> prove(pipeline, request(0, "0")))
        .isInstanceOf(ProofFailedException.class);
  }

  @Test
  void aSuspectDeviceIsAvoidedWhileThereIsAnother() {
    PartitionPipeline pipeline = pipeline(10 * BYTES, "0", "1");
    Synthesis plain = Synthesis.REFERENCE;
    assertThat(prove(pipeline, request(0, "0", plain, Set.of("0"))).device())
        .isEqualTo("test device 1");
    assertThat(prove(pipeline, request(0, "0", plain, Set.of("0", "1"))).device())
        .isEqualTo("test device 0");
  }

  @Test
  void aDeviceThatDoesNotAnswerIsNamedAndNotLentAgain() {
    CountDownLatch never = new CountDownLatch(1);
    devices.before =
        () -> {
          boolean interrupted = false;
          while (never.getCount() > 0) {
            try {
              never.await();
            } catch (InterruptedException e) {
              interrupted = true; // a driver does not listen
            }
          }
          if (interrupted) {
            Thread.currentThread().interrupt();
          }
        };
    PartitionPipeline pipeline =
        PartitionPipeline.of(
            MemoryBudget.of(10 * BYTES),
            DevicePool.of(devices, List.of("3", "5"), workers),
            Duration.ofSeconds(10));
    assertThatThrownBy(() -> prove(pipeline, request(0, "3")))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.FATAL))
        .hasMessageContaining("partition 0")
        .hasMessageContaining("test device 3 (address 3): no answer within 10000 ms");
    devices.before = () -> {};
    assertThat(pipeline.devices().health().getFirst().lost()).isTrue();
    long held = pipeline.budget().used();
    assertThat(held).as("what the thread that hangs has").isPositive();
    assertThat(prove(pipeline, request(1, "3")).device()).isEqualTo("test device 5");
    assertThat(pipeline.budget().used()).isEqualTo(held);
    never.countDown();
    awaitTrue(() -> pipeline.budget().used() == 0);
  }

  private static void awaitTrue(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Who waits for the device has no limit; the one who was cancelled does not wait any more. */
  @Test
  void aDeviceThatHangsAfterItsTaskWasCancelledIsLostWhenItsTimeIsOver() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    DevicePool pool = DevicePool.of(devices, List.of("3"), workers);
    cancelled(pool, Duration.ofSeconds(60), () -> {});
    cancelled(pool, Duration.ofMillis(500), () -> awaitTrue(() -> never.getCount() == 0));
    assertThatThrownBy(() -> pool.lease("3", PartitionOrder.of(2)))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("no device of this process is left")
        .hasMessageContaining("the work on backend test, device test device 3 (address 3)")
        .hasMessageContaining("no answer within 500 ms; the device hangs");
    assertThat(pool.health().getFirst().lost()).isTrue();
    never.countDown();
  }

  /** The caller is interrupted before the work on the device has ended. */
  private static void cancelled(DevicePool pool, Duration limit, Runnable work) {
    CountDownLatch gone = new CountDownLatch(1);
    DeviceLease lease = pool.lease("3", PartitionOrder.of(0));
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () ->
                lease.within(
                    limit,
                    "the work",
                    () -> {
                      awaitTrue(() -> gone.getCount() == 0);
                      work.run();
                      return null;
                    }))
        .isExactlyInstanceOf(InfrastructureException.class)
        .hasMessageStartingWith("the work was interrupted on backend test");
    assertThat(Thread.interrupted()).isTrue();
    lease.close();
    gone.countDown();
  }

  @Test
  void whatADeviceThatHangsHoldsStarvesNobodySilently() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    devices.before = () -> awaitTrue(() -> never.getCount() == 0);
    PartitionPipeline pipeline =
        PartitionPipeline.of(
            MemoryBudget.of(BYTES),
            DevicePool.of(devices, List.of("3", "5"), workers),
            Duration.ofSeconds(10));
    Synthesis sized =
        new Synthesis() {
          @Override
          public String name() {
            return "sized";
          }

          @Override
          public Assignment synthesize(Circuit circuit, PhaseTimer timer) {
            return new Sized(Synthesis.REFERENCE.synthesize(circuit, timer));
          }
        };
    FutureTask<ProvedPartition> first =
        new FutureTask<>(() -> prove(pipeline, request(0, "3", sized)));
    Thread.ofPlatform().daemon().start(first);
    awaitTrue(() -> devices.holders.get() == 1);
    FutureTask<ProvedPartition> next =
        new FutureTask<>(() -> prove(pipeline, request(1, "5", sized)));
    Thread.ofPlatform().daemon().start(next);
    assertThatThrownBy(first::get).hasMessageContaining("no answer within 10000 ms");
    assertThatThrownBy(next::get)
        .hasCauseInstanceOf(DeviceException.class)
        .hasMessageContaining("partition 1 needs 1000 bytes (0 MiB)")
        .hasMessageContaining("of the 1000 bytes (0 MiB)")
        .hasMessageContaining("1000 bytes (0 MiB) are held by a device that hangs");
    // no device of this process is of use: another process may take its place
    assertThat(pipeline.devices().health())
        .allSatisfy(
            each -> {
              assertThat(each.excluded()).isPresent();
              assertThat(each.lost()).isTrue();
            });
    assertThat(pipeline.devices().health().getLast().excluded().orElseThrow())
        .contains("are held by a device that hangs");
    assertThat(pipeline.budget().used()).isEqualTo(BYTES);
    never.countDown();
    awaitTrue(() -> pipeline.budget().used() == 0);
  }

  @Test
  void aDriverThatHangsWhileADeviceIsOpenedIsNamedAndWhatItOpensAtLastIsClosed() {
    CountDownLatch never = new CountDownLatch(1);
    devices.opening =
        () -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    DevicePool pool = DevicePool.of(devices, List.of("3", "5"), workers, Duration.ofSeconds(3));
    assertThatThrownBy(() -> pool.lease("3", PartitionOrder.of(0)))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.FATAL))
        .hasMessageContaining(
            "device 3 of backend test was not open within 3000 ms; its driver hangs");
    assertThat(pool.health().getFirst().excluded().orElseThrow()).contains("its driver hangs");
    assertThat(pool.health().getFirst().lost()).isFalse();
    devices.opening = () -> {};
    try (DeviceLease lease = pool.lease("3", PartitionOrder.of(0))) {
      assertThat(lease.backend().device()).isEqualTo("test device 5");
    }
    never.countDown();
    awaitTrue(() -> devices.closed.contains("3"));
    pool.close();
    assertThat(devices.closed).containsExactly("3", "5");
  }

  @Test
  void aDeviceThatCannotBeOpenedOrIsAnotherOneIsExcludedAtOnce() {
    PartitionPipeline pipeline = pipeline(10 * BYTES, "9", "1");
    assertThatThrownBy(() -> prove(pipeline, request(0, "9")))
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.kind()).isEqualTo(DeviceException.Kind.FATAL))
        .hasMessageContaining("device 9 of backend test cannot be opened: broken card");
    assertThat(prove(pipeline, request(1, "9")).device()).isEqualTo("test device 1");

    devices.calledAs = "7";
    PartitionPipeline other = pipeline(10 * BYTES, "0");
    assertThatThrownBy(() -> prove(other, request(0, "0")))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("opened device 7 where 0 was assigned");
  }

  @Test
  void aDeviceThatIsBusyWhenItIsOpenedIsNotLostAndTheSecondTimeExcluded() {
    devices.busy = 1;
    PartitionPipeline pipeline = pipeline(10 * BYTES, "0");
    assertThatThrownBy(() -> prove(pipeline, request(0, "0")))
        .isExactlyInstanceOf(InfrastructureException.class)
        .hasMessageContaining("device 0 of backend test cannot be opened: another process has");
    assertThat(pipeline.devices().health().getFirst().strikes()).isEqualTo(1);
    assertThat(prove(pipeline, request(0, "0")).device()).isEqualTo("test device 0");

    devices.busy = 2;
    PartitionPipeline other = pipeline(10 * BYTES, "0");
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> prove(other, request(0, "0")))
          .isExactlyInstanceOf(InfrastructureException.class);
    }
    assertThat(other.devices().health().getFirst().excluded().orElseThrow())
        .contains("failed 2 times", "another process has the card");
    assertThatThrownBy(() -> prove(other, request(0, "0")))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("no device of this process is left");
  }

  @Test
  void whatTheBudgetCannotHoldFailsBeforeItIsSynthesised() {
    PartitionPipeline pipeline = pipeline(BYTES - 1, "0");
    assertThatThrownBy(() -> prove(pipeline, request(0, "0")))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("partition 0 needs 1000 bytes")
        .hasMessageContaining("999 bytes");
    assertThat(devices.opened).isEmpty();
  }

  @Test
  void theCpuIsSharedWithoutAddressesAndOneAtATimeWithThem() {
    ProverBackendProvider cpu = new CpuBackend.Provider();
    DevicePool shared = DevicePool.of(cpu, List.of(), workers);
    try (DeviceLease one = shared.lease(null, PartitionOrder.of(0));
        DeviceLease two = shared.lease(null, PartitionOrder.of(1))) {
      assertThat(one.isDevice()).isFalse();
      assertThat(two.backend()).isSameAs(one.backend());
      assertThat(one.address()).isEmpty();
    }
    DevicePool addressed = DevicePool.of(cpu, List.of("0", "GPU-1"), workers);
    try (DeviceLease one = addressed.lease("GPU-1", PartitionOrder.of(0))) {
      assertThat(one.isDevice()).isTrue();
      assertThat(one.address()).contains("GPU-1");
    }
    assertThatThrownBy(() -> addressed.lease("2", PartitionOrder.of(0)))
        .hasMessageContaining("device 2 is none of this process's [0, GPU-1]");
  }
}
