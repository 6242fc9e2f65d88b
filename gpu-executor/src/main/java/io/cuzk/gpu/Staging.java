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
 * The way of host data to a device: through a few blocks in turn, filled by all workers while
 * others are copied. They are page-locked once and kept ({@link HostPinning#RING}), because locking
 * costs more than copying, and grow with what is sent; or not at all; or, to be measured against,
 * each upload gets memory of its whole size that is locked for it alone. Belongs to one thread at a
 * time.
 */
final class Staging implements AutoCloseable {
  /** Pieces of device memory that a side's compact rows take, and what each is rounded up to. */
  private static final long ROW_PARTS = 3;

  private static final long ALIGNMENT = 256;

  /** Elements that a thread reads at a time, where they go through the heap. */
  private static final int READ = 256;

  /** Words of an array that a thread copies at least. */
  private static final int COPY = 1 << 14;

  private final GpuDevice device;
  private final DeviceStream stream;
  private final Workers workers;
  private final HostPinning pinning;
  private final DeviceEvent handedOver;
  private final List<Locked> locked = new ArrayList<>();
  private StagingRing ring;
  private long largest = StagingRing.largestHere();

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
    try {
      handedOver = taken.take(device.event());
      ring = new StagingRing(device, pinning == HostPinning.RING, StagingRing.SMALLEST);
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

  /** Fills a block with bytes at … of what is uploaded. */
  @FunctionalInterface
  private interface Filler {
    void fill(MemorySegment block, long at);
  }

  private void send(DeviceBuffer to, long bytes, Filler filler) {
    if (pinning == HostPinning.REGISTER && bytes > 0) {
      sendLocked(to, bytes, filler);
      return;
    }
    growFor(bytes);
    long step = ring.blockBytes();
    for (long at = 0; at < bytes; at += step) {
      MemorySegment block = ring.next().asSlice(0, Math.min(step, bytes - at));
      filler.fill(block, at);
      device.upload(to.from(at), block, stream);
      ring.sent(stream);
    }
  }

  /** Larger blocks for a larger upload; they are kept. Without memory for them the old ones do. */
  private void growFor(long bytes) {
    long wanted = StagingRing.wanted(bytes, largest);
    if (wanted <= ring.blockBytes()) {
      return;
    }
    stream.synchronize();
    StagingRing grown;
    try {
      grown = new StagingRing(device, pinning == HostPinning.RING, wanted);
    } catch (DeviceException | OutOfMemoryError e) {
      if (e instanceof DeviceException known && known.kind() == DeviceException.Kind.FATAL) {
        throw e;
      }
      largest = ring.blockBytes();
      return;
    }
    ring.close();
    ring = grown;
  }

  /** In one copy from memory that is locked for it, as the original did to whole vectors. */
  @SuppressWarnings("MustBeClosedChecker") // the arena lives until the upload is settled
  private void sendLocked(DeviceBuffer to, long bytes, Filler filler) {
    Arena own = Arena.ofShared();
    MemorySegment whole;
    try {
      whole = own.allocate(bytes, 4096);
      filler.fill(whole, 0);
      locked.add(new Locked(own, device.pin(whole)));
    } catch (RuntimeException | OutOfMemoryError e) {
      own.close();
      throw e;
    }
    device.upload(to, whole, stream);
  }

  /** Fills blocks from an array, of elements of so many bytes. */
  private Filler copying(MemorySegment array, int bytes) {
    return (block, at) ->
        workers.forRanges(
            block.byteSize() / bytes,
            COPY,
            (begin, end) ->
                MemorySegment.copy(
                    array, at + begin * bytes, block, begin * bytes, (end - begin) * bytes));
  }

  void ints(DeviceBuffer to, int[] words) {
    send(to, 4L * words.length, copying(MemorySegment.ofArray(words), Integer.BYTES));
  }

  void longs(DeviceBuffer to, long[] words, int count) {
    send(to, 8L * count, copying(MemorySegment.ofArray(words), Long.BYTES));
  }

  private void bytes(DeviceBuffer to, byte[] bytes) {
    send(to, bytes.length, copying(MemorySegment.ofArray(bytes), 1));
  }

  /** Points from … from+count−1 as the kernels take them: Montgomery words x ‖ y. */
  void points(DeviceBuffer to, AffinePoints points, long from, long count) {
    int bytes = 8 * points.group().affineWords();
    send(
        to,
        bytes * count,
        (block, at) ->
            workers.forRanges(
                block.byteSize() / bytes,
                READ,
                (begin, end) ->
                    points.read(
                        from + at / bytes + begin, (int) (end - begin), block, begin * bytes)));
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
    DeviceBuffer memory = device.allocate(ROW_PARTS * ALIGNMENT + small + 36L * rows);
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

  /**
   * Device memory that the compact rows of both sides take until they are expanded.
   *
   * @param compactBytes what {@link Assignment#compactRowBytes} says
   */
  static long rowBytes(long compactBytes) {
    // An allocation is rounded up too.
    return compactBytes == 0 ? 0 : compactBytes + 2 * (ROW_PARTS + 1) * ALIGNMENT;
  }

  private void flatRows(DeviceBuffer to, Assignment assignment, boolean a) {
    long bytes = assignment.rows() * Fr.BYTES;
    send(
        to,
        bytes,
        (block, at) ->
            workers.forRanges(
                block.byteSize() / Fr.BYTES,
                READ,
                (begin, end) -> readRows(assignment, a, at / Fr.BYTES, begin, end, block)));
    if (to.bytes() > bytes) {
      device.fill(to.from(bytes), (byte) 0, stream);
    }
  }

  /** Rows first+begin … first+end−1 to the places begin … end−1 of a block. */
  private static void readRows(
      Assignment assignment, boolean a, long first, long begin, long end, MemorySegment block) {
    long[] some = new long[(int) Math.min(READ, end - begin) * Fr.WORDS];
    for (long at = begin; at < end; at += READ) {
      int n = (int) Math.min(READ, end - at);
      if (a) {
        assignment.readA(first + at, n, some, 0);
      } else {
        assignment.readB(first + at, n, some, 0);
      }
      MemorySegment.copy(
          some, 0, block, ValueLayout.JAVA_LONG_UNALIGNED, Fr.BYTES * at, n * Fr.WORDS);
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
    ring.close();
  }
}
