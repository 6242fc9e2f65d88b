package io.cuzk.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The kernel's performance counters (Linux {@code perf_event_open}) over the thread that opened
 * them and the threads it starts afterwards, user mode only. Where the kernel or the machine has
 * none, {@link #unavailable} says why. Not thread-safe.
 */
final class PerfCounters implements AutoCloseable {
  private static final int HARDWARE = 0;
  private static final int SOFTWARE = 1;
  private static final int CACHE = 3;

  /** What is counted; type and config of {@code perf_event_attr}. */
  enum Event {
    CYCLES(HARDWARE, 0),
    INSTRUCTIONS(HARDWARE, 1),
    /** Reads that missed the first data cache. */
    L1_MISSES(CACHE, 1 << 16),
    /** The kernel's generic cache misses: those of the last level. */
    LLC_MISSES(HARDWARE, 3),
    BRANCH_MISSES(HARDWARE, 5),
    PAGE_FAULTS(SOFTWARE, 2);

    private final int type;
    private final long config;

    Event(int type, long config) {
      this.type = type;
      this.config = config;
    }

    String label() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  // the first version of the struct, which every kernel takes
  private static final int ATTR_BYTES = 64;
  private static final int READ_BYTES = 24;
  private static final long TIME_ENABLED_AND_RUNNING = 3;
  private static final long DISABLED = 1;
  private static final long INHERIT = 1 << 1;
  private static final long EXCLUDE_KERNEL = 1 << 5;
  private static final long EXCLUDE_HYPERVISOR = 1 << 6;
  private static final long ENABLE = 0x2400;
  private static final long DISABLE = 0x2401;
  private static final long RESET = 0x2403;

  private final Arena arena = Arena.ofConfined();
  private final Map<Event, Long> descriptors = new EnumMap<>(Event.class);
  private final Map<Event, String> missing = new EnumMap<>(Event.class);
  private Kernel kernel;

  private PerfCounters() {}

  /** Opens what there is. Never fails. */
  static PerfCounters open() {
    PerfCounters counters = new PerfCounters();
    try {
      counters.kernel = Kernel.of(counters.arena);
      for (Event event : Event.values()) {
        counters.open(event);
      }
    } catch (UnsupportedOperationException e) {
      for (Event event : Event.values()) {
        counters.missing.put(event, e.getMessage());
      }
    }
    return counters;
  }

  private void open(Event event) {
    MemorySegment attr = arena.allocate(ATTR_BYTES, 8);
    attr.set(ValueLayout.JAVA_INT, 0, event.type);
    attr.set(ValueLayout.JAVA_INT, 4, ATTR_BYTES);
    attr.set(ValueLayout.JAVA_LONG, 8, event.config);
    attr.set(ValueLayout.JAVA_LONG, 32, TIME_ENABLED_AND_RUNNING);
    attr.set(ValueLayout.JAVA_LONG, 40, DISABLED | INHERIT | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR);
    // this thread, any processor, no group, closed on exec
    long descriptor = kernel.call(kernel.open, attr.address(), 0, -1, -1, 8);
    if (descriptor < 0) {
      missing.put(event, reason(kernel.errno()));
    } else {
      descriptors.put(event, descriptor);
    }
  }

  private static String reason(int errno) {
    return switch (errno) {
      case 1, 13 ->
          "the kernel forbids perf_event_open here (perf_event_paranoid " + paranoid() + ")";
      case 2, 19, 95 -> "this machine offers no such counter, as most virtual ones";
      case 38 -> "this kernel has no perf_event_open";
      default -> "perf_event_open failed with errno " + errno;
    };
  }

  private static String paranoid() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/perf_event_paranoid")).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }

  /** Counts from now on, on top of what was counted. */
  void start() {
    descriptors.values().forEach(fd -> kernel.call(kernel.ioctl, fd, ENABLE, 0, 0, 0));
  }

  /** Stops counting. */
  void stop() {
    descriptors.values().forEach(fd -> kernel.call(kernel.ioctl, fd, DISABLE, 0, 0, 0));
  }

  /** Forgets what was counted. */
  void reset() {
    descriptors.values().forEach(fd -> kernel.call(kernel.ioctl, fd, RESET, 0, 0, 0));
  }

  /** The counts by name, scaled up where the kernel shared a counter among events. */
  Map<String, Double> read() {
    Map<String, Double> counts = new LinkedHashMap<>();
    MemorySegment buffer = arena.allocate(READ_BYTES, 8);
    descriptors.forEach(
        (event, fd) -> {
          if (kernel.call(kernel.read, fd, buffer.address(), READ_BYTES, 0, 0) == READ_BYTES) {
            double count = buffer.get(ValueLayout.JAVA_LONG, 0);
            double enabled = buffer.get(ValueLayout.JAVA_LONG, 8);
            double running = buffer.get(ValueLayout.JAVA_LONG, 16);
            if (running > 0) {
              counts.put(event.label(), count * enabled / running);
            }
          }
        });
    return counts;
  }

  /** Which counters there are not, and why. */
  Map<String, String> unavailable() {
    Map<String, String> reasons = new LinkedHashMap<>();
    missing.forEach((event, reason) -> reasons.put(event.label(), reason));
    return reasons;
  }

  @Override
  public void close() {
    descriptors.values().forEach(fd -> kernel.call(kernel.close, fd, 0, 0, 0, 0));
    descriptors.clear();
    arena.close();
  }

  /** libc's {@code syscall} and the numbers of this architecture. */
  private record Kernel(
      MethodHandle syscall, MemorySegment state, long open, long ioctl, long read, long close) {
    private static final VarHandle ERRNO =
        Linker.Option.captureStateLayout()
            .varHandle(MemoryLayout.PathElement.groupElement("errno"));

    static Kernel of(Arena arena) {
      String os = System.getProperty("os.name");
      String arch = System.getProperty("os.arch");
      if (!os.equals("Linux") || !arch.equals("amd64") && !arch.equals("aarch64")) {
        throw new UnsupportedOperationException(
            "perf events are read on Linux on amd64 and aarch64 only, not on " + os + " " + arch);
      }
      Linker linker = Linker.nativeLinker();
      MethodHandle syscall =
          linker.downcallHandle(
              linker.defaultLookup().find("syscall").orElseThrow(),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG),
              Linker.Option.firstVariadicArg(1),
              Linker.Option.captureCallState("errno"));
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      return arch.equals("amd64")
          ? new Kernel(syscall, state, 298, 16, 0, 3)
          : new Kernel(syscall, state, 241, 29, 63, 57);
    }

    long call(long number, long a, long b, long c, long d, long e) {
      try {
        return (long) syscall.invokeExact(state, number, a, b, c, d, e);
      } catch (Throwable failure) {
        throw new IllegalStateException("system call " + number, failure);
      }
    }

    int errno() {
      return (int) ERRNO.get(state, 0L);
    }
  }
}
