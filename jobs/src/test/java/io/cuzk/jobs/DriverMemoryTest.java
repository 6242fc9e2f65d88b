package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver does not need more memory for more sectors than its heap of 1 GiB has. */
@Tag("nightly")
class DriverMemoryTest {
  /** {@code -Dcuzk.test.sectors=N} for another number. */
  private static final int SECTORS = Integer.getInteger("cuzk.test.sectors", 100_000);

  @TempDir private Path temp;

  @Test
  void aHundredThousandPartitionsFitInOneGibibyte() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (flag.startsWith("--add-opens")
          || flag.startsWith("--enable-native")
          || flag.startsWith("--sun-misc")
          || flag.startsWith("-Dio.netty")) {
        command.add(flag);
      }
    }
    Path collections = temp.resolve("gc.log");
    command.addAll(
        List.of(
            "-Xmx1g",
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            "-Xlog:gc:file=" + collections,
            "-cp",
            System.getProperty("java.class.path"),
            DriverMemoryMain.class.getName(),
            Integer.toString(SECTORS),
            temp.resolve("directory").toString()));
    Path log = temp.resolve("log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(process.waitFor(60, TimeUnit.MINUTES)).as("ended within an hour").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    assertThat(Files.readString(log)).contains("verified " + SECTORS);
    String most =
        Files.readAllLines(collections).stream()
            .filter(line -> line.contains("Pause Full"))
            .reduce("no full collection", (a, b) -> b);
    System.out.println(SECTORS + " partitions in 1 GiB: last full collection: " + most);
  }
}
