package io.cuzk.jobs;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What this JVM runs on, for the records.
 *
 * @param host its name, or {@code localhost}
 * @param cpuModel as the kernel names it, or the architecture
 * @param cores that this JVM may use
 * @param memoryBytes of the machine or container
 */
public record Machine(
    String host, String cpuModel, int cores, long memoryBytes, String os, String java) {
  /** This machine. */
  public static Machine current() {
    return new Machine(
        hostName(),
        model(),
        Runtime.getRuntime().availableProcessors(),
        memory(),
        System.getProperty("os.name") + " " + System.getProperty("os.arch"),
        System.getProperty("java.vm.name") + " " + Runtime.version());
  }

  /**
   * Most bytes that this process had in memory so far, its mapped files included ({@code VmHWM} of
   * Linux); null where the system does not say.
   */
  public static Long peakResidentBytes() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .map(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      return null;
    }
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  private static String model() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  private static long memory() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getTotalMemorySize()
        : Runtime.getRuntime().maxMemory();
  }
}
