package io.cuzk.gpu;

import com.sun.management.OperatingSystemMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;

/**
 * Blocks of host memory that are filled and copied to a device in turn, page-locked or not. Belongs
 * to one thread at a time.
 */
final class StagingRing implements AutoCloseable {
  /** Bytes of the smallest blocks: whole points of both groups, and whole pages. */
  static final long SMALLEST = 192 << 14;

  /** The largest are 192 MiB. */
  private static final long LARGEST = SMALLEST << 6;

  private static final int BLOCKS = 3;

  /** Of a host's memory the blocks of a backend's two rings take one part in so many at most. */
  private static final int PART_OF_MEMORY = 24;

  /** Blocks that an upload should have, so that filling one and copying another overlap. */
  private static final int PIECES = 8;

  private final long blockBytes;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment[] blocks = new MemorySegment[BLOCKS];
  private final PinnedMemory[] pinned = new PinnedMemory[BLOCKS];
  private final DeviceEvent[] copied = new DeviceEvent[BLOCKS];
  private final boolean[] used = new boolean[BLOCKS];
  private int turn;

  /**
   * Takes the memory, and locks it if wanted.
   *
   * @param blockBytes one of the sizes of {@link #wanted}
   */
  StagingRing(GpuDevice device, boolean pin, long blockBytes) {
    this.blockBytes = blockBytes;
    Taken taken = new Taken();
    taken.take(arena::close);
    try {
      for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = arena.allocate(blockBytes, 4096);
        pinned[i] = pin ? taken.take(device.pin(blocks[i])) : null;
        copied[i] = taken.take(device.event());
      }
    } catch (RuntimeException | Error e) {
      taken.giveBack(e);
      throw e;
    }
  }

  /**
   * The size of blocks that an upload of so many bytes wants: a power of two times the smallest.
   */
  static long wanted(long bytes, long largest) {
    long size = SMALLEST;
    while (size < largest && size * PIECES < bytes) {
      size *= 2;
    }
    return size;
  }

  /** The largest blocks of a ring on a host of so much memory: 96 MiB from 14 GiB on. */
  static long largest(long memory) {
    long size = SMALLEST;
    while (size < LARGEST && 2 * BLOCKS * 2 * size <= memory / PART_OF_MEMORY) {
      size *= 2;
    }
    return size;
  }

  /** The same for this host, or what of it this process was given. */
  static long largestHere() {
    return largest(
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize());
  }

  /** Host memory outside the heap that one of these keeps at most, on this host. */
  static long mostBytes() {
    return BLOCKS * largestHere();
  }

  long blockBytes() {
    return blockBytes;
  }

  /** The next block, when its last copy is done. */
  MemorySegment next() {
    turn = (turn + 1) % BLOCKS;
    if (used[turn]) {
      copied[turn].synchronize();
    }
    return blocks[turn];
  }

  /** The copy of that block was given to a stream. */
  void sent(DeviceStream stream) {
    copied[turn].record(stream);
    used[turn] = true;
  }

  /** Unlocks and frees; all copies must have ended, or the device be lost. */
  @Override
  public void close() {
    for (int i = 0; i < BLOCKS; i++) {
      copied[i].close();
      if (pinned[i] != null) {
        pinned[i].close();
      }
    }
    arena.close();
  }
}
