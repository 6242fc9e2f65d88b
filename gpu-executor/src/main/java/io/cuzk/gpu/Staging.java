package io.cuzk.gpu;

import io.cuzk.DeviceException;
import io.cuzk.circuit.Assignment;
import io.cuzk.circuit.CompactRows;
import io.cuzk.curve.AffinePoints;
import io.cuzk.field.Fr;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.HostPinning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The way of host data to a device: through two blocks in turn, so that one is filled while the
 * other is copied. They are page-locked once and kept ({@link HostPinning#RING}), because locking
 * costs more than copying; or not at all; or, to be measured against, each upload gets memory of
 * its whole size that is locked for it alone. Belongs to one thread at a time.
 */
final class Staging implements AutoCloseable {
  /** Bytes of a block: whole points of both groups. */
  private static final int BLOCK = 192 << 14;

  /** Elements that a thread reads at a time. */
  private static final int READ = 256;

  private final GpuDevice device;
  private final DeviceStream stream;
  private final Workers workers;
  private final HostPinning pinning;
  private final DeviceEvent handedOver;
  private final List<Locked> locked = new ArrayList<>();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment[] blocks = new MemorySegment[2];
  private final PinnedMemory[] pinned = new PinnedMemory[2];
  private final DeviceEvent[] copied = new DeviceEvent[2];
  private final boolean[] used = new boolean[2];
  private int turn;

  /** Memory that is locked for one upload. */
  private record Locked(Arena arena, PinnedMemory pages) {
    void release() {
      pages.close();
      arena.close();
    }
  }

  Staging(GpuDevice device, DeviceStream stream, Workers workers, HostPinning pinning) {
    this.device = device;
    this.stream = stream;
    this.workers = workers;
    this.pinning = pinning;
    Taken taken = new Taken();
    taken.take(arena::close);
    try {
      handedOver = taken.take(device.event());
      for (int i = 0; i < 2; i++) {
        blocks[i] = arena.allocate(BLOCK, 4096);
        pinned[i] = pinning == HostPinning.RING ? taken.take(device.pin(blocks[i])) : null;
        copied[i] = taken.take(device.event());
      }
    } catch (RuntimeException | Error e) {
      taken.giveBack(e);
      throw e;
    }
  }

  /** The stream that copies. */
  DeviceStream stream() {
    return stream;
  }

  /** What is given to another stream from now on waits for all that was sent so far. */
  void before(DeviceStream consumer) {
    handedOver.record(stream);
    consumer.await(handedOver);
  }

  /** Unlocks what was locked for single uploads; the stream must have been synchronised. */
  void settle() {
    detach().ifPresent(Runnable::run);
  }

  /** The same for later, of what was locked so far; empty if nothing was. */
  Optional<Runnable> detach() {
    if (locked.isEmpty()) {
      return Optional.empty();
    }
    List<Locked> mine = List.copyOf(locked);
    locked.clear();
    return Optional.of(() -> mine.forEach(Locked::release));
  }

  /** Fills a piece of at most a block with bytes at … of what is uploaded. */
  @FunctionalInterface
  private interface Filler {
    void fill(MemorySegment block, long at);
  }

  private void send(DeviceBuffer to, long bytes, Filler filler) {
    if (pinning == HostPinning.REGISTER && bytes > 0) {
      sendLocked(to, bytes, filler);
      return;
    }
    for (long at = 0; at < bytes; at += BLOCK) {
      turn ^= 1;
      if (used[turn]) {
        copied[turn].synchronize();
      }
      MemorySegment block = blocks[turn].asSlice(0, Math.min(BLOCK, bytes - at));
      filler.fill(block, at);
      device.upload(to.from(at), block, stream);
      copied[turn].record(stream);
      used[turn] = true;
    }
  }

  /** In one copy from memory that is locked for it, as the original did to whole vectors. */
  @SuppressWarnings("MustBeClosedChecker") // the arena lives until the upload is settled
  private void sendLocked(DeviceBuffer to, long bytes, Filler filler) {
    Arena own = Arena.ofShared();
    MemorySegment whole;
    try {
      whole = own.allocate(bytes, 4096);
      for (long at = 0; at < bytes; at += BLOCK) {
        filler.fill(whole.asSlice(at, Math.min(BLOCK, bytes - at)), at);
      }
      locked.add(new Locked(own, device.pin(whole)));
    } catch (RuntimeException | OutOfMemoryError e) {
      own.close();
      throw e;
    }
    device.upload(to, whole, stream);
  }

  void ints(DeviceBuffer to, int[] words) {
    send(
        to,
        4L * words.length,
        (block, at) ->
            MemorySegment.copy(
                words,
                (int) (at / 4),
                block,
                ValueLayout.JAVA_INT,
                0,
                (int) (block.byteSize() / 4)));
  }

  void longs(DeviceBuffer to, long[] words, int count) {
    send(
        to,
        8L * count,
        (block, at) ->
            MemorySegment.copy(
                words,
                (int) (at / 8),
                block,
                ValueLayout.JAVA_LONG,
                0,
                (int) (block.byteSize() / 8)));
  }

  private void bytes(DeviceBuffer to, byte[] bytes) {
    send(
        to,
        bytes.length,
        (block, at) ->
            MemorySegment.copy(
                bytes, (int) at, block, ValueLayout.JAVA_BYTE, 0, (int) block.byteSize()));
  }

  /** Points from … from+count−1 as the kernels take them: Montgomery words x ‖ y. */
  void points(DeviceBuffer to, AffinePoints points, long from, long count) {
    int words = points.group().affineWords();
    long[] some = new long[BLOCK / 8];
    send(
        to,
        8L * words * count,
        (block, at) -> {
          int n = (int) (block.byteSize() / (8 * words));
          long first = from + at / (8 * words);
          workers.forRanges(
              n,
              READ,
              (begin, end) ->
                  points.read(first + begin, (int) (end - begin), some, (int) begin * words));
          MemorySegment.copy(some, 0, block, ValueLayout.JAVA_LONG, 0, n * words);
        });
  }

  /**
   * One side of an assignment's rows as field elements, zeros after the last row. What is compact
   * is uploaded compact and expanded on the device.
   *
   * @param to as many elements as the domain has
   * @param held gets what must live until the stream has done this
   */
  void rows(
      DeviceKernels kernels,
      DeviceBuffer to,
      Assignment assignment,
      boolean a,
      List<DeviceBuffer> held) {
    CompactRows compact = (a ? assignment.compactA() : assignment.compactB()).orElse(null);
    if (compact == null) {
      flatRows(to, assignment, a);
      return;
    }
    int rows = compact.wideRows().length;
    int small = compact.small().length;
    DeviceBuffer memory = device.allocate(3 * 256 + small + 36L * rows);
    held.add(memory);
    DeviceArena parts = new DeviceArena(memory);
    DeviceBuffer wide = parts.take(32L * rows);
    DeviceBuffer at = parts.take(4L * rows);
    DeviceBuffer in = parts.take(small);
    bytes(in, compact.small());
    ints(at, compact.wideRows());
    longs(wide, compact.wideValues(), rows * Fr.WORDS);
    long size = to.bytes() / Fr.BYTES;
    kernels.launch(
        "expand_small",
        size,
        stream,
        kernels.arguments().pointer(to).pointer(in).i32(small).i32((int) size));
    if (rows > 0) {
      kernels.launch(
          "expand_wide",
          rows,
          stream,
          kernels.arguments().pointer(to).pointer(at).pointer(wide).i32(rows));
    }
    long[] trailing = compact.trailing();
    if (trailing.length > 0) {
      longs(to.from((long) Fr.BYTES * small), trailing, trailing.length);
    }
  }

  private void flatRows(DeviceBuffer to, Assignment assignment, boolean a) {
    long bytes = assignment.rows() * Fr.BYTES;
    long[] some = new long[BLOCK / 8];
    send(
        to,
        bytes,
        (block, at) -> {
          int n = (int) (block.byteSize() / Fr.BYTES);
          long first = at / Fr.BYTES;
          workers.forRanges(
              n,
              READ,
              (begin, end) -> {
                int place = (int) begin * Fr.WORDS;
                if (a) {
                  assignment.readA(first + begin, (int) (end - begin), some, place);
                } else {
                  assignment.readB(first + begin, (int) (end - begin), some, place);
                }
              });
          MemorySegment.copy(some, 0, block, ValueLayout.JAVA_LONG, 0, n * Fr.WORDS);
        });
    if (to.bytes() > bytes) {
      device.fill(to.from(bytes), (byte) 0, stream);
    }
  }

  @Override
  public void close() {
    try {
      stream.synchronize();
    } catch (DeviceException e) {
      if (e.kind() != DeviceException.Kind.FATAL) {
        throw e;
      }
      // A lost device copies nothing any more.
    }
    settle();
    handedOver.close();
    for (int i = 0; i < 2; i++) {
      copied[i].close();
      if (pinned[i] != null) {
        pinned[i].close();
      }
    }
    arena.close();
  }
}
