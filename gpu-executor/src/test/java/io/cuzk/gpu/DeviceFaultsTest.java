package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cuzk.DeviceException;
import io.cuzk.ProofFailedException;
import io.cuzk.gpu.simulator.SimulatedDevice;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.DevicePool;
import io.cuzk.prover.HostPinning;
import io.cuzk.prover.MemoryBudget;
import io.cuzk.prover.PartitionOrder;
import io.cuzk.prover.PartitionPipeline;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.prover.ProvedPartition;
import io.cuzk.prover.ProverBackend;
import io.cuzk.prover.ProverBackendProvider;
import io.cuzk.prover.Synthesis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a partition on a device that fails: two simulated devices, the first is bad. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DeviceFaultsTest {
  @TempDir static Path directory;

  private final Workers workers = Workers.of(2);
  private FewRows few;

  @BeforeAll
  void makeKey() {
    few = new FewRows(directory, workers);
  }

  @AfterAll
  void close() {
    few.close();
    workers.close();
  }

  /** Two devices of the kind sim, the first behind something bad. */
  private DevicePool pool(Function<GpuDevice, GpuDevice> bad) {
    ProverBackendProvider provider =
        new ProverBackendProvider() {
          @Override
          public String name() {
            return "sim";
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
          public int proofsAtOnce() {
            return 2;
          }

          @Override
          public ProverBackend open(int device, Workers pool) {
            SimulatedDevice real = SimulatedDevice.fast(32);
            return CudaBackend.on(
                "sim", device == 0 ? bad.apply(real) : real, pool, HostPinning.RING);
          }
        };
    return DevicePool.of(provider, List.of("0", "1"), workers);
  }

  private ProvedPartition prove(DevicePool devices, Set<String> avoid) {
    PartitionPipeline pipeline =
        PartitionPipeline.of(MemoryBudget.of(1 << 24), devices, Duration.ofMinutes(20));
    PartitionPipeline.Request request =
        new PartitionPipeline.Request(
            "partition 7",
            FewRows.circuit(),
            FewRows.publicInputs(),
            Synthesis.REFERENCE,
            1 << 20,
            few.key(),
            FewRows.BLINDING,
            PartitionOrder.of(7),
            "0",
            avoid,
            workers);
    return pipeline.prove(request, PhaseTimer.of(workers), (device, address) -> {});
  }

  /** The device is lost for its process; the partition is proved on another one. */
  @Test
  void anIllegalAddressExcludesTheDeviceAtOnce() {
    try (DevicePool devices =
        pool(
            real ->
                PlantedDevice.before(real)
                    .beforeFirst(
                        "g1_accumulate",
                        (device, stream) -> {
                          DeviceModule module = device.load("contract", GpuDeviceTest.contract());
                          device.launch(
                              module.function("illegal"), 1, 32, 0, stream, new KernelArguments());
                        })
                    .device())) {
      DeviceException thrown =
          catchThrowableOfType(DeviceException.class, () -> prove(devices, Set.of()));
      assertThat(thrown.kind()).isEqualTo(DeviceException.Kind.FATAL);
      assertThat(devices.health().getFirst().excluded()).isPresent();
      assertThat(devices.health().getLast().excluded()).isEmpty();
      ProvedPartition proved = prove(devices, Set.of());
      assertThat(proved.proof().hex()).as("on the other device").isEqualTo(few.expected());
    }
  }

  /** One bit of one field element on the device: the proof is dropped, the device has a strike. */
  @Test
  void aWrongBitIsCaughtByVerificationAndTheDeviceIsSuspect() {
    try (DevicePool devices = pool(real -> PlantedDevice.before(real).flippingABit().device())) {
      ProofFailedException thrown =
          catchThrowableOfType(ProofFailedException.class, () -> prove(devices, Set.of()));
      assertThat(thrown)
          .hasMessageContaining("partition 7")
          .hasMessageContaining("backend sim on device PTX simulator");
      assertThat(devices.health().getFirst().strikes()).isEqualTo(1);
      ProvedPartition proved = prove(devices, Set.of("0"));
      assertThat(proved.proof().hex()).as("on the other device").isEqualTo(few.expected());
    }
  }
}
