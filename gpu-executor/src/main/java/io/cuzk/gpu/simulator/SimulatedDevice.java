package io.cuzk.gpu.simulator;

import io.cuzk.DeviceException;
import io.cuzk.gpu.DeviceBuffer;
import io.cuzk.gpu.DeviceEvent;
import io.cuzk.gpu.DeviceFunction;
import io.cuzk.gpu.DeviceInfo;
import io.cuzk.gpu.DeviceModule;
import io.cuzk.gpu.DeviceStream;
import io.cuzk.gpu.GpuDevice;
import io.cuzk.gpu.KernelArguments;
import io.cuzk.gpu.PinnedMemory;
import io.cuzk.gpu.ptx.PtxModule;
import io.cuzk.gpu.ptx.SimulatedFault;
import io.cuzk.gpu.ptx.Simulator;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A device that runs the shipped PTX in Java. Work is put off until somebody waits for it, and of
 * other streams only what was waited for runs before; who waits for all streams gets the work that
 * was given last done first. So a missing wait reads memory that was never written, or host memory
 * that was changed too early, in every run and not just in unlucky ones. After a fault every call
 * fails, as with a real device.
 */
public final class SimulatedDevice implements GpuDevice {
  private static final int UNASKED_SHARED = 48 << 10;

  private final Simulator simulator;
  private final long totalBytes;
  private final boolean eager;
  private final List<SimulatedStream> streams = new ArrayList<>();
  private final Set<Long> pinned = new HashSet<>();
  private int pinnings;
  private long given;
  private DeviceException lost;
  private boolean closed;

  private SimulatedDevice(int bytes, int workers, boolean races, boolean eager) {
    this.eager = eager;
    simulator = new Simulator(bytes, workers, races);
    totalBytes = simulator.freeBytes();
  }

  /** A device of so many MiB that checks everything. */
  public static SimulatedDevice checking(int mebibytes) {
    int cores = Runtime.getRuntime().availableProcessors();
    return new SimulatedDevice(mebibytes << 20, cores, true, false);
  }

  /** A device that does not look for races: about twice as fast. */
  public static SimulatedDevice fast(int mebibytes) {
    int cores = Runtime.getRuntime().availableProcessors();
    return new SimulatedDevice(mebibytes << 20, cores, false, false);
  }

  /**
   * The same in the other order that events permit: whenever the host waits for one stream, the
   * others do all they can first.
   */
  public static SimulatedDevice eager(int mebibytes) {
    int cores = Runtime.getRuntime().availableProcessors();
    return new SimulatedDevice(mebibytes << 20, cores, false, true);
  }

  /** Instructions of kernels executed so far, by all threads. */
  public long executed() {
    return simulator.executed();
  }

  /** Pieces of host memory that are locked now. */
  public synchronized int pinned() {
    return pinned.size();
  }

  /** How often host memory was locked so far. */
  public synchronized int pinnings() {
    return pinnings;
  }

  @Override
  public DeviceInfo info() {
    return new DeviceInfo(
        "PTX simulator", "GPU-simulated", "0000:00:00.0", 9, 0, totalBytes, 1, 227 << 10);
  }

  @Override
  public synchronized long freeBytes() {
    requireSound();
    return simulator.freeBytes();
  }

  /** Numbers the pieces of work of all streams. */
  synchronized long next() {
    return ++given;
  }

  boolean usable() {
    return lost == null && !closed;
  }

  void requireSound() {
    if (lost != null) {
      throw new DeviceException(
          lost.kind(), "the device was lost before: " + lost.getMessage(), lost);
    }
    if (closed) {
      throw new DeviceException(DeviceException.Kind.REFUSED, "the device is closed");
    }
  }

  /** What a fault means to a caller; one of a running kernel loses the device. */
  private DeviceException failure(SimulatedFault fault) {
    DeviceException.Kind kind =
        switch (fault.kind()) {
          case LAUNCH, SYNTAX, UNSUPPORTED -> DeviceException.Kind.REFUSED;
          default -> DeviceException.Kind.FATAL;
        };
    DeviceException failure =
        new DeviceException(kind, fault.kind() + ": " + fault.getMessage(), fault);
    if (kind == DeviceException.Kind.FATAL) {
      lost = failure;
    }
    return failure;
  }

  /** Runs put-off work; its fault loses the device. */
  void perform(Runnable work) {
    requireSound();
    try {
      work.run();
    } catch (SimulatedFault e) {
      throw failure(e);
    }
  }

  @Override
  public synchronized DeviceModule load(String name, String ptx) {
    requireSound();
    try {
      return new SimulatedModule(simulator.load(PtxModule.parse(name, ptx)));
    } catch (SimulatedFault e) {
      throw failure(e);
    }
  }

  private final class SimulatedModule implements DeviceModule {
    private final Simulator.Loaded loaded;

    SimulatedModule(Simulator.Loaded loaded) {
      this.loaded = loaded;
    }

    @Override
    public DeviceFunction function(String name) {
      if (!loaded.kernels().contains(name)) {
        throw new DeviceException(
            DeviceException.Kind.REFUSED,
            "no kernel %s among %s".formatted(name, loaded.kernels()));
      }
      return new SimulatedFunction(loaded, name);
    }

    @Override
    public void close() {
      synchronized (SimulatedDevice.this) {
        if (usable()) {
          simulator.unload(loaded);
        }
      }
    }
  }

  private static final class SimulatedFunction implements DeviceFunction {
    private final Simulator.Loaded loaded;
    private final String name;
    private int shared = UNASKED_SHARED;

    SimulatedFunction(Simulator.Loaded loaded, String name) {
      this.loaded = loaded;
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void allowSharedBytes(int bytes) {
      shared = bytes;
    }
  }

  @Override
  public synchronized DeviceBuffer allocate(long bytes) {
    requireSound();
    long address = bytes > totalBytes ? -1 : simulator.allocate(bytes);
    if (address < 0) {
      throw new DeviceException(
          DeviceException.Kind.OUT_OF_MEMORY,
          "%d bytes wanted, %d of %d free".formatted(bytes, simulator.freeBytes(), totalBytes));
    }
    return DeviceBuffer.owning(address, bytes, from -> free(from, bytes));
  }

  /** Waits for the memory's users only: a driver waits for more, but does not promise to. */
  private synchronized void free(long address, long bytes) {
    if (usable()) {
      for (SimulatedStream stream : latestFirst()) {
        stream.runUsersOf(address, address + bytes);
      }
      simulator.free(address);
    }
  }

  /** The host is about to wait for work of a stream. */
  void beforeWaitingFor(SimulatedStream stream) {
    if (eager) {
      latestFirst().stream().filter(other -> other != stream).forEach(SimulatedStream::runReady);
    }
  }

  private List<SimulatedStream> latestFirst() {
    List<SimulatedStream> sorted = new ArrayList<>(streams);
    sorted.sort(Comparator.comparingLong(SimulatedStream::latest).reversed());
    return sorted;
  }

  @Override
  public synchronized DeviceStream stream() {
    requireSound();
    SimulatedStream stream = new SimulatedStream(this);
    streams.add(stream);
    return stream;
  }

  synchronized void forget(SimulatedStream stream) {
    streams.remove(stream);
  }

  @Override
  public DeviceEvent event() {
    requireSound();
    return new SimulatedEvent(this);
  }

  private synchronized void later(DeviceStream stream, Runnable work, long... addresses) {
    requireSound();
    ((SimulatedStream) stream).add(work, addresses);
  }

  @Override
  public void upload(DeviceBuffer to, MemorySegment from, DeviceStream stream) {
    DeviceBuffer target = to.slice(0, from.byteSize());
    later(stream, () -> simulator.write(target.address(), from), target.address());
  }

  @Override
  public void download(MemorySegment to, DeviceBuffer from, DeviceStream stream) {
    DeviceBuffer source = from.slice(0, to.byteSize());
    later(stream, () -> simulator.read(to, source.address()), source.address());
  }

  @Override
  public void copy(DeviceBuffer to, DeviceBuffer from, DeviceStream stream) {
    DeviceBuffer target = to.slice(0, from.bytes());
    later(
        stream,
        () -> simulator.copy(target.address(), from.address(), from.bytes()),
        target.address(),
        from.address());
  }

  @Override
  public void fill(DeviceBuffer buffer, byte value, DeviceStream stream) {
    later(stream, () -> simulator.fill(buffer.address(), value, buffer.bytes()), buffer.address());
  }

  @Override
  public synchronized PinnedMemory pin(MemorySegment segment) {
    requireSound();
    long address = segment.address();
    if (!segment.isNative() || !pinned.add(address)) {
      throw new DeviceException(
          DeviceException.Kind.REFUSED,
          segment.isNative() ? "the memory is pinned already" : "only native memory can be pinned");
    }
    pinnings++;
    return () -> {
      synchronized (this) {
        pinned.remove(address);
      }
    };
  }

  @Override
  public synchronized void launch(
      DeviceFunction function,
      int gridX,
      int gridY,
      int blockX,
      int sharedBytes,
      DeviceStream stream,
      KernelArguments arguments) {
    requireSound();
    SimulatedFunction kernel = (SimulatedFunction) function;
    if (sharedBytes > kernel.shared) {
      throw new DeviceException(
          DeviceException.Kind.REFUSED,
          "%s: %d bytes of shared memory, allowed are %d"
              .formatted(kernel.name, sharedBytes, kernel.shared));
    }
    long[] values = new long[arguments.count()];
    int[] sizes = new int[arguments.count()];
    for (int i = 0; i < values.length; i++) {
      values[i] = arguments.value(i);
      sizes[i] = arguments.bytes(i);
    }
    Simulator.Shape shape = new Simulator.Shape(gridX, gridY, blockX, sharedBytes);
    try {
      simulator.require(kernel.loaded, kernel.name, shape, values, sizes);
    } catch (SimulatedFault e) {
      throw failure(e);
    }
    later(stream, () -> simulator.launch(kernel.loaded, kernel.name, shape, values, sizes), values);
  }

  @Override
  public synchronized void synchronize() {
    requireSound();
    latestFirst().forEach(SimulatedStream::runAll);
  }

  @Override
  public synchronized void close() {
    closed = true;
  }
}
