package io.cuzk.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InfrastructureException;
import io.cuzk.jobs.Columns;
import io.cuzk.jobs.CuzkPlugin;
import io.cuzk.jobs.Progress;
import io.cuzk.jobs.ProveAction;
import io.cuzk.jobs.RunData;
import io.cuzk.jobs.RunStatus;
import io.cuzk.jobs.SparkSessions;
import io.cuzk.jobs.fault.Meddling;
import io.cuzk.jobs.fault.SmallHdfs;
import io.cuzk.jobs.fault.SmallSectors;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Fault scenarios that cost an application, a driver or a worker each: two workers with a device
 * each. Every scenario ends with every proof there once, verified.
 */
@Tag("nightly")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterFaultsNightlyTest {
  @TempDir private static Path temp;

  private static FaultScene scene;
  private static StandaloneCluster cluster;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    scene = FaultScene.make(temp, 2);
    cluster =
        StandaloneCluster.start(
            temp, "--workers=2", "--gpus-per-worker=1", "--memory-per-worker=2g");
  }

  @AfterEach
  void mend() throws IOException {
    scene.mend("hang-0");
    scene.mend("refuse-1");
    scene.mend("wrong-any");
    scene.mend("broken-0");
    scene.mend("wrong-0");
    scene.mend("lost-0");
    scene.setDelay(0);
  }

  @AfterAll
  static void stop() throws IOException, InterruptedException {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** One scenario in an application of its own. */
  private interface Body {
    void run(SparkSession spark) throws Exception;
  }

  private static void application(Map<String, String> more, Body body) throws Exception {
    application(cluster, more, body);
  }

  private static void application(StandaloneCluster on, Map<String, String> more, Body body)
      throws Exception {
    Map<String, String> settings = scene.settings();
    settings.putAll(more);
    if (settings.get("spark.cuzk.selftest").equals("always")) {
      settings.compute(
          "spark.executor.extraJavaOptions",
          (key, flags) -> flags.replace("-XX:TieredStopAtLevel=1", ""));
    }
    SparkSession spark = SparkSessions.openToProve("faults", on.url(), settings);
    try {
      body.run(spark);
    } finally {
      spark.stop();
    }
  }

  /** {@code cuzk prove} in a process of its own. */
  private static Process driver(String run) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(TestDistribution.flags());
    command.add("-Dcuzk.faults=" + scene.faults());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.cuzk.submit.Cuzk"));
    command.addAll(scene.words(run, cluster.url()));
    File log = temp.resolve("driver-" + run + ".log").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log);
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    return builder.start();
  }

  private static void rerun(String run, int least) throws Exception {
    application(
        Map.of(),
        spark -> {
          ProveAction.Result result = scene.prove(spark, run);
          scene.requireWhole(spark, run, result);
          assertThat(result.partitionsFoundDone()).isGreaterThanOrEqualTo(least);
          assertThat(result.partitionsFoundDone() + result.partitionsProved()).isEqualTo(4);
        });
  }

  /** From the run's begin to the first proof's in its last session, by the records' own clocks. */
  private static Duration toFirstProof(String run) throws IOException {
    RunData data = RunData.open(scene.run(run).toString(), new Configuration());
    String session = data.record().path("run_id").asText();
    Columns proofs = data.read(RunData.PROOFS, "run_id", "started_at");
    long first = Long.MAX_VALUE;
    for (int row = 0; row < proofs.rows(); row++) {
      if (session.equals(proofs.text("run_id", row))) {
        first = Math.min(first, proofs.longs("started_at")[row]);
      }
    }
    Instant begun = Instant.parse(data.record().path("started_at").asText());
    return Duration.between(begun, Instant.ofEpochSecond(0, first));
  }

  private static ProveAction.Result prove(SparkSession spark, String output, Progress progress) {
    return ProveAction.on(spark)
        .inputs(List.of(scene.c1().toString()))
        .parameters(scene.params().toString())
        .output(output)
        .miner(1000L)
        .progress(progress)
        .build()
        .execute();
  }

  private static void awaitProofs(String run, int count, Process driver)
      throws IOException, InterruptedException {
    while (!Files.isDirectory(scene.run(run).resolve("journal"))
        || scene.entries(run).size() < count) {
      requireAlive(run, driver);
      Thread.sleep(50);
    }
  }

  private static void requireAlive(String run, Process driver) throws IOException {
    if (!driver.isAlive()) {
      throw new AssertionError(Files.readString(temp.resolve("driver-" + run + ".log")));
    }
  }

  @Test
  @Order(1)
  void aDeviceThatHangsIsExcludedAndTheOtherProvesAll() throws Exception {
    scene.fault("hang-0");
    application(
        Map.of("spark.cuzk.device.timeout", "5s"),
        spark -> {
          ProveAction.Result result = scene.prove(spark, "hang");
          scene.requireWhole(spark, "hang", result);
          // suspect while its fresh process has not failed as well
          assertThat(result.badDevices()).anyMatch(each -> each.contains("/gpu-0 "));
          for (JsonNode entry : scene.entries("hang")) {
            assertThat(entry.at("/proof/device_address").asText()).isEqualTo("1");
          }
        });
  }

  @Test
  @Order(2)
  void aDeviceThatThrowsAtStartIsExcludedBeforeTheFirstTask() throws Exception {
    scene.fault("refuse-1");
    application(
        Map.of("spark.cuzk.selftest", "always"),
        spark -> {
          ProveAction.Result result = scene.prove(spark, "refuse");
          scene.requireWhole(spark, "refuse", result);
          for (JsonNode entry : scene.entries("refuse")) {
            assertThat(entry.at("/proof/device_address").asText()).isEqualTo("0");
          }
        });
  }

  @Test
  @Order(3)
  void aKeyInHdfsIsFetchedOnceForBothExecutorsThoughADatanodeIsLost() throws Exception {
    Path cache = temp.resolve("cache");
    try (SmallHdfs hdfs = SmallHdfs.start(temp.resolve("hdfs"))) {
      hdfs.put(scene.c1(), "/c1");
      hdfs.put(scene.params(), "/params", 1); // read before the datanode is lost
      for (Path small : scene.keyFiles("vk", "digest")) {
        hdfs.put(small, "/params");
      }
      String run = hdfs.uri("/run");
      application(
          Map.of("spark.cuzk.params.cache", cache.toString()),
          spark -> {
            assertThat(CuzkPlugin.awaitExecutors(2, Duration.ofMinutes(2))).isEqualTo(2);
            try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
              scene.setDelay(2500);
              Future<ProveAction.Result> running =
                  thread.submit(
                      () -> scene.action(spark, run, hdfs.uri("/c1"), hdfs.uri("/params")));
              scene.firstAtWork(running);
              hdfs.loseDatanode(1);
              ProveAction.Result result = running.get();
              hdfs.get("/run", scene.run("hdfs"));
              scene.requireWhole(spark, "hdfs", result, run, hdfs.uri("/params"));
            }
            assertThat(scene.entries("hdfs"))
                .extracting(entry -> entry.at("/proof/device_address").asText())
                .contains("0", "1");
          });
    }
    try (Stream<Path> files = Files.walk(cache)) {
      assertThat(files.filter(file -> file.toString().endsWith(".params"))).hasSize(1);
    }
  }

  @Test
  @Order(4)
  void aDriverThatIsKilledLeavesADirectoryThatResumes() throws Exception {
    scene.setDelay(2500);
    Process driver = driver("driver");
    awaitProofs("driver", 2, driver); // half of the batch
    driver.destroyForcibly().waitFor();
    scene.setDelay(0);
    rerun("driver", 2);
    Duration waited = toFirstProof("driver");
    System.out.println("a half-done batch resumed after " + waited);
    assertThat(waited).isBetween(Duration.ZERO, Duration.ofSeconds(30));
  }

  @Test
  @Order(5)
  void aDriverThatIsKilledDuringACommitLeavesADirectoryThatResumes() throws Exception {
    Process driver = driver("commit");
    while (!Files.exists(scene.run("commit").resolve("_phases.new"))) {
      requireAlive("commit", driver);
      Thread.sleep(2);
    }
    driver.destroyForcibly().waitFor();
    assertThat(scene.run("commit").resolve("_phases.new")).exists(); // killed before the commit
    rerun("commit", 4);
    assertThat(scene.run("commit")).isDirectoryNotContaining("glob:**.new");
  }

  @Test
  @Order(6)
  void cancelLeavesADirectoryThatResumes() throws Exception {
    scene.setDelay(2500);
    Process driver = driver("cancel");
    awaitProofs("cancel", 1, driver);
    driver.destroy(); // as Ctrl-C: the process ends in order
    assertThat(driver.waitFor(60, TimeUnit.SECONDS)).isTrue();
    scene.setDelay(0);
    assertThat(RunStatus.read(scene.run("cancel").toString(), new Configuration()).state())
        .isEqualTo("interrupted");
    rerun("cancel", 1);
  }

  @Test
  @Order(7)
  void aBackendThatIsAlwaysWrongLeavesNoProofAndMendedProvesAll() throws Exception {
    scene.fault("wrong-any");
    application(
        Map.of(),
        spark -> {
          ProveAction.Result result = scene.prove(spark, "wrong");
          assertThat(result.verified()).isZero();
          assertThat(result.failures()).hasSize(2);
          assertThat(result.badDevices()).isNotEmpty();
          assertThat(scene.entries("wrong")).isEmpty();
          assertThat(scene.run("wrong")).isDirectoryNotContaining("glob:**.proof");
        });
    scene.mend("wrong-any");
    rerun("wrong", 0);
  }

  @Test
  @Order(8)
  void thePartitionBesideOneThatFailsIsKept() throws Exception {
    scene.fault("error-once");
    application(
        Map.of("spark.cuzk.attempts", "1"),
        spark -> {
          ProveAction.Result result = scene.prove(spark, "sibling");
          assertThat(result.verified()).isEqualTo(1);
          assertThat(result.failuresByKind()).containsEntry("device", 1);
          assertThat(scene.entries("sibling")).hasSize(3);
        });
    rerun("sibling", 3);
  }

  @Test
  @Order(8)
  void theSecondPartitionOfElevenLayersFailsOnceAndIsTriedAgain() throws Exception {
    FaultScene deep = FaultScene.make(temp.resolve("deep"), 1, SmallSectors.DEEP_SHAPE);
    deep.setDelay(4000);
    Map<String, String> settings = deep.settings();
    settings.put("spark.cores.max", "1"); // one executor: the partitions come in their order
    SparkSession spark = SparkSessions.openToProve("deep", cluster.url(), settings);
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<ProveAction.Result> running = thread.submit(() -> deep.prove(spark, "deep"));
      while (!Files.isDirectory(deep.run("deep").resolve("journal"))
          || deep.entries("deep").isEmpty()) {
        Thread.sleep(50);
      }
      deep.fault("error-once");
      ProveAction.Result result = running.get();
      deep.requireWhole(spark, "deep", result);
      assertThat(result.retried()).isEqualTo(1);
      assertThat(deep.entries("deep"))
          .extracting(entry -> entry.at("/proof/partition_index").asInt())
          .containsExactlyInAnyOrder(0, 1);
      for (JsonNode entry : deep.entries("deep")) {
        assertThat(entry.at("/proof/task_attempt").asInt())
            .isEqualTo(entry.at("/proof/partition_index").asInt());
      }
    } finally {
      spark.stop();
    }
  }

  @Test
  @Order(9)
  void aBudgetThatIsTooSmallIsRefusedWithBothFigures() throws Exception {
    application(
        Map.of("spark.cuzk.memory.budget", "1MiB"),
        spark ->
            assertThatThrownBy(() -> scene.prove(spark, "budget"))
                .isInstanceOf(InfrastructureException.class)
                .hasMessageContaining("needs")
                .hasMessageContaining("the memory budget of this process is 1048576 bytes")
                // both are waited for, so that all faults come together
                .hasMessageContaining("(executor 0)")
                .hasMessageContaining("(executor 1)"));
    assertThat(scene.run("budget")).doesNotExist();
    rerun("budget", 0);
  }

  @Test
  @Order(10)
  void aDiskThatFillsUpEndsTheRunAndTheRerunProvesTheMissing() throws Exception {
    Path full = temp.resolve("is-full");
    String output = "full:" + scene.run("full");
    Map<String, String> settings =
        Map.of(
            "spark.hadoop.fs.full.impl", "io.cuzk.jobs.fault.FullFileSystem",
            "spark.hadoop.fs.full.impl.disable.cache", "true",
            "spark.hadoop.cuzk.full", full.toString());
    scene.setDelay(500);
    application(
        settings,
        spark ->
            assertThatThrownBy(
                    () ->
                        prove(
                            spark, output, Meddling.asProved(done -> Files.writeString(full, ""))))
                .isInstanceOf(InfrastructureException.class)
                .hasMessageContaining("No space left on device"));
    assertThat(scene.entries("full")).hasSizeBetween(1, 3);
    Files.delete(full);
    application(
        settings,
        spark -> {
          ProveAction.Result result = prove(spark, output, Progress.NONE);
          scene.requireWhole(spark, "full", result, output, scene.params().toString());
          assertThat(result.partitionsFoundDone()).isPositive();
          assertThat(result.partitionsFoundDone() + result.partitionsProved()).isEqualTo(4);
        });
  }

  /** The executors that are there, by Spark's own account. */
  private static Set<String> ids(SparkSession spark) {
    Set<String> found = new TreeSet<>();
    CollectionConverters.asJava(spark.sparkContext().statusStore().executorList(true))
        .forEach(each -> found.add(each.id()));
    return found;
  }

  @Test
  @Order(11)
  void aKeyThatIsCutShortAfterThePreflightIsNoReasonToProveWrongly() throws Exception {
    Path key = scene.keyFiles(".params").getFirst();
    long whole = Files.size(key);
    application(
        Map.of(),
        spark -> {
          ProveAction.Result result =
              prove(
                  spark,
                  scene.run("cut").toString(),
                  Meddling.at(Meddling.PROVING, () -> resize(key, whole - 1000)));
          resize(key, whole);
          assertThat(result.verified()).isZero();
          assertThat(result.failuresByKind()).containsEntry("infrastructure", 2);
          assertThat(result.failures().getFirst().reason()).contains("truncated", ".params");
          assertThat(scene.entries("cut")).isEmpty();
          assertThat(result.badDevices()).isEmpty();
        });
    rerun("cut", 0);
  }

  /** The other device is in a long proof: its end is waited for, as long as that takes. */
  @Test
  @Order(11)
  void aPartitionWaitsForAnotherDeviceThanTheOneThatFailedIt() throws Exception {
    FaultScene one = FaultScene.make(temp.resolve("one"), 1);
    one.fault("wrong-0");
    Map<String, String> settings = one.settings();
    SparkSession spark = SparkSessions.openToProve("faults", cluster.url(), settings);
    try {
      assertThat(CuzkPlugin.awaitExecutors(2, Duration.ofMinutes(2))).isEqualTo(2);
      one.setDelay("delay", 0);
      one.setDelay("delay-1", 60_000);
      ProveAction.Result result = one.prove(spark, "wait");
      one.requireWhole(spark, "wait", result);
      assertThat(result.badDevices()).hasSize(1).first().asString().endsWith("/gpu-0 suspect");
      assertThat(one.begunOn("0")).isEqualTo(1);
    } finally {
      spark.stop();
    }
  }

  private static void resize(Path file, long bytes) {
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.setLength(bytes); // what is given back is zeros, as before
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @Order(12)
  void aWorkerThatIsKilledWithItsExecutorCostsNothing() throws Exception {
    scene.setDelay(3000);
    application(
        Map.of(),
        spark -> {
          try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<ProveAction.Result> running = thread.submit(() -> scene.prove(spark, "worker"));
            long executor = scene.firstAtWork(running);
            long worker =
                ProcessHandle.of(executor).flatMap(ProcessHandle::parent).orElseThrow().pid();
            assertThat(cluster.processes()).contains(worker);
            StandaloneCluster.kill(worker);
            StandaloneCluster.kill(executor);
            scene.setDelay(0);
            scene.requireWhole(spark, "worker", running.get());
          }
        });
  }

  @Test
  @Order(11)
  void anExecutorThatFailsTasksAtOnceGetsNoMoreOfThem() throws Exception {
    scene.fault("broken-0");
    application(
        Map.of(),
        spark -> {
          assertThat(CuzkPlugin.awaitExecutors(2, Duration.ofMinutes(2))).isEqualTo(2);
          scene.setDelay(3000);
          ProveAction.Result result = scene.prove(spark, "broken");
          assertThat(scene.begunOn("0")).isBetween(1L, 4L);
          scene.requireWhole(spark, "broken", result);
          for (JsonNode entry : scene.entries("broken")) {
            assertThat(entry.at("/proof/device_address").asText()).isEqualTo("1");
          }
        });
  }

  @Test
  @Order(11)
  void executorsThatFailWhateverTheyAreGivenEndTheRunBeforeEverySectorHasUsedUpItsTries()
      throws Exception {
    FaultScene many = FaultScene.make(temp.resolve("many"), 8);
    many.fault("broken-any");
    SparkSession spark = SparkSessions.openToProve("many", cluster.url(), many.settings());
    try {
      assertThat(CuzkPlugin.awaitExecutors(2, Duration.ofMinutes(2))).isEqualTo(2);
      ProveAction.Result result = many.prove(spark, "many");
      assertThat(result.verified()).isZero();
      assertThat(result.failuresByKind()).containsEntry("infrastructure", 8);
      assertThat(result.badDevices()).isEmpty();
      assertThat(result.failures().getLast().reason())
          .contains("every executor fails what it is given", "is broken, as was asked");
      assertThat(many.entries("many")).isEmpty();
      many.mend("broken-any");
      many.requireWhole(spark, "many", many.prove(spark, "many"));
    } finally {
      spark.stop();
    }
  }

  @Test
  @Order(11)
  void anExecutorIsGivenBackThoughSparkAllocatesThemAsItSeesFit() throws Exception {
    scene.fault("wrong-0");
    application(
        Map.of(
            "spark.dynamicAllocation.enabled", "true",
            "spark.dynamicAllocation.initialExecutors", "2",
            "spark.dynamicAllocation.maxExecutors", "2"),
        spark -> {
          assertThat(CuzkPlugin.awaitExecutors(2, Duration.ofMinutes(2))).isEqualTo(2);
          Set<String> before = new TreeSet<>(ids(spark));
          scene.setDelay(1500); // so that device 0 gets a second partition
          ProveAction.Result result = scene.prove(spark, "dynamic");
          scene.requireWhole(spark, "dynamic", result);
          assertThat(result.badDevices()).anyMatch(each -> each.endsWith("/gpu-0 excluded"));
          long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
          while (ids(spark).containsAll(before) && System.nanoTime() < until) {
            Thread.sleep(100);
          }
          assertThat(ids(spark).containsAll(before)).as("all of " + before).isFalse();
        });
  }

  @Test
  @Order(12)
  void anExecutorThatLosesItsDeviceIsReplacedAndTheDeviceUsedAgain() throws Exception {
    application(
        Map.of(),
        spark -> {
          assertThat(CuzkPlugin.awaitExecutors(2, Duration.ofMinutes(2))).isEqualTo(2);
          scene.fault("lost-once");
          scene.setDelay(1000);
          ProveAction.Result result = scene.prove(spark, "lost");
          scene.requireWhole(spark, "lost", result);
          assertThat(result.retried()).isEqualTo(1);
          assertThat(result.badDevices()).hasSize(1).first().asString().endsWith("suspect");
          assertThat(CuzkPlugin.awaitExecutors(2, Duration.ofMinutes(2))).isEqualTo(2);
          scene.setDelay(1500);
          scene.requireWhole(spark, "lost-then", scene.prove(spark, "lost-then"));
          assertThat(scene.entries("lost-then"))
              .extracting(entry -> entry.at("/proof/device_address").asText())
              .contains("0", "1");
        });
  }

  @Test
  @Order(13)
  void theOnlyDeviceOfAClusterIsUsedAgainAfterItsFirstLossAndNotAfterItsSecond() throws Exception {
    try (StandaloneCluster one =
        StandaloneCluster.start(
            temp.resolve("one"), "--workers=1", "--gpus-per-worker=1", "--memory-per-worker=2g")) {
      application(
          one,
          Map.of(),
          spark -> {
            scene.fault("lost-once");
            ProveAction.Result result = scene.prove(spark, "only");
            scene.requireWhole(spark, "only", result);
            assertThat(result.retried()).isEqualTo(1);
            assertThat(scene.entries("only"))
                .extracting(entry -> entry.at("/proof/executor_id").asText())
                .containsOnly("1");
            scene.fault("lost-0");
            ProveAction.Result ended = scene.prove(spark, "ended");
            assertThat(ended.verified()).isZero();
            assertThat(ended.failures()).hasSize(2);
            assertThat(ended.badDevices()).hasSize(1).first().asString().endsWith("excluded");
            assertThat(scene.entries("ended")).isEmpty();
          });
    }
    scene.mend("lost-0");
    rerun("ended", 0);
  }
}
