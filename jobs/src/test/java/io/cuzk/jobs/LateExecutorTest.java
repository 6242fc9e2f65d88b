package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.jobs.fault.FaultyBackend;
import io.cuzk.jobs.fault.SmallRuns;
import io.cuzk.jobs.fault.SmallSectors;
import io.cuzk.jobs.fault.TrapdoorKey;
import io.cuzk.porep.SectorShape;
import io.cuzk.porep.StackedCircuits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import scala.reflect.ClassTag$;

/**
 * The first task of an executor that the preflight did not see: whatever it finds there ends as a
 * report to the driver, which can act on it, and not as a job that Spark gives up.
 */
@Timeout(600)
class LateExecutorTest {
  private static final String RUN = "late";
  private static final SectorShape SHAPE = CustomShape.parse(SmallSectors.SHAPE);

  @TempDir private static Path kept;
  @TempDir private Path temp;

  private final String host = Machine.current().host();
  private SparkSession spark;
  private RunDirectory run;
  private RunLock lock;
  private Path parameters;

  @BeforeAll
  static void make() throws IOException {
    TrapdoorKey.write(kept.resolve("params"), SHAPE);
    SmallSectors.seal(kept.resolve("c1"), 1, 1);
  }

  @BeforeEach
  void open() throws IOException {
    System.setProperty("cuzk.faults", Files.createDirectories(temp.resolve("faults")).toString());
    spark = SmallRuns.open();
    parameters = Files.createDirectories(temp.resolve("params"));
    try (Stream<Path> files = Files.list(kept.resolve("params"))) {
      for (Path file : files.toList()) {
        Files.copy(file, parameters.resolve(file.getFileName()));
      }
    }
    run = new RunDirectory(temp.resolve("run").toString(), new Configuration());
    run.prepare();
    lock =
        RunLock.take(
            run,
            LockHolder.current(RUN + temp, Instant.now(), Duration.ofSeconds(30)),
            Progress.NONE,
            () -> {});
  }

  @AfterEach
  void close() {
    if (lock != null) {
      lock.close();
    }
    if (spark != null) {
      spark.stop();
    }
    System.clearProperty("cuzk.faults");
  }

  private JobSettings settings(String backend, long memoryBudget) {
    return new JobSettings(
        RUN + temp,
        run.root().toString(),
        parameters.toString(),
        "none",
        backend,
        "auto",
        "compiled",
        1,
        SmallSectors.SHAPE,
        memoryBudget,
        Duration.ofMinutes(1).toMillis(),
        System.currentTimeMillis(),
        1000L,
        null,
        null,
        null);
  }

  private Path c1() throws IOException {
    Path file = temp.resolve("s-t01000-1.json");
    return Files.copy(
        kept.resolve("c1").resolve(file.getFileName()), file, StandardCopyOption.REPLACE_EXISTING);
  }

  /** As the driver found the file, and its first task. */
  private PartitionTask task() throws IOException {
    SectorScan scan =
        SectorInput.scan(
                InputPaths.InputFile.of(c1().toString(), 1),
                new RunFiles(new Configuration()),
                Optional.of(SHAPE),
                1000L,
                null)
            .scan();
    assertThat(scan.failure()).isNull();
    String digest = Executor.key(kept.resolve("params"), scan.sectorSize(), "params").digest();
    return new PartitionTask(
        "s-t01000-1", 0, scan, digest, null, "params", 0, 0, 0, new ArrayList<>());
  }

  private TaskReport report(PartitionTask task, JobSettings settings) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Broadcast<JobSettings> shared = context.broadcast(settings);
    ProvePartition prove = new ProvePartition(shared, PartitionCounters.of(spark.sparkContext()));
    TaskReport[] reports =
        (TaskReport[])
            spark
                .sparkContext()
                .runJob(
                    Placement.of(context, List.of(task)),
                    prove,
                    ClassTag$.MODULE$.<TaskReport>apply(TaskReport.class));
    return reports[0];
  }

  private void requireTrouble(TaskReport report) {
    assertThat(report.failureKind()).isEqualTo(PartitionEntry.INFRASTRUCTURE);
    assertThat(report.reason()).contains("on " + host + ": ");
    assertThat(report.device()).isEqualTo(Places.of(host, null, report.executor()));
    assertThat(report.lost()).isFalse();
  }

  @Test
  void withAllThatItNeedsItProves() throws IOException {
    assertThat(report(task(), settings(FaultyBackend.NAME, 0)).reason()).isNull();
  }

  @Test
  void aBackendThatItLacksIsTroubleWithItsHost() throws IOException {
    TaskReport report = report(task(), settings("cuda", 0));
    requireTrouble(report);
    assertThat(report.reason()).contains("cuda");
  }

  @Test
  void aBudgetThatItCannotHaveIsTroubleWithItsHost() throws IOException {
    TaskReport report = report(task(), settings(FaultyBackend.NAME, 1L << 50));
    requireTrouble(report);
    assertThat(report.reason()).contains("the memory budget that was set is " + (1L << 50));
  }

  @Test
  void aFileThatItDoesNotFindIsTroubleWithItsHost() throws IOException {
    PartitionTask task = task();
    Files.delete(temp.resolve("s-t01000-1.json"));
    TaskReport report = report(task, settings(FaultyBackend.NAME, 0));
    requireTrouble(report);
    assertThat(report.reason()).contains("s-t01000-1.json: no such file");
    assertThat(run.isProved(task)).isFalse();
  }

  @Test
  void aFileThatIsAnotherNowIsBadInput() throws IOException {
    PartitionTask task = task();
    Path file = temp.resolve("s-t01000-1.json");
    String good = Files.readString(file);
    for (String other : List.of(good + "\n", good.substring(0, good.length() / 2))) {
      Files.writeString(file, other);
      TaskReport report = report(task, settings(FaultyBackend.NAME, 0));
      assertThat(report.failureKind()).isEqualTo(PartitionEntry.INPUT);
      assertThat(report.reason())
          .contains("s-t01000-1.json changed while the run was going on")
          .contains(task.scan().sha256(), host);
    }
  }

  @Test
  void aCircuitThatIsCutShortIsTroubleWithItsHost() throws IOException {
    Path circuit = StackedCircuits.file(parameters, SHAPE);
    byte[] bytes = Files.readAllBytes(circuit);
    Files.write(circuit, Arrays.copyOf(bytes, bytes.length / 2));
    TaskReport report = report(task(), settings(FaultyBackend.NAME, 0));
    requireTrouble(report);
    assertThat(report.reason()).contains(circuit.getFileName().toString());
  }

  @Test
  void aDeviceThatItCannotOpenIsToldToTheDriver() throws Exception {
    Files.writeString(temp.resolve("faults/refuse-any"), "");
    awaitDevices(false); // it reported ready, untested
    TaskReport report = report(task(), settings(FaultyBackend.NAME, 0));
    assertThat(report.failureKind()).isEqualTo(TaskReport.DECLINED);
    assertThat(report.reason()).contains("does not start");
    assertThat(report.lost()).isFalse();
    awaitDevices(true);
    assertThat(CuzkPlugin.health().reasons()).contains("does not start");
  }

  /** The executor's messages come by themselves; the test's limit ends a wait in vain. */
  private static void awaitDevices(boolean none) throws InterruptedException {
    while (CuzkPlugin.health().executors().isEmpty() || CuzkPlugin.health().isNoneLeft() != none) {
      Thread.sleep(20);
    }
  }
}
