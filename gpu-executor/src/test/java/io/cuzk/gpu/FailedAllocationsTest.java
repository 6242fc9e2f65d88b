package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.DeviceException;
import io.cuzk.DeviceException.Kind;
import io.cuzk.curve.Group;
import io.cuzk.gpu.simulator.SimulatedDevice;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.HostPinning;
import io.cuzk.prover.PhaseTimer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Whichever allocation of a proof fails: nothing is kept for good, and the next proof is right. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FailedAllocationsTest {
  @TempDir static Path directory;

  private final Workers workers = Workers.of(2);
  private FewRows few;
  private SimulatedDevice real;
  private long baseline;

  @BeforeAll
  void open() {
    few = new FewRows(directory, workers);
    real = SimulatedDevice.fast(32);
    baseline = real.freeBytes();
  }

  @AfterAll
  void close() {
    real.close();
    few.close();
    workers.close();
  }

  private void requireNothingHeld(PlantedDevice planted, String when) {
    assertThat(real.freeBytes()).as("free bytes " + when).isEqualTo(baseline);
    assertThat(planted.held()).as("streams, events and locked pages " + when).isZero();
  }

  private String prove(CudaBackend backend) {
    return backend
        .prove(few.key(), FewRows.assignment(), FewRows.BLINDING, PhaseTimer.of(workers))
        .hex();
  }

  @Test
  void everyAllocationOfAProofMayBeRefused() {
    everyAllocationOfAProofMayFail(Kind.REFUSED);
  }

  /** Then most is done without or in pieces, which makes nearly all of these whole proofs. */
  @Test
  @Tag("nightly")
  void everyAllocationOfAProofMayFindNoMemory() {
    everyAllocationOfAProofMayFail(Kind.OUT_OF_MEMORY);
  }

  private void everyAllocationOfAProofMayFail(Kind kind) {
    int most = Integer.MAX_VALUE;
    int failures = 0;
    for (int n = -1; n < most; n++) {
      int bad = n;
      PlantedDevice planted = PlantedDevice.before(real).keptOpen().failing(k -> k == bad, kind);
      String when = "when allocation " + n + " failed";
      try (CudaBackend backend = CudaBackend.on(planted.device(), workers, HostPinning.RING)) {
        try {
          assertThat(prove(backend)).as("a proof %s", when).isEqualTo(few.expected());
        } catch (DeviceException e) {
          assertThat(e.kind()).isEqualTo(kind);
          failures++;
          if (n % 8 == 0) {
            assertThat(prove(backend)).as("the proof after it, %s", when).isEqualTo(few.expected());
          }
        }
      }
      requireNothingHeld(planted, when);
      most = n < 0 ? planted.allocations() : most;
    }
    assertThat(failures).isBetween(3, kind == Kind.REFUSED ? most : most / 2);
    assertThat(most).isGreaterThan(20);
  }

  @Test
  void aBackendWhosePagesCannotBeLockedKeepsNothing() {
    for (int n = 0; n < 4; n++) {
      int bad = n;
      PlantedDevice planted = PlantedDevice.before(real).keptOpen().unpinnable(k -> k == bad);
      assertThatThrownBy(() -> CudaBackend.on(planted.device(), workers, HostPinning.RING))
          .hasMessage("pinning " + n + " fails here");
      requireNothingHeld(planted, "when pinning " + n + " failed");
    }
    PlantedDevice planted = PlantedDevice.before(real).keptOpen().unpinnable(k -> k == 1);
    assertThatThrownBy(() -> CudaMeter.on(planted.device())).hasMessage("pinning 1 fails here");
    requireNothingHeld(planted, "without a meter");
  }

  @Test
  void aMeterThatLacksMemoryKeepsNothing() {
    long[] points = new long[2 * Group.G1.affineWords()]; // both at infinity
    int most = 1;
    for (int n = -1; n < most; n++) {
      int bad = n;
      PlantedDevice planted =
          PlantedDevice.before(real).keptOpen().failing(k -> k == bad, Kind.OUT_OF_MEMORY);
      try (CudaMeter meter = CudaMeter.on(planted.device())) {
        meter.transform(12).close();
        meter.sum(Group.G1, points, new long[8]).close();
      } catch (DeviceException e) {
        assertThat(e.kind()).isEqualTo(Kind.OUT_OF_MEMORY);
      }
      requireNothingHeld(planted, "when allocation " + n + " of a meter failed");
      most = n < 0 ? planted.allocations() : most;
    }
  }
}
