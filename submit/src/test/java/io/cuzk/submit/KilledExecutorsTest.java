package io.cuzk.submit;

import static io.cuzk.submit.Captured.cuzk;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A long run of real 2 KiB proofs on two workers, one of whose executors is killed every minute.
 * {@code -Dcuzk.test.sectors=N}, {@code -Dcuzk.test.kill.seconds=S}.
 */
@Tag("nightly")
class KilledExecutorsTest {
  private static final int SECTORS = Integer.getInteger("cuzk.test.sectors", 40);
  private static final int EVERY = Integer.getInteger("cuzk.test.kill.seconds", 60);

  @TempDir private Path temp;

  @Test
  void everySectorIsVerifiedAlthoughExecutorsAreKilled() throws Exception {
    Path params = TestParameters.directory();
    Path c1 = temp.resolve("c1");
    Path run = temp.resolve("run");
    assertThat(cuzk("seal", "--sector-size=2KiB", "--sectors=" + SECTORS, "--c1", c1).code())
        .isZero();
    long seed = new Random().nextLong();
    System.out.println("killing by seed " + seed);
    Random random = new Random(seed);
    int killed = 0;
    try (StandaloneCluster cluster =
            StandaloneCluster.start(temp, "--workers=2", "--gpus-per-worker=1");
        ExecutorService prover = Executors.newSingleThreadExecutor()) {
      Future<Captured> proving =
          prover.submit(
              () ->
                  cuzk(
                      "prove",
                      "--json",
                      "--master=" + cluster.url(),
                      "--conf=spark.executor.resource.gpu.amount=1",
                      "--conf=spark.task.resource.gpu.amount=1",
                      // At this rate one proof in four is lost: four in a row happen by chance.
                      "--conf=spark.task.maxFailures=8",
                      "--c1=" + c1,
                      "--params=" + params,
                      "--out=" + run,
                      "--miner=1000"));
      Captured proved = null;
      while (proved == null) {
        try {
          proved = proving.get(EVERY, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
          List<Long> executors = executors(cluster);
          if (journalled(run) > 0 && !executors.isEmpty()) {
            long pid = executors.get(random.nextInt(executors.size()));
            StandaloneCluster.kill(pid);
            killed++;
            System.out.printf(
                "killed executor process %d, %d partitions proved%n", pid, journalled(run));
          }
        }
      }
      assertThat(proved.code()).as(proved.err()).isZero();
      assertThat(proved.json().path("verified").asInt()).isEqualTo(SECTORS);
    }
    assertThat(killed).as("executors killed in mid-run").isPositive();
    System.out.println(killed + " executors killed");
    Captured verified = cuzk("verify", "--json", "--out", run, "--params", params);
    assertThat(verified.code()).isZero();
    assertThat(verified.json().path("verified").asInt()).isEqualTo(SECTORS);
    try (Stream<Path> files = Files.list(run)) {
      assertThat(files.filter(file -> file.toString().endsWith(".proof"))).hasSize(SECTORS);
    }
    Set<String> addresses = new TreeSet<>();
    try (Stream<Path> entries = Files.walk(run.resolve("journal"))) {
      for (Path entry : entries.filter(f -> f.toString().endsWith("/000.json")).toList()) {
        JsonNode proof = new ObjectMapper().readTree(entry.toFile()).path("proof");
        addresses.add(proof.path("device_address").asText());
      }
    }
    assertThat(addresses).as("addresses that proved").containsExactly("0", "1");
  }

  /** The JVMs that the cluster's workers started: no other process is ever killed. */
  private static List<Long> executors(StandaloneCluster cluster) throws IOException {
    return cluster.processes().stream()
        .flatMap(worker -> ProcessHandle.of(worker).stream())
        .flatMap(ProcessHandle::children)
        .filter(child -> child.info().command().filter(c -> c.endsWith("/java")).isPresent())
        .map(ProcessHandle::pid)
        .toList();
  }

  private static long journalled(Path run) throws IOException {
    Path journal = run.resolve("journal");
    if (!Files.isDirectory(journal)) {
      return 0;
    }
    try (Stream<Path> sectors = Files.list(journal)) {
      return sectors.count();
    }
  }
}
