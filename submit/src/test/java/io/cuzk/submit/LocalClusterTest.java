package io.cuzk.submit;

import static io.cuzk.submit.Captured.cuzk;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code local-cluster}: a master and two workers as JVMs of their own, from this build's jars. */
@Tag("slow")
class LocalClusterTest {
  @TempDir private Path temp;

  private Path distribution;
  private Path cluster;

  @BeforeEach
  void assemble() throws IOException {
    cluster = temp.resolve("cluster");
    distribution = TestDistribution.assemble(temp.resolve("distribution"));
  }

  @AfterEach
  void stop() throws IOException, InterruptedException {
    if (Files.exists(cluster.resolve("pids"))) {
      localCluster(0, "stop");
    }
  }

  private void localCluster(int code, String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("bin/local-cluster"));
    command.addAll(List.of(words));
    command.addAll(List.of("--dir", cluster.toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CUZK_DIST", distribution.toString());
    builder.environment().put("CUZK_JAVA_HOME", System.getProperty("java.home"));
    Path log = temp.resolve("log");
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(10, TimeUnit.MINUTES)) {
      process.destroy();
      throw new AssertionError(command + " did not end:\n" + Files.readString(log));
    }
    assertThat(process.exitValue()).as(Files.readString(log)).isEqualTo(code);
  }

  private List<Long> processes() throws IOException {
    return Files.readAllLines(cluster.resolve("pids")).stream()
        .map(line -> Long.parseLong(line.substring(0, line.indexOf(' '))))
        .toList();
  }

  /** Of an ended process that nobody has asked about the pid remains, but not the command. */
  private static boolean lives(long pid) {
    return ProcessHandle.of(pid).flatMap(process -> process.info().command()).isPresent();
  }

  @Test
  void twoExecutorsProveASectorEachAndStopEndsTheClusterAlone()
      throws IOException, InterruptedException {
    Path params = TestParameters.directory();
    Path c1 = temp.resolve("c1");
    assertThat(cuzk("seal", "--sector-size=2KiB", "--sectors=2", "--c1", c1).code()).isZero();
    localCluster(0, "start", "--workers=2", "--gpus-per-worker=1");
    localCluster(5, "start", "--workers=1"); // there is one already
    List<Long> processes = processes();
    assertThat(processes).hasSize(3);
    assertThat(processes).allMatch(LocalClusterTest::lives);

    Path run = temp.resolve("run");
    Captured proved =
        cuzk(
            "prove",
            "--json",
            "--master=" + Files.readString(cluster.resolve("master-url")).strip(),
            "--conf=spark.executor.resource.gpu.amount=1",
            "--conf=spark.task.resource.gpu.amount=1",
            "--conf=spark.locality.wait=0",
            "--c1=" + c1,
            "--params=" + params,
            "--out=" + run,
            "--miner=1000");
    assertThat(proved.code()).as(proved.err()).isZero();
    assertThat(proved.json().path("verified").asInt()).isEqualTo(2);
    Set<String> executors = new TreeSet<>();
    Set<String> addresses = new TreeSet<>();
    for (String sector : List.of("s-t01000-1", "s-t01000-2")) {
      JsonNode entry =
          new ObjectMapper().readTree(run.resolve("journal/" + sector + "/000.json").toFile());
      executors.add(entry.at("/proof/executor_id").asText());
      addresses.add(entry.at("/proof/device_address").asText());
      assertThat(entry.at("/device/address")).isEqualTo(entry.at("/proof/device_address"));
    }
    assertThat(executors).hasSize(2);
    assertThat(addresses).containsExactly("0", "1");
    Captured verified = cuzk("verify", "--json", "--out", run, "--params", params);
    assertThat(verified.json().path("verified").asInt()).isEqualTo(2);

    localCluster(0, "stop");
    assertThat(processes).noneMatch(LocalClusterTest::lives);
    assertThat(cluster.resolve("master-url")).doesNotExist();
    localCluster(5, "stop");
  }
}
