package io.cuzk.jobs.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.jobs.CustomShape;
import io.cuzk.jobs.KeyFiles;
import io.cuzk.jobs.Progress;
import io.cuzk.jobs.ProveAction;
import io.cuzk.jobs.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults of input, proofs and devices on one executor, each run ending with what could be proved.
 */
@Timeout(600)
class FaultyRunTest {
  @TempDir private static Path kept;
  @TempDir private Path temp;

  private Path faults;
  private String input;

  @BeforeAll
  static void make() throws IOException {
    TrapdoorKey.write(kept.resolve("params"), CustomShape.parse(SmallSectors.SHAPE));
    SmallSectors.seal(kept.resolve("c1"), 1, 2);
  }

  @BeforeEach
  void faults() throws IOException {
    faults = Files.createDirectories(temp.resolve("faults"));
    System.setProperty("cuzk.faults", faults.toString());
    input = kept.resolve("c1").toString();
  }

  @AfterEach
  void end() {
    System.clearProperty("cuzk.faults");
  }

  private void fault(String name) throws IOException {
    Files.writeString(faults.resolve(name), "");
  }

  private ProveAction.Result prove(String... settings) {
    return prove(temp.resolve("run").toString(), Progress.NONE, settings);
  }

  private ProveAction.Result prove(String output, Progress progress, String... settings) {
    return SmallRuns.prove(input, kept.resolve("params"), output, progress, settings);
  }

  private List<String> proofFiles() throws IOException {
    try (Stream<Path> files = Files.list(temp.resolve("run"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".proof"))
          .sorted()
          .toList();
    }
  }

  private JsonNode run() throws IOException {
    return new ObjectMapper().readTree(temp.resolve("run/run.json").toFile());
  }

  private JsonNode entry(String name) throws IOException {
    return new ObjectMapper().readTree(temp.resolve("run/journal/" + name).toFile());
  }

  @Test
  void aWrongProofIsDroppedAndThePartitionProvedAgain() throws IOException {
    fault("wrong-once");
    WatchedRun watched = new WatchedRun(4);
    ProveAction.Result result =
        prove(temp.resolve("run").toString(), watched, "spark.cuzk.metrics.prometheus", "0");
    assertThat(result.verified()).isEqualTo(2);
    // A proof that was dropped does not count.
    assertThat(watched.seconds()).containsKeys("synthesis.witness", "verify", "write");
    assertThat(watched.counts()).containsEntry("verify", 4).containsEntry("write", 4);
    assertThat(result.retried()).isEqualTo(1);
    assertThat(result.badDevices()).hasSize(1).first().asString().endsWith("suspect");
    assertThat(proofFiles()).containsExactly("s-t01000-1.proof", "s-t01000-2.proof");
    int tried = 0;
    for (String name : List.of("1/000", "1/001", "2/000", "2/001")) {
      tried += entry("s-t01000-" + name + ".json").at("/proof/task_attempt").asInt();
      assertThat(temp.resolve("run/journal/s-t01000-" + name + ".failed.json")).doesNotExist();
    }
    assertThat(tried).isEqualTo(1);
    assertThat(run().at("/totals/retried").asInt()).isEqualTo(1);
    assertThat(run().at("/throughput/partitions").asInt()).isEqualTo(4);
    assertThat(run().at("/throughput/partitions_per_s").asDouble()).isPositive();
    assertThat(run().at("/throughput/utilisation").asDouble()).isBetween(0.0, 1.0);
    assertThat(run().at("/throughput/device_utilisation").asDouble())
        .isBetween(0.0, run().at("/throughput/utilisation").asDouble());
    assertThat(run().at("/executors/most_at_once").asInt()).isEqualTo(1);
    assertThat(run().at("/executors/slots").asInt()).isEqualTo(1);
    assertThat(run().at("/bad_devices/0/reason").asText()).contains("does not verify");
  }

  @Test
  void aRetryGoesBeforeWhatWaitsAndIsCountedEverywhere() throws IOException {
    fault("wrong-once");
    SparkSeen.clear();
    WatchedRun watched = new WatchedRun(4);
    ProveAction.Result result =
        prove(
            temp.resolve("run").toString(),
            watched,
            "spark.cuzk.metrics.prometheus",
            "0",
            "spark.extraListeners",
            SparkSeen.class.getName());
    assertThat(result.verified()).isEqualTo(2);
    List<String> begun = new ArrayList<>();
    String again = null;
    for (String name : List.of("1/000", "1/001", "2/000", "2/001")) {
      JsonNode proof = entry("s-t01000-" + name + ".json").path("proof");
      begun.add(proof.path("started_at").asText());
      if (proof.path("task_attempt").asInt() > 0) {
        again = proof.path("started_at").asText();
      }
    }
    begun.sort(String::compareTo);
    assertThat(again).isNotNull().isLessThan(begun.getLast());
    assertThat(watched.advances()).containsExactly(1, 2, 3, 4);
    assertThat(watched.text())
        .contains(
            "cuzk_partitions_proved_total 4.000",
            "cuzk_partitions_failed_total{kind=\"proof\"} 1.000",
            "cuzk_partitions_failed_total{kind=\"device\"} 0.000",
            "cuzk_partitions_retried_total 1.000",
            "cuzk_stage_steps_done{stage=\"proving partitions\"} 4.000");
    assertThat(SparkSeen.ACCUMULATORS)
        .containsEntry("cuzk: partitions proved", 4L)
        .containsEntry("cuzk: partitions failed, proof", 1L)
        .containsEntry("cuzk: partitions retried", 1L);
    assertThat(SparkSeen.DESCRIPTIONS)
        .contains("cuzk: proving s-t01000-1 … s-t01000-2, 4 partitions")
        .contains("cuzk: proving again s-t01000-1 partition 0");
  }

  /** What a reader finds in the datasets whenever the run says that it wrote them. */
  @Test
  void datasetsAreWrittenAfterEveryWave() throws IOException {
    fault("wrong-once");
    List<String> found = new ArrayList<>();
    String run = temp.resolve("run").toString();
    Progress reader =
        new Progress() {
          @Override
          public void stage(String name, int steps) {}

          @Override
          public void advanced(int done) {}

          @Override
          public void note(String line) {
            if (line.endsWith("datasets written")) {
              SparkSession spark = SparkSession.active();
              List<String> states = new ArrayList<>();
              for (Row row :
                  spark.read().parquet(run + "/sectors").orderBy("sector").collectAsList()) {
                states.add(
                    row.getAs("state")
                        + " "
                        + row.getAs("partitions_verified")
                        + row.getAs("reason"));
              }
              found.add(
                  line
                      + "; "
                      + spark.read().parquet(run + "/proofs").count()
                      + " proofs "
                      + states);
            }
          }
        };
    ProveAction.Result result = prove(run, reader, "spark.cuzk.wave", "1");
    assertThat(result.verified()).isEqualTo(2);
    assertThat(result.retried()).isEqualTo(1);
    assertThat(found)
        .containsExactly(
            "1 of 4 partitions are done; datasets written; 1 proofs"
                + " [pending 1null, pending 0null]",
            "2 of 4 partitions are done; datasets written; 2 proofs"
                + " [verified 2null, pending 0null]",
            "3 of 4 partitions are done; datasets written; 3 proofs"
                + " [verified 2null, pending 1null]");
  }

  @Test
  void thePartitionBesideAFailedOneIsKept() throws IOException {
    fault("error-once");
    ProveAction.Result result = prove("spark.cuzk.attempts", "1");
    assertThat(result.verified()).isEqualTo(1);
    assertThat(result.failuresByKind()).containsEntry("device", 1).containsEntry("proof", 0);
    assertThat(result.failures().getFirst().reason()).contains("an error that was asked for");
    assertThat(result.partitionsProved()).isEqualTo(3);
    assertThat(run().at("/totals/failed_by_kind/device").asInt()).isEqualTo(1);

    ProveAction.Result again = prove();
    assertThat(again.verified()).isEqualTo(2);
    assertThat(again.partitionsProved()).isEqualTo(1);
    assertThat(again.partitionsFoundDone()).isEqualTo(3);
    assertThat(temp.resolve("run/s-t01000-1.proof")).hasSize(384);
    assertThat(temp.resolve("run/s-t01000-2.proof")).hasSize(384);
  }

  @Test
  void aDeviceThatIsAlwaysWrongEndsTheRunAndLeavesNoProof() throws IOException {
    fault("wrong-any");
    ProveAction.Result result = prove();
    assertThat(result.verified()).isZero();
    assertThat(result.failed()).isEqualTo(2);
    assertThat(proofFiles()).isEmpty();
    assertThat(result.badDevices()).hasSize(1).first().asString().endsWith("excluded");
    assertThat(result.failuresByKind().get("proof")).isPositive();
    assertThat(run().at("/bad_devices/0/state").asText()).isEqualTo("excluded");
    Files.delete(faults.resolve("wrong-any"));
    ProveAction.Result mended = prove();
    assertThat(mended.verified()).isEqualTo(2);
    assertThat(proofFiles()).hasSize(2);
  }

  @Test
  void aDeviceThatHangsIsLeftBehindAndNamed() throws IOException {
    fault("hang-0");
    ProveAction.Result result = prove("spark.cuzk.device.timeout", "2s");
    Files.writeString(faults.resolve("end-hang"), "");
    assertThat(result.verified()).isZero();
    assertThat(result.failures().getFirst().kind()).isEqualTo("device");
    assertThat(result.failures().getFirst().reason())
        .contains("faulty device 0")
        .contains("no answer within 2000 ms");
    assertThat(run().at("/bad_devices/0/reason").asText()).contains("the device hangs");
    Files.delete(faults.resolve("hang-0"));
    assertThat(prove().verified()).isEqualTo(2);
    assertThat(proofFiles()).containsExactly("s-t01000-1.proof", "s-t01000-2.proof");
  }

  /** Of the task that it hangs under nothing is left to report it, and others wait for it. */
  @Test
  void aDeviceThatHangsUnderACancelledTaskEndsTheRun() throws Exception {
    fault("hang-0");
    Path log = Files.createDirectories(faults.resolve("log"));
    SparkSession spark = SmallRuns.open("spark.cuzk.device.timeout", "5s");
    Queue<Long> begun = new ConcurrentLinkedQueue<>();
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskStart(SparkListenerTaskStart start) {
                begun.add(start.taskInfo().taskId());
              }
            });
    try {
      String output = temp.resolve("run").toString();
      FutureTask<ProveAction.Result> run =
          new FutureTask<>(
              () -> SmallRuns.prove(spark, input, kept.resolve("params"), output, Progress.NONE));
      Thread.ofPlatform().daemon().start(run);
      while (!run.isDone() && isEmpty(log)) {
        LockSupport.parkNanos(10_000_000);
      }
      begun.forEach(task -> spark.sparkContext().killTaskAttempt(task, true, "by the test"));
      assertThat(run.get().verified()).isZero();
      assertThat(run.get().failures().getFirst().reason())
          .contains("no device was left", "no answer within 5000 ms; the device hangs");
    } finally {
      fault("end-hang");
      spark.stop();
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  @Test
  void aDeviceThatFailsItsSelfTestIsRefusedBeforeAnyProof() throws IOException {
    fault("selftest-0");
    assertThatThrownBy(() -> prove("spark.cuzk.selftest", "auto"))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("device 0 is excluded: the self-test failed")
        .hasMessageContaining("does not verify");
    assertThat(temp.resolve("run")).doesNotExist();
  }

  @Test
  void aDeviceThatIsBusyIsTriedAgainAndThenRefused() throws IOException {
    fault("busy-once");
    ProveAction.Result result = prove();
    assertThat(result.verified()).isEqualTo(2);
    assertThat(result.badDevices()).isEmpty();
    fault("busy-0");
    assertThatThrownBy(() -> prove(temp.resolve("other").toString(), Progress.NONE))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("device 0 of backend faulty cannot be opened")
        .hasMessageContaining("is another process's");
    assertThat(temp.resolve("other")).doesNotExist();
  }

  @Test
  void aBudgetThatIsTooSmallFailsAtOnceWithBothFigures() throws IOException {
    assertThatThrownBy(() -> prove("spark.cuzk.memory.budget", "1MiB"))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("a partition of " + SmallSectors.SHAPE + " needs")
        .hasMessageContaining("the memory budget of this process is 1048576 bytes (1 MiB)");
    assertThat(temp.resolve("run")).doesNotExist();
  }

  @Test
  void aBudgetBeyondTheHeapIsRefusedBeforeAnyProof() throws IOException {
    long heap = Runtime.getRuntime().maxMemory();
    assertThatThrownBy(() -> prove("spark.cuzk.memory.budget", "1024GiB"))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("the memory budget that was set is 1099511627776 bytes")
        .hasMessageContaining(heap + " bytes (");
    assertThat(temp.resolve("run")).doesNotExist();
  }

  @Test
  void aDiskWithoutRoomForThePartitionsIsRefusedBeforeAnyProof() {
    String[] settings = {
      "spark.hadoop.fs.full.impl",
      FullFileSystem.class.getName(),
      "spark.hadoop.cuzk.full",
      temp.resolve("never").toString(),
      "spark.hadoop.cuzk.full.free",
      "81919", // four partitions of 20 KiB take one byte more
      "spark.hadoop.fs.full.impl.disable.cache",
      "true"
    };
    assertThatThrownBy(() -> prove("full:" + temp.resolve("run"), Progress.NONE, settings))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("has 81919 bytes free, 81920 are needed for 4 partitions");
    assertThat(temp.resolve("run")).doesNotExist();
  }

  @Test
  void aKeyThatDoesNothingIsRefusedBeforeAnyProof() {
    assertThatThrownBy(() -> prove("spark.cuzk.params.cache", "/somewhere"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("spark.cuzk.params.cache: the parameters in ")
        .hasMessageContaining("are local files");
    assertThat(temp.resolve("run")).doesNotExist();
  }

  @Test
  void aDiskThatFillsUpEndsTheRunAndTheRerunProvesTheMissing() throws IOException {
    String output = "full:" + temp.resolve("run");
    Path full = temp.resolve("is-full");
    // the disk is full as soon as something is proved
    Progress fills = Meddling.asProved(done -> Files.writeString(full, ""));
    Files.writeString(faults.resolve("delay"), "300");
    String[] settings = {
      "spark.hadoop.fs.full.impl", FullFileSystem.class.getName(),
      "spark.hadoop.cuzk.full", full.toString(),
      "spark.hadoop.fs.full.impl.disable.cache", "true"
    };
    assertThatThrownBy(() -> prove(output, fills, settings))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("No space left on device");
    assertThat(proofFiles().size()).isLessThan(2);
    Files.delete(full);
    ProveAction.Result result = prove(output, Progress.NONE, settings);
    assertThat(result.verified()).isEqualTo(2);
    assertThat(proofFiles()).hasSize(2);
  }

  @Test
  void aKeyThatIsCutShortAfterThePreflightIsNoReasonToProveWrongly() throws IOException {
    KeyFiles files = KeyFiles.of(kept.resolve("params"), CustomShape.parse(SmallSectors.SHAPE));
    long whole = Files.size(files.params());
    Progress cuts = Meddling.at(Meddling.PROVING, () -> resize(files.params(), whole - 1000));
    ProveAction.Result result = prove(temp.resolve("run").toString(), cuts);
    resize(files.params(), whole);
    assertThat(result.verified()).isZero();
    assertThat(result.failuresByKind()).containsEntry("infrastructure", 2);
    assertThat(result.failures().getFirst().reason()).contains("truncated").contains(".params");
    assertThat(result.badDevices()).isEmpty();
    assertThat(prove().verified()).isEqualTo(2);
  }

  @Test
  void sectorsThatARerunIsNotAskedForStayInPlanAndDatasets() throws IOException {
    input = kept.resolve("c1/s-t01000-1.json").toString();
    assertThat(prove().verified()).isEqualTo(1);
    input = kept.resolve("c1/s-t01000-2.json").toString();
    ProveAction.Result result = prove();
    assertThat(result.verified()).isEqualTo(1);
    assertThat(result.partitionsProved()).isEqualTo(2);
    assertThat(result.sectors()).extracting(each -> each.sector()).containsExactly("s-t01000-2");
    RunStatus status = RunStatus.read(temp.resolve("run").toString(), new Configuration());
    assertThat(status.verified()).isEqualTo(2);
    assertThat(status.partitionsVerified()).isEqualTo(4);
    assertThat(run().at("/totals/verified").asInt()).isEqualTo(2);
    assertThat(run().path("inputs")).hasSize(1);
  }

  @Test
  void aFileThatIsBrokenOnARerunCostsNoProof() throws IOException {
    assertThat(prove().verified()).isEqualTo(2);
    byte[] proof = Files.readAllBytes(temp.resolve("run/s-t01000-1.proof"));
    Path file = kept.resolve("c1").resolve("s-t01000-1.json");
    String good = Files.readString(file);
    Files.writeString(file, good.substring(0, good.length() / 2));
    try {
      ProveAction.Result result = prove();
      assertThat(result.failuresByKind()).containsEntry("input", 1);
      assertThat(result.foundDone()).isEqualTo(1);
    } finally {
      Files.writeString(file, good);
    }
    assertThat(temp.resolve("run/s-t01000-1.proof")).hasBinaryContent(proof);
    ProveAction.Result mended = prove();
    assertThat(mended.verified()).isEqualTo(2);
    assertThat(mended.partitionsFoundDone()).isEqualTo(4);
    assertThat(temp.resolve("run/s-t01000-1.proof")).hasBinaryContent(proof);
  }

  @Test
  void aFileThatCannotBeReadEndsTheRunAndIsNotCalledBad() throws IOException {
    Path unreadable = temp.resolve("unreadable");
    String[] settings = {
      "spark.hadoop.fs.full.impl", FullFileSystem.class.getName(),
      "spark.hadoop.cuzk.full", temp.resolve("is-full").toString(),
      "spark.hadoop.cuzk.unreadable", unreadable.toString(),
      "spark.hadoop.fs.full.impl.disable.cache", "true"
    };
    input = "full:" + input;
    assertThat(prove(settings).verified()).isEqualTo(2);
    Files.writeString(unreadable, "");
    assertThatThrownBy(() -> prove(settings))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("cannot read full:")
        .hasMessageContaining("Input/output error");
    assertThat(proofFiles()).hasSize(2);
    Files.delete(unreadable);
    ProveAction.Result mended = prove(settings);
    assertThat(mended.verified()).isEqualTo(2);
    assertThat(mended.partitionsFoundDone()).isEqualTo(4);
  }

  /** At once: whoever sees the file sees what is in it. */
  private static void write(Path file, String text) throws IOException {
    Path whole = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private String[] hiding(Path hidden) {
    input = "full:" + input;
    return new String[] {
      "spark.hadoop.fs.full.impl", FullFileSystem.class.getName(),
      "spark.hadoop.cuzk.full", temp.resolve("is-full").toString(),
      "spark.hadoop.cuzk.hidden", hidden.toString(),
      "spark.hadoop.fs.full.impl.disable.cache", "true"
    };
  }

  @Test
  void aFileThatIsNotSeenByOneTryIsProvedByTheNext() throws IOException {
    Path hidden = temp.resolve("hidden");
    Progress hides = Meddling.at(Meddling.PROVING, () -> write(hidden, "once"));
    ProveAction.Result result = prove(temp.resolve("run").toString(), hides, hiding(hidden));
    assertThat(hidden).doesNotExist();
    assertThat(result.verified()).isEqualTo(2);
    assertThat(result.retried()).isEqualTo(1);
    assertThat(result.badDevices()).isEmpty();
  }

  @Test
  void aFileThatOneLookDoesNotFindIsReadByTheNext() throws IOException {
    Path hidden = temp.resolve("hidden");
    Progress hides = Meddling.at(Meddling.CHECKING, () -> write(hidden, "once"));
    ProveAction.Result result = prove(temp.resolve("run").toString(), hides, hiding(hidden));
    assertThat(hidden).doesNotExist();
    assertThat(result.verified()).isEqualTo(2);
    assertThat(result.sectors())
        .extracting(each -> each.sector())
        .containsExactly("s-t01000-1", "s-t01000-2");
  }

  @Test
  void filesThatOnlyTheDriverSeesAreTroubleOfTheHost() throws IOException {
    Path hidden = temp.resolve("hidden");
    String[] settings = hiding(hidden);
    write(hidden, "tasks");
    assertThatThrownBy(() -> prove(settings))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("s-t01000-1.json: no such file")
        .hasMessageContaining("2 C1 files in all")
        .hasMessageContaining("the driver sees it");
    assertThat(temp.resolve("run")).doesNotExist();
    Files.delete(hidden);
    assertThat(prove(settings).verified()).isEqualTo(2);
  }

  @Test
  void aFileThatTheDriverMayNotReadEitherIsARecord() throws IOException {
    Path hidden = temp.resolve("hidden");
    String[] settings = hiding(hidden);
    write(hidden, "always");
    assertThat(prove(settings).failuresByKind()).containsEntry("input", 2);
    Files.delete(hidden);
    assertThat(prove(settings).verified()).isEqualTo(2);
  }

  @Test
  void aFileThatVanishesBeforeItIsReadIsARecord() throws IOException {
    Path gone = kept.resolve("c1").resolve("s-t01000-8.json");
    Files.copy(kept.resolve("c1").resolve("s-t01000-1.json"), gone);
    Progress vanishes = Meddling.at(Meddling.CHECKING, () -> Files.delete(gone));
    ProveAction.Result result = prove(temp.resolve("run").toString(), vanishes);
    assertThat(gone).doesNotExist();
    assertThat(result.verified()).isEqualTo(2);
    assertThat(result.failuresByKind()).containsEntry("input", 1);
    assertThat(result.failures().getFirst().reason()).isEqualTo("no such file");
  }

  @Test
  void aDriverThatHangsWhenItsDeviceIsOpenedIsRefused() throws IOException {
    fault("stuck-0");
    assertThatThrownBy(() -> prove("spark.cuzk.device.timeout", "1s"))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("device 0 of backend faulty was not open within 1000 ms")
        .hasMessageContaining("its driver hangs");
    assertThat(temp.resolve("run")).doesNotExist();
    assertThatThrownBy(
            () -> prove("spark.cuzk.device.timeout", "1s", "spark.cuzk.selftest", "always"))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("its driver hangs");
  }

  private static void resize(Path file, long bytes) throws IOException {
    try (var out = new java.io.RandomAccessFile(file.toFile(), "rw")) {
      out.setLength(bytes); // what is given back is zeros, as before
    }
  }

  @Test
  void aPoisonedSectorEndsAsARecordBesideItsSiblings() throws IOException {
    Path broken = kept.resolve("c1").resolve("s-t01000-9.json");
    String good = Files.readString(kept.resolve("c1").resolve("s-t01000-1.json"));
    Files.writeString(broken, good.substring(0, good.length() / 2));
    try {
      ProveAction.Result result = prove();
      assertThat(result.verified()).isEqualTo(2);
      assertThat(result.failuresByKind()).containsEntry("input", 1);
    } finally {
      Files.delete(broken);
    }
  }
}
