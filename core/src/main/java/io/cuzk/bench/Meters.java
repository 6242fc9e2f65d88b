package io.cuzk.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.cuzk.parallel.Workers;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Adds up time, allocation, collections and events over stretches of work. One thread's. */
final class Meters {
  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Workers workers;
  private final PerfCounters counters;
  private long wall;
  private long cpu;
  private long processCpu;
  private long allocated;
  private long gcMillis;

  /** Counts the caller's and the pool's threads; counters may be null. */
  Meters(Workers workers, PerfCounters counters) {
    this.workers = workers;
    this.counters = counters;
  }

  /** Forgets everything, before the iterations that count. */
  void reset() {
    allocated = 0;
    gcMillis = 0;
    begin();
    if (counters != null) {
      counters.reset();
    }
  }

  /** Begins an iteration: times start at zero, the rest goes on. */
  void begin() {
    wall = 0;
    cpu = 0;
    processCpu = 0;
  }

  <T> T measure(Supplier<T> work) {
    final long gcBefore = collecting();
    final long allocatedBefore = threads.getTotalThreadAllocatedBytes();
    final long processBefore = system.getProcessCpuTime();
    final long cpuBefore = workers.cpuNanos() + Workers.threadCpuNanos();
    if (counters != null) {
      counters.start();
    }
    long before = System.nanoTime();
    T result = work.get();
    wall += System.nanoTime() - before;
    if (counters != null) {
      counters.stop();
    }
    cpu += workers.cpuNanos() + Workers.threadCpuNanos() - cpuBefore;
    processCpu += system.getProcessCpuTime() - processBefore;
    allocated += threads.getTotalThreadAllocatedBytes() - allocatedBefore;
    gcMillis += collecting() - gcBefore;
    return result;
  }

  private static long collecting() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  double wallSeconds() {
    return wall * 1e-9;
  }

  double cpuSeconds() {
    return cpu * 1e-9;
  }

  double processCpuSeconds() {
    return processCpu * 1e-9;
  }

  long allocatedBytes() {
    return allocated;
  }

  double gcSeconds() {
    return gcMillis * 1e-3;
  }

  /** Events of one of n iterations, with instructions per cycle where there are both. */
  Map<String, Double> counters(int n) {
    Map<String, Double> mean = new LinkedHashMap<>();
    counters.read().forEach((name, count) -> mean.put(name, count / n));
    Double cycles = mean.get(PerfCounters.Event.CYCLES.label());
    Double instructions = mean.get(PerfCounters.Event.INSTRUCTIONS.label());
    if (cycles != null && instructions != null && cycles > 0) {
      mean.put("ipc", instructions / cycles);
    }
    return mean;
  }

  Map<String, String> counterFaults() {
    return counters.unavailable();
  }

  /** The most memory this process has held so far; of its heap where the kernel does not say. */
  static long peakBytes() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElseGet(Meters::heapPeak);
    } catch (IOException e) {
      return heapPeak();
    }
  }

  private static long heapPeak() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .map(MemoryPoolMXBean::getPeakUsage)
        .mapToLong(usage -> usage == null ? 0 : usage.getUsed())
        .sum();
  }
}
