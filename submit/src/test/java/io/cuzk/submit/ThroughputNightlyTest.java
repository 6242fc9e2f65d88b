package io.cuzk.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.jobs.fault.SmallHdfs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code cuzk throughput --sectors 8 --compare-one} on two workers of two cores, without a word on
 * executors: it takes what the cluster gives, and one executor like each of those.
 */
@Tag("nightly")
@Timeout(1200)
class ThroughputNightlyTest {
  @TempDir private static Path temp;

  private static FaultScene scene;
  private static StandaloneCluster cluster;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    scene = FaultScene.make(temp, 8);
    scene.setDelay(300);
    cluster =
        StandaloneCluster.start(
            temp, "--workers=2", "--cores-per-worker=2", "--memory-per-worker=2g");
  }

  @AfterAll
  static void stop() throws IOException, InterruptedException {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static JsonNode measure(String c1, String output, String... more) throws IOException {
    List<Object> words = new ArrayList<>();
    words.addAll(List.of("throughput", "--sectors=8", "--json"));
    words.addAll(List.of(more));
    words.add("--c1=" + c1);
    words.add("--params=" + scene.params());
    words.add("--out=" + output);
    words.add("--master=" + cluster.url());
    scene
        .settings()
        .forEach(
            (key, value) -> {
              if (!key.contains(".resource.")) {
                words.add("--conf=" + key + "=" + value);
              }
            });
    Captured ran = Captured.cuzk(words.toArray());
    assertThat(ran.code()).as(ran.err()).isZero();
    return ran.json();
  }

  private static void assertWhole(JsonNode json) {
    assertThat(json.path("verified").asInt()).isEqualTo(8);
    assertThat(json.path("failed").asInt()).isZero();
    assertThat(json.path("partitions").asInt()).isEqualTo(16);
    assertThat(json.path("executors").asInt()).isEqualTo(2);
    // two cores each, though nobody said so
    assertThat(json.path("slots").asInt()).isEqualTo(4);
    assertThat(json.path("utilisation").asDouble()).isBetween(0.01, 1.0);
    assertThat(json.at("/one/verified").asInt()).isEqualTo(8);
    assertThat(json.at("/one/executors").asInt()).isEqualTo(1);
    assertThat(json.at("/one/slots").asInt()).isEqualTo(2);
    assertThat(json.at("/one/utilisation").asDouble()).isBetween(0.01, 1.0);
    assertThat(json.path("cores_per_executor").asInt()).isEqualTo(2);
    assertThat(json.at("/clock_skew_ms/least").asInt()).as("one machine has one clock").isZero();
    System.out.println(json);
  }

  @Test
  void onACluster() throws IOException {
    Path output = temp.resolve("throughput");
    assertWhole(measure(scene.c1().toString(), output.toString(), "--compare-one"));
    for (String run : List.of("run-all", "run-one")) {
      JsonNode record =
          new ObjectMapper().readTree(output.resolve(run).resolve("run.json").toFile());
      assertThat(record.at("/throughput/utilisation").asDouble()).isBetween(0.01, 1.0);
      assertThat(record.at("/configuration/threads_per_task").asInt()).isEqualTo(1);
    }
  }

  @Test
  void executorsOfNoGivenSizeHaveTheCoresOfTheWorkers() throws IOException {
    String output = temp.resolve("sized").toString();
    JsonNode one = measure(scene.c1().toString(), output, "--executors=1");
    assertThat(one.path("verified").asInt()).isEqualTo(8);
    assertThat(one.path("executors").asInt()).isEqualTo(1);
    assertThat(one.path("cores_per_executor").asInt()).isEqualTo(2);
    assertThat(one.path("slots").asInt()).as("a proof by all cores of its executor").isEqualTo(1);
  }

  @Test
  void overHdfs() throws IOException {
    try (SmallHdfs hdfs = SmallHdfs.start(temp.resolve("hdfs"))) {
      hdfs.put(scene.c1(), "/c1");
      assertWhole(measure(hdfs.uri("/c1"), hdfs.uri("/throughput"), "--compare-one"));
      Path copy = temp.resolve("copy");
      hdfs.get("/throughput/run-all", copy);
      assertThat(copy).isDirectoryContaining("glob:**s-t01000-8.proof");
    }
  }
}
