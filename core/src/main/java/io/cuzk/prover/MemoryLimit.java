package io.cuzk.prover;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a process may have in memory: the smallest limit of its control groups (version 2's {@code
 * memory.max}, version 1's {@code memory.limit_in_bytes}, its own and those above it), else the
 * machine's memory.
 *
 * @param bytes of it
 * @param source what sets it, for messages: a file, or the machine
 */
public record MemoryLimit(long bytes, String source) {
  private static final Path GROUPS = Path.of("/sys/fs/cgroup");
  private static final Path MEMBERSHIP = Path.of("/proc/self/cgroup");

  /** Of this process. */
  public static MemoryLimit current() {
    long machine =
        ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system
            ? system.getTotalMemorySize() // of the container where the JVM sees one
            : Long.MAX_VALUE;
    return of(GROUPS, MEMBERSHIP, machine);
  }

  /**
   * The same from files.
   *
   * @param groups where control groups are mounted
   * @param membership lines {@code id:controllers:path} of the groups that the process is in
   * @param machine bytes of memory that the machine has
   */
  static MemoryLimit of(Path groups, Path membership, long machine) {
    MemoryLimit least = new MemoryLimit(machine, "the machine's memory");
    for (String line : lines(membership)) {
      String[] parts = line.split(":", 3);
      if (parts.length < 3) {
        continue;
      }
      boolean second = parts[0].equals("0") && parts[1].isEmpty();
      if (second) {
        least = least.and(groups, parts[2], "memory.max");
        // both versions side by side, as systemd mounts them
        least = least.and(groups.resolve("unified"), parts[2], "memory.max");
      } else if (List.of(parts[1].split(",")).contains("memory")) {
        least = least.and(groups.resolve("memory"), parts[2], "memory.limit_in_bytes");
      }
    }
    return least;
  }

  /** The smaller one of this and those of a group and all above it; in a container / is its own. */
  private MemoryLimit and(Path root, String group, String file) {
    MemoryLimit least = this;
    Path relative = Path.of("/").relativize(Path.of("/").resolve(group).normalize());
    for (Path at = root.resolve(relative); at != null && at.startsWith(root); at = at.getParent()) {
      Path limit = at.resolve(file);
      for (String text : lines(limit)) {
        if (text.strip().matches("\\d{1,18}") && Long.parseLong(text.strip()) < least.bytes) {
          least = new MemoryLimit(Long.parseLong(text.strip()), limit.toString());
        }
      }
    }
    return least;
  }

  /** None where there is no such file. */
  private static List<String> lines(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      return List.of();
    }
  }
}
