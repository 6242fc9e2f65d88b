package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.curve.FlatPoints;
import io.cuzk.curve.Group;
import io.cuzk.gpu.simulator.SimulatedDevice;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.HostPinning;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What reaches a device, and through blocks of what size. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StagingTest {
  private static final long GIB = 1L << 30;
  private static final long MIB = 1L << 20;

  private final Workers workers = Workers.of(2);
  private final Random random = new Random(20261130);

  @AfterAll
  void close() {
    workers.close();
  }

  private long[] words(long bytes) {
    return random.longs(bytes / 8).toArray();
  }

  private static long[] download(GpuDevice device, DeviceBuffer from, DeviceStream stream) {
    long[] found = new long[(int) (from.bytes() / 8)];
    stream.synchronize();
    device.download(MemorySegment.ofArray(found), from, stream);
    stream.synchronize();
    return found;
  }

  /** More blocks than there are in a ring, the last not full, by two threads. */
  @Test
  void wordsAndPointsArriveAsTheyAre() {
    SimulatedDevice device = SimulatedDevice.fast(64);
    DeviceStream stream = device.stream();
    for (HostPinning pinning : HostPinning.values()) {
      long[] words = words(19 * MIB + 8);
      try (Staging staging = new Staging(device, stream, workers, pinning);
          DeviceBuffer to = device.allocate(8L * words.length)) {
        staging.longs(to, words, words.length);
        assertThat(Arrays.equals(download(device, to, stream), words)).as("%s", pinning).isTrue();
        for (Group group : new Group[] {Group.G1, Group.G2}) {
          int each = group.affineWords();
          int n = words.length / each;
          FlatPoints points = new FlatPoints(group, Arrays.copyOf(words, n * each));
          DeviceBuffer some = to.slice(0, 8L * each * (n - 7));
          staging.points(some, points, 7, n - 7);
          assertThat(
                  Arrays.equals(
                      download(device, some, stream),
                      Arrays.copyOfRange(words, 7 * each, n * each)))
              .as("points of %s, %s", group.name(), pinning)
              .isTrue();
        }
        staging.settle();
      }
    }
    assertThat(device.pinned()).isZero();
  }

  /** Small uploads lock three small blocks; a large one gets larger blocks, once and for all. */
  @Test
  void blocksGrowWithWhatIsSent() {
    SimulatedDevice simulated = SimulatedDevice.fast(64);
    AtomicInteger uploads = new AtomicInteger();
    GpuDevice device =
        PlantedDevice.before(simulated).telling(kernel -> {}, uploads::incrementAndGet).device();
    DeviceStream stream = device.stream();
    long[] words = words(30 * MIB);
    try (Staging staging = new Staging(device, stream, workers, HostPinning.RING);
        DeviceBuffer to = device.allocate(8L * words.length)) {
      staging.longs(to, words, 1000);
      assertThat(simulated.pinnings()).isEqualTo(3);
      staging.longs(to, words, words.length);
      assertThat(uploads.get()).as("copies").isEqualTo(1 + 5); // of 6 MiB
      assertThat(Arrays.equals(download(device, to, stream), words)).isTrue();
      staging.longs(to, words, 1000);
      staging.longs(to, words, words.length);
      assertThat(simulated.pinnings()).as("lockings").isEqualTo(6);
      assertThat(simulated.pinned()).as("locked").isEqualTo(3);
    }
    assertThat(simulated.pinned()).isZero();
  }

  @Test
  void whereLargerBlocksCannotBeLockedTheSmallOnesDo() {
    SimulatedDevice simulated = SimulatedDevice.fast(64);
    PlantedDevice planted = PlantedDevice.before(simulated).unpinnable(k -> k == 4);
    GpuDevice device = planted.device();
    DeviceStream stream = device.stream();
    long[] words = words(30 * MIB);
    try (Staging staging = new Staging(device, stream, workers, HostPinning.RING);
        DeviceBuffer to = device.allocate(8L * words.length)) {
      staging.longs(to, words, words.length);
      assertThat(Arrays.equals(download(device, to, stream), words)).isTrue();
      assertThat(simulated.pinned()).isEqualTo(3);
      staging.longs(to, words, words.length);
      assertThat(simulated.pinnings()).as("tried once").isEqualTo(4);
    }
    assertThat(simulated.pinned()).isZero();
  }

  /** Large blocks for large keys on hosts that have the memory, small ones for what is small. */
  @Test
  void sizesOfBlocks() {
    assertThat(StagingRing.largest(GIB / 2)).isEqualTo(3 * MIB);
    assertThat(StagingRing.largest(16 * GIB)).isEqualTo(96 * MIB);
    assertThat(StagingRing.largest(128 * GIB)).isEqualTo(192 * MIB);
    assertThat(StagingRing.wanted(5 * MIB, 96 * MIB)).isEqualTo(3 * MIB);
    assertThat(StagingRing.wanted(130 * MIB, 96 * MIB)).isEqualTo(24 * MIB);
    assertThat(StagingRing.wanted(12 * GIB, 96 * MIB)).isEqualTo(96 * MIB);
  }
}
