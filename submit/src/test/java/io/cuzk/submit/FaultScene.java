package io.cuzk.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.jobs.CustomShape;
import io.cuzk.jobs.ProveAction;
import io.cuzk.jobs.VerifyAction;
import io.cuzk.jobs.fault.FaultyBackend;
import io.cuzk.jobs.fault.SmallSectors;
import io.cuzk.jobs.fault.TrapdoorKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/** Small sectors of two partitions each, a key for them, and a directory of faults. */
final class FaultScene {
  private final Path temp;
  private final int sectors;
  private final String shape;

  private FaultScene(Path temp, int sectors, String shape) {
    this.temp = temp;
    this.sectors = sectors;
    this.shape = shape;
  }

  static FaultScene make(Path temp, int sectors) throws IOException {
    return make(temp, sectors, SmallSectors.SHAPE);
  }

  static FaultScene make(Path temp, int sectors, String shape) throws IOException {
    FaultScene scene = new FaultScene(temp, sectors, shape);
    TrapdoorKey.write(scene.params(), CustomShape.parse(shape));
    SmallSectors.seal(temp.resolve("c1"), shape, 1, sectors);
    Files.createDirectories(scene.faults().resolve("log"));
    return scene;
  }

  Path params() {
    return temp.resolve("params");
  }

  /** The key's files that end so. */
  List<Path> keyFiles(String... endings) throws IOException {
    try (Stream<Path> files = Files.list(params())) {
      return files.filter(f -> List.of(endings).stream().anyMatch(f.toString()::endsWith)).toList();
    }
  }

  Path c1() {
    return temp.resolve("c1");
  }

  Path faults() {
    return temp.resolve("faults");
  }

  Path run(String name) {
    return temp.resolve("runs").resolve(name);
  }

  /** Of an application on a cluster whose executors have a device and a core each. */
  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("spark.cuzk.backend", FaultyBackend.NAME);
    settings.put("spark.cuzk.shape", shape);
    settings.put("spark.cuzk.selftest", "never"); // a real proof in each new process
    settings.put("spark.executor.memory", "1g");
    settings.put("spark.executor.resource.gpu.amount", "1");
    settings.put("spark.task.resource.gpu.amount", "1");
    settings.put("spark.locality.wait", "1s");
    settings.put("spark.sql.shuffle.partitions", "2");
    settings.put("spark.ui.enabled", "false");
    settings.put(
        "spark.executor.extraJavaOptions",
        // Only the self-test has vector kernels that the first compiler would make slow.
        "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED"
            + " --sun-misc-unsafe-memory-access=allow -Dcuzk.faults="
            + faults());
    return settings;
  }

  void fault(String name) throws IOException {
    Files.writeString(faults().resolve(name), "");
  }

  void mend(String name) throws IOException {
    Files.deleteIfExists(faults().resolve(name));
  }

  void setDelay(long millis) throws IOException {
    setDelay("delay", millis);
  }

  /**
   * At once: an executor that proves meanwhile reads the old delay or the new one.
   *
   * @param name {@code delay} for all devices, {@code delay-ADDRESS} for one
   */
  void setDelay(String name, long millis) throws IOException {
    Path written = Files.writeString(faults().resolve("new"), Long.toString(millis));
    Files.move(
        written,
        faults().resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    try (Stream<Path> log = Files.list(faults().resolve("log"))) {
      for (Path file : log.toList()) {
        Files.delete(file);
      }
    }
  }

  /** How many proofs began on a device since the delay was set. */
  long begunOn(String address) throws IOException {
    try (Stream<Path> log = Files.list(faults().resolve("log"))) {
      return log.filter(file -> file.getFileName().toString().startsWith(address + "-")).count();
    }
  }

  /**
   * Waits for a proof to begin; returns the process that makes it.
   *
   * @param run that is to make it; how it ended if it made none
   */
  long firstAtWork(Future<?> run) throws Exception {
    while (true) {
      boolean ended = run.isDone();
      try (Stream<Path> log = Files.list(faults().resolve("log"))) {
        for (Path file : log.toList()) {
          String text = Files.readString(file);
          if (text.endsWith("\n")) {
            return Long.parseLong(text.strip());
          }
        }
      }
      if (ended) {
        throw new AssertionError("no proof began before the run ended with " + run.get());
      }
      Thread.sleep(20);
    }
  }

  ProveAction.Result prove(SparkSession spark, String run) {
    return prove(spark, run, temp.resolve("c1").toString());
  }

  ProveAction.Result prove(SparkSession spark, String run, String c1) {
    return action(spark, run(run).toString(), c1);
  }

  ProveAction.Result proveTo(SparkSession spark, String output) {
    return action(spark, output, temp.resolve("c1").toString());
  }

  private ProveAction.Result action(SparkSession spark, String output, String c1) {
    return action(spark, output, c1, params().toString());
  }

  ProveAction.Result action(SparkSession spark, String output, String c1, String params) {
    return ProveAction.on(spark)
        .inputs(List.of(c1))
        .parameters(params)
        .output(output)
        .miner(1000L)
        .build()
        .execute();
  }

  /** The words of {@code cuzk} that prove the same in a process of its own. */
  List<String> words(String run, String master) {
    List<String> words = new ArrayList<>();
    words.add("prove");
    words.add("--json");
    words.add("--master=" + master);
    words.add("--backend=" + FaultyBackend.NAME);
    words.add("--c1=" + temp.resolve("c1"));
    words.add("--params=" + params());
    words.add("--out=" + run(run));
    words.add("--miner=1000");
    settings()
        .forEach(
            (key, value) -> {
              if (!master.startsWith("local") || key.startsWith("spark.cuzk.")) {
                words.add("--conf=" + key + "=" + value);
              }
            });
    return words;
  }

  /** The journal's proved entries. */
  List<JsonNode> entries(String run) throws IOException {
    List<JsonNode> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(run(run).resolve("journal"))) {
      for (Path file : files.filter(f -> f.toString().matches(".*/\\d{3}\\.json")).toList()) {
        found.add(new ObjectMapper().readTree(file.toFile()));
      }
    }
    return found;
  }

  /** Every proof is there once and verifies, from the datasets, the key and the C1 files alone. */
  void requireWhole(SparkSession spark, String run, ProveAction.Result result) throws IOException {
    requireWhole(spark, run, result, run(run).toString(), params().toString());
  }

  /** The same for a run elsewhere, of which {@code run} is a copy. */
  void requireWhole(
      SparkSession spark, String run, ProveAction.Result result, String where, String params)
      throws IOException {
    assertThat(result.failures()).isEmpty();
    assertThat(result.verified()).isEqualTo(sectors);
    assertThat(entries(run)).hasSize(2 * sectors);
    VerifyAction.Result verified =
        VerifyAction.on(spark).run(where).parameters(params).build().execute();
    assertThat(verified.verified()).isEqualTo(sectors);
    assertThat(verified.proofs()).isEqualTo(2 * sectors);
    assertThat(verified.rejected()).isZero();
    try (Stream<Path> files = Files.list(run(run))) {
      List<Path> proofs = files.filter(f -> f.toString().endsWith(".proof")).toList();
      assertThat(proofs).hasSize(sectors).allSatisfy(file -> assertThat(file).hasSize(384));
    }
  }
}
