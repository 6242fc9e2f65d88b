package io.cuzk.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.jobs.ProveAction;
import io.cuzk.jobs.SparkSessions;
import io.cuzk.jobs.fault.SmallHdfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The smoke tier of the fault scenarios: two workers with a device each, one application, the
 * faults that cost no cluster first. Every scenario ends with every proof there once, verified.
 */
@Tag("slow")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterFaultsTest {
  @TempDir private static Path temp;

  private static FaultScene scene;
  private static StandaloneCluster cluster;
  private static SparkSession spark;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    scene = FaultScene.make(temp, 3);
    cluster =
        StandaloneCluster.start(
            temp, "--workers=2", "--gpus-per-worker=1", "--memory-per-worker=2g");
    Map<String, String> settings = scene.settings();
    settings.put("spark.hadoop.fs.full.impl", "io.cuzk.jobs.fault.FullFileSystem");
    settings.put("spark.hadoop.fs.full.impl.disable.cache", "true");
    settings.put("spark.hadoop.cuzk.full", temp.resolve("is-full").toString());
    settings.put("spark.hadoop.cuzk.readonly", temp.resolve("is-read-only").toString());
    spark = SparkSessions.openToProve("faults", cluster.url(), settings);
  }

  @AfterAll
  static void stop() throws IOException, InterruptedException {
    if (spark != null) {
      spark.stop();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void twoTasksSeeTwoAddresses() throws IOException {
    scene.setDelay(1500);
    ProveAction.Result result = scene.prove(spark, "clean");
    scene.requireWhole(spark, "clean", result);
    Set<String> addresses = new TreeSet<>();
    Set<String> executors = new TreeSet<>();
    for (JsonNode entry : scene.entries("clean")) {
      String address = entry.at("/proof/device_address").asText();
      addresses.add(address);
      executors.add(entry.at("/proof/executor_id").asText());
      assertThat(entry.at("/proof/device").asText()).isEqualTo("faulty device " + address);
      assertThat(entry.at("/device/address").asText()).isEqualTo(address);
    }
    assertThat(addresses).containsExactly("0", "1");
    assertThat(executors).hasSize(2);
    scene.setDelay(0);
  }

  @Test
  @Order(2)
  void aWrongProofGoesToTheOtherDevice() throws IOException {
    scene.fault("wrong-once");
    ProveAction.Result result = scene.prove(spark, "wrong-once");
    scene.requireWhole(spark, "wrong-once", result);
    assertThat(result.retried()).isEqualTo(1);
    assertThat(result.badDevices()).hasSize(1);
    String suspect = result.badDevices().getFirst();
    for (JsonNode entry : scene.entries("wrong-once")) {
      if (entry.at("/proof/task_attempt").asInt() > 0) {
        assertThat(suspect)
            .doesNotContain("gpu-" + entry.at("/proof/device_address").asText() + " ")
            .endsWith("suspect");
      }
    }
  }

  @Test
  @Order(3)
  void anExecutorThatIsKilledInTheMiddleCostsNothing() throws Exception {
    scene.setDelay(4000);
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<ProveAction.Result> running = thread.submit(() -> scene.prove(spark, "kill"));
      StandaloneCluster.kill(scene.firstAtWork(running));
      scene.setDelay(0);
      scene.requireWhole(spark, "kill", running.get());
    }
  }

  @Test
  @Order(4)
  void theSecondRunOnADirectoryIsRefusedAndTheFirstGoesOn() throws Exception {
    scene.setDelay(3000);
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<ProveAction.Result> running = thread.submit(() -> scene.prove(spark, "twice"));
      scene.firstAtWork(running);
      assertThatThrownBy(() -> scene.prove(spark, "twice"))
          .isInstanceOf(InfrastructureException.class)
          .hasMessageContaining("is in use");
      scene.setDelay(0);
      scene.requireWhole(spark, "twice", running.get());
    }
  }

  @Test
  @Order(5)
  void duplicateAndCollidingSectorsAreRefusedBeforeAnyProof() throws IOException {
    Path c1 = Files.createDirectories(temp.resolve("double"));
    Path good = temp.resolve("c1/s-t01000-1.json");
    Files.copy(good, c1.resolve("a.json"));
    Files.copy(good, c1.resolve("b.json"));
    assertThatThrownBy(() -> scene.prove(spark, "double", c1.toString()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("have the same content");
    Files.writeString(c1.resolve("b.json"), Files.readString(good) + "\n");
    assertThatThrownBy(() -> scene.prove(spark, "double", c1.toString()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("are of one sector");
    assertThat(temp.resolve("runs/double")).doesNotExist();
    Files.delete(c1.resolve("b.json"));
    for (int sector = 2; sector <= 3; sector++) {
      String name = "s-t01000-" + sector + ".json";
      Files.copy(scene.c1().resolve(name), c1.resolve(name));
    }
    scene.requireWhole(spark, "double", scene.prove(spark, "double", c1.toString()));
  }

  @Test
  @Order(6)
  void anOutputThatCannotBeWrittenIsRefusedBeforeAnyProof() throws IOException {
    Path runs = Files.createDirectories(temp.resolve("runs"));
    Path file = Files.writeString(runs.resolve("a-file"), "");
    Path run = file.resolve("run");
    assertThatThrownBy(() -> scene.proveTo(spark, run.toString()))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("cannot make the output directory");
    Files.delete(file);
    scene.requireWhole(spark, "a-file/run", scene.proveTo(spark, run.toString()));
  }

  /** The driver's own mount is good: what it writes itself says nothing of the executors'. */
  @Test
  @Order(6)
  void anOutputThatExecutorsCannotWriteToIsRefusedBeforeAnyProof() throws IOException {
    Path readOnly = Files.writeString(temp.resolve("is-read-only"), "");
    String output = "full:" + scene.run("read-only");
    scene.setDelay(0);
    assertThatThrownBy(() -> scene.proveTo(spark, output))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("the output directory " + output + " is not writable")
        .hasMessageContaining("Read-only file system");
    assertThat(scene.begunOn("0") + scene.begunOn("1")).isZero();
    assertThat(scene.run("read-only")).doesNotExist();
    Files.delete(readOnly);
    ProveAction.Result result = scene.proveTo(spark, output);
    scene.requireWhole(spark, "read-only", result, output, scene.params().toString());
  }

  @Test
  @Order(7)
  void aDatanodeThatIsLostInTheMiddleOfARunInHdfsCostsNothing() throws Exception {
    try (SmallHdfs hdfs = SmallHdfs.start(temp.resolve("hdfs"));
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      hdfs.put(scene.c1(), "/c1");
      String run = hdfs.uri("/run");
      scene.setDelay(2000);
      Future<ProveAction.Result> running =
          thread.submit(() -> scene.action(spark, run, hdfs.uri("/c1"), scene.params().toString()));
      scene.firstAtWork(running);
      hdfs.loseDatanode(0);
      scene.setDelay(500);
      ProveAction.Result result = running.get();
      hdfs.get("/run", scene.run("hdfs"));
      scene.requireWhole(spark, "hdfs", result, run, scene.params().toString());
    }
  }

  @Test
  @Order(8)
  void aDeviceThatIsAlwaysWrongIsExcludedAndTheOtherProvesAll() throws Exception {
    scene.fault("wrong-0");
    ProveAction.Result result = scene.prove(spark, "wrong-0");
    scene.requireWhole(spark, "wrong-0", result);
    assertThat(result.retried()).isPositive();
    assertThat(result.badDevices()).anyMatch(each -> each.endsWith("/gpu-0 excluded"));
    for (JsonNode entry : scene.entries("wrong-0")) {
      assertThat(entry.at("/proof/device_address").asText()).isEqualTo("1");
    }
    scene.mend("wrong-0");
    awaitExecutors(spark, 1); // its executor is given back, and none comes for it
    theLastExecutorIsReplacedWhenItIsKilled();
  }

  /** Though the cluster has room where one was given back, on the device that is excluded. */
  private static void theLastExecutorIsReplacedWhenItIsKilled() throws Exception {
    scene.setDelay(4000);
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<ProveAction.Result> running = thread.submit(() -> scene.prove(spark, "last"));
      StandaloneCluster.kill(scene.firstAtWork(running));
      scene.setDelay(0);
      scene.requireWhole(spark, "last", running.get());
    }
    for (JsonNode entry : scene.entries("last")) {
      assertThat(entry.at("/proof/device_address").asText()).isEqualTo("1");
    }
    awaitExecutors(spark, 1);
  }

  /** Until there are so many, by Spark's own count. */
  static void awaitExecutors(SparkSession spark, int count) {
    long until = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    int there = -1;
    while (there != count && System.nanoTime() < until) {
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      there = spark.sparkContext().statusTracker().getExecutorInfos().length - 1; // the driver
    }
    assertThat(there).isEqualTo(count);
  }
}
