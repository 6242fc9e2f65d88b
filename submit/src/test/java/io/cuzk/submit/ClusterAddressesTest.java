package io.cuzk.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.jobs.ProveAction;
import io.cuzk.jobs.SparkSessions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One worker with two addresses; two workers with one each are in {@link ClusterFaultsTest}. Tasks
 * that run at once must have different ones, whether in two executors or in one.
 */
@Tag("slow")
@Timeout(600)
class ClusterAddressesTest {
  @TempDir private static Path temp;

  private static FaultScene scene;
  private static StandaloneCluster cluster;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    scene = FaultScene.make(temp, 3);
    scene.setDelay(4000);
    cluster =
        StandaloneCluster.start(
            temp,
            "--workers=1",
            "--gpus-per-worker=2",
            "--cores-per-worker=2",
            "--memory-per-worker=3g");
  }

  @AfterAll
  static void stop() throws IOException, InterruptedException {
    if (cluster != null) {
      cluster.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "1, 2"})
  void oneWorkersTwoAddressesAreUsedAtOnce(int executors, int addressesEach) throws IOException {
    Map<String, String> settings = scene.settings();
    settings.put("spark.executor.cores", Integer.toString(addressesEach));
    settings.put("spark.task.cpus", "1");
    settings.put("spark.executor.resource.gpu.amount", Integer.toString(addressesEach));
    String name = executors + "-executors";
    SparkSession spark = SparkSessions.openToProve("addresses", cluster.url(), settings);
    try {
      ProveAction.Result result = scene.prove(spark, name);
      scene.requireWhole(spark, name, result);
    } finally {
      spark.stop();
    }
    Map<String, Set<String>> byExecutor = new TreeMap<>();
    Set<String> addresses = new TreeSet<>();
    List<Work> all = new ArrayList<>();
    for (JsonNode entry : scene.entries(name)) {
      Work work = Work.of(entry);
      all.add(work);
      addresses.add(work.address());
      byExecutor
          .computeIfAbsent(entry.at("/proof/executor_id").asText(), id -> new TreeSet<>())
          .add(work.address());
    }
    assertThat(addresses).containsExactly("0", "1");
    assertThat(byExecutor).hasSize(executors);
    assertThat(byExecutor.values()).allSatisfy(each -> assertThat(each).hasSize(addressesEach));
    int together = 0;
    for (Work one : all) {
      for (Work other : all) {
        if (one != other && one.overlaps(other)) {
          together++;
          assertThat(one.address()).as("of %s and %s", one, other).isNotEqualTo(other.address());
        }
      }
    }
    assertThat(together).as("proofs at once").isPositive();
  }

  /** When a device was at work, in nanoseconds since 1970. */
  private record Work(String address, long begin, long end) {
    static Work of(JsonNode entry) {
      Instant started = Instant.parse(entry.at("/proof/started_at").asText());
      long origin = started.getEpochSecond() * 1_000_000_000L + started.getNano();
      for (JsonNode phase : entry.path("phases")) {
        if (phase.path("phase").asText().equals("quotient")) {
          long begin = origin + phase.path("start_ns").asLong();
          return new Work(
              entry.at("/proof/device_address").asText(),
              begin,
              begin + phase.path("wall_ns").asLong());
        }
      }
      throw new AssertionError("no phase of the device in " + entry);
    }

    boolean overlaps(Work other) {
      return begin < other.end && other.begin < end;
    }
  }
}
