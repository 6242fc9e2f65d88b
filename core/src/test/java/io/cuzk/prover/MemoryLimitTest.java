package io.cuzk.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits from directories that look like the kernel's. */
class MemoryLimitTest {
  private static final long GIB = 1L << 30;
  private static final long MACHINE = 64 * GIB;

  @TempDir private Path temp;

  private void group(String path, String file, String content) throws IOException {
    Path directory = Files.createDirectories(temp.resolve("cgroup").resolve(path));
    Files.writeString(directory.resolve(file), content + "\n");
  }

  private MemoryLimit limit(String membership) throws IOException {
    Path file = Files.writeString(temp.resolve("membership"), membership);
    return MemoryLimit.of(temp.resolve("cgroup"), file, MACHINE);
  }

  @Test
  void theSecondVersionsSmallestLimitOnTheWayUpCounts() throws IOException {
    group("pods/one/inner", "memory.max", "max");
    group("pods/one", "memory.max", Long.toString(6 * GIB));
    group("pods", "memory.max", Long.toString(32 * GIB));
    MemoryLimit limit = limit("0::/pods/one/inner\n");
    assertThat(limit.bytes()).isEqualTo(6 * GIB);
    assertThat(limit.source()).endsWith("cgroup/pods/one/memory.max");
    group("pods/one/inner", "memory.max", Long.toString(5 * GIB));
    assertThat(limit("0::/pods/one/inner\n").bytes()).isEqualTo(5 * GIB);
  }

  @Test
  void inAContainersNamespaceTheRootIsItsOwnGroup() throws IOException {
    group(".", "memory.max", Long.toString(3 * GIB));
    assertThat(limit("0::/\n").bytes()).isEqualTo(3 * GIB);
    // a group outside of the namespace, as the kernel shows it
    assertThat(limit("0::/../other\n").bytes()).isEqualTo(3 * GIB);
  }

  @Test
  void theFirstVersionHasItsOwnDirectory() throws IOException {
    group("memory/docker/abc", "memory.limit_in_bytes", Long.toString(2 * GIB));
    group("memory", "memory.limit_in_bytes", "9223372036854771712"); // none
    assertThat(limit("12:pids:/docker/abc\n5:cpu,memory:/docker/abc\n0::/\n").bytes())
        .isEqualTo(2 * GIB);
    // the membership names a directory that this mount does not show
    group("memory", "memory.limit_in_bytes", Long.toString(4 * GIB));
    assertThat(limit("5:memory:/elsewhere\n").bytes()).isEqualTo(4 * GIB);
  }

  @Test
  void withoutALimitTheMachineIsIt() throws IOException {
    group("pods", "memory.max", "max");
    assertThat(limit("0::/pods\n")).isEqualTo(new MemoryLimit(MACHINE, "the machine's memory"));
    assertThat(limit("nonsense\n").bytes()).isEqualTo(MACHINE);
    group("pods", "memory.max", Long.toString(128 * GIB));
    assertThat(limit("0::/pods\n").bytes()).isEqualTo(MACHINE);
    assertThat(MemoryLimit.of(temp, temp.resolve("none"), MACHINE).bytes()).isEqualTo(MACHINE);
    assertThat(MemoryLimit.current().bytes()).isPositive();
  }

  @Test
  void theSmallerOneOfHeapAndLimitIsTheBudgetAndARefusalNamesBoth() throws IOException {
    group("pod", "memory.max", Long.toString(4 * GIB));
    MemoryLimit limit = limit("0::/pod\n");
    MemoryBudget byHeap = MemoryBudget.of(4 * GIB, limit, 0);
    assertThat(byHeap.total()).isEqualTo(3 * GIB);
    assertThatThrownBy(() -> byHeap.reserve("it", 4 * GIB, PartitionOrder.of(0)))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("it needs 4294967296 bytes")
        .hasMessageContaining(
            "3221225472 bytes (3072 MiB): three quarters of the heap of 4096 MiB");
    MemoryBudget byLimit = MemoryBudget.of(8 * GIB, limit, GIB);
    assertThat(byLimit.total()).isEqualTo(4 * GIB - MemoryBudget.OUTSIDE_HEAP - GIB);
    assertThatThrownBy(() -> byLimit.reserve("it", 4 * GIB, PartitionOrder.of(0)))
        .hasMessageContaining("(2560 MiB): what ")
        .hasMessageContaining("cgroup/pod/memory.max of 4096 MiB leaves beside 1536 MiB")
        .hasMessageContaining("more than that is three quarters of the heap of 8192 MiB");
    assertThat(MemoryBudget.of(GIB, new MemoryLimit(1, "x"), 0).total()).isEqualTo(1 << 20);
  }
}
