package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Spark carries, short of proving: planning, refusals, records, verification from Parquet. */
class SparkRunTest {
  private static SparkSession spark;

  @TempDir private Path temp;

  @BeforeAll
  static void open() {
    spark = SparkSessions.open("test", "local[2]", Map.of());
  }

  @AfterAll
  static void close() {
    spark.stop();
  }

  private ProveAction.Builder prove(String... inputs) {
    return ProveAction.on(spark)
        .inputs(List.of(inputs))
        .parameters(temp.resolve("params").toString())
        .output(temp.resolve("run").toString());
  }

  private String c1(String name, byte[] content) throws IOException {
    Path file = temp.resolve("c1").resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content).toString();
  }

  private static byte[] golden() {
    return GoldenProof.resource("c1-2KiB-wrapped.json");
  }

  private Path committed(byte[] proof, byte[] inputs) throws IOException {
    Path out = temp.resolve("run");
    RunDirectory run =
        new RunDirectory(
            out.toString(),
            JavaSparkContext.fromSparkContext(spark.sparkContext()).hadoopConfiguration());
    run.writePlan(Map.of("sectors", List.of()));
    run.writeEntry(GoldenProof.entry(proof, inputs));
    run.writeEntry(GoldenProof.hotter());
    run.completeProofFile(GoldenProof.SECTOR, 1);
    new Datasets(spark, run)
        .commit(
            RunPlan.of(List.of(GoldenProof.scan("/c1/s-t01000-42.json"))), "run", sector -> null);
    GoldenProof.writeKey(temp.resolve("params"));
    return out;
  }

  private VerifyAction.Result verify(Path run) {
    return VerifyAction.on(spark)
        .run(run.toString())
        .parameters(temp.resolve("params").toString())
        .build()
        .execute();
  }

  @Test
  void theRustStacksProofVerifiesFromParquetAndKeyAlone() throws IOException {
    Path run = committed(GoldenProof.proof(), GoldenProof.publicInputs());
    VerifyAction.Result result = verify(run);
    assertThat(result.verified()).isEqualTo(1);
    assertThat(result.proofs()).isEqualTo(1);

    Row row = spark.read().parquet(run.resolve("proofs").toString()).first();
    assertThat(ProofRecord.TYPE.read(row))
        .usingRecursiveComparison()
        .isEqualTo(GoldenProof.entry(GoldenProof.proof(), GoldenProof.publicInputs()).proof());
    assertThat(spark.read().parquet(run.resolve("phases").toString()).schema())
        .isEqualTo(PhaseRecord.TYPE.schema().asNullable());
    List<Row> devices = spark.read().parquet(run.resolve("devices").toString()).collectAsList();
    assertThat(devices).hasSize(1);
    // Of both entries the extreme; the columns stand as they are described.
    assertThat(DeviceRecord.TYPE.read(devices.getFirst()))
        .isEqualTo(GoldenProof.device(1L << 31, 1410, 83, 1L << 34));
    assertThat(devices.getFirst().schema()).isEqualTo(DeviceRecord.TYPE.schema().asNullable());
  }

  @Test
  void aCommitWhileARunIsVerifiedIsNoFaultOfItsProofs() throws IOException {
    var hadoop = spark.sparkContext().hadoopConfiguration();
    hadoop.setClass(
        "fs.hooked.impl", HookedFileSystem.class, org.apache.hadoop.fs.FileSystem.class);
    Path out = committed(GoldenProof.proof(), GoldenProof.publicInputs());
    Path later = Files.createDirectory(temp.resolve("later"));
    for (String name : DatasetPlaces.ALL) {
      Files.move(out.resolve(name), later.resolve(name));
    }
    RunDirectory run = new RunDirectory(out.toString(), hadoop);
    run.files().delete(new org.apache.hadoop.fs.Path(run.root(), "journal"));
    new Datasets(spark, run)
        .commit(
            RunPlan.of(List.of(GoldenProof.scan("/c1/s-t01000-42.json"))), "run", sector -> null);
    for (String name : DatasetPlaces.ALL) {
      Files.move(later.resolve(name), out.resolve("_" + name + ".new"));
    }
    HookedFileSystem.ON_SECTORS.set(() -> new DatasetPlaces(run).swap());
    VerifyAction.Result result =
        VerifyAction.on(spark)
            .run("hooked:" + out)
            .parameters(temp.resolve("params").toString())
            .build()
            .execute();
    assertThat(HookedFileSystem.ON_SECTORS.get()).isNull();
    assertThat(result.verified()).isEqualTo(1);
    assertThat(result.proofs()).isEqualTo(1);
  }

  @Test
  void anotherProofFileThanTheDatasetsIsFound() throws IOException {
    Path run = committed(GoldenProof.proof(), GoldenProof.publicInputs());
    Path file = run.resolve(GoldenProof.SECTOR + ".proof");
    byte[] bytes = Files.readAllBytes(file);
    bytes[100] ^= 1;
    Files.write(file, bytes);
    VerifyAction.Result result = verify(run);
    assertThat(result.rejected()).isEqualTo(1);
    assertThat(result.sectors().getFirst().reason()).contains(".proof differs");
  }

  @Test
  void anAlteredInputIsRejectedAndAnotherKeyRefused() throws IOException {
    byte[] inputs = GoldenProof.publicInputs();
    inputs[32 * 5] ^= 1;
    Path run = committed(GoldenProof.proof(), inputs);
    VerifyAction.Result result = verify(run);
    assertThat(result.verified()).isZero();
    assertThat(result.sectors().getFirst().reason()).contains("does not verify");

    byte[] key = GoldenProof.verifyingKey();
    System.arraycopy(key, key.length - 96, key, key.length - 192, 96);
    Files.write(temp.resolve("params").resolve(GoldenProof.KEY_NAME + ".vk"), key);
    assertThatThrownBy(() -> verify(run))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("another key than the run was proved under");
  }

  @Test
  void brokenFilesEndAsRecordsWithTheirReasons() throws IOException {
    byte[] good = golden();
    String text = new String(good, StandardCharsets.UTF_8);
    String truncated = c1("truncated.json", Arrays.copyOf(good, good.length / 2));
    String empty = c1("empty.json", new byte[0]);
    String wrongSize =
        c1("wrong-size.json", text.replace(":2048", ":8388608").getBytes(StandardCharsets.UTF_8));
    ProveAction.Result result = prove(truncated, empty, wrongSize).build().execute();

    assertThat(result.verified()).isZero();
    assertThat(result.failed()).isEqualTo(3);
    assertThat(result.failures())
        .extracting(ProveAction.Failure::sector)
        .containsExactly("truncated", "empty", "wrong-size");
    assertThat(result.failures().get(1).reason()).contains("empty");
    assertThat(result.failures().get(2).reason()).contains("8388608");
    List<SectorRecord> rows =
        spark.read().parquet(temp.resolve("run/sectors").toString()).collectAsList().stream()
            .map(SectorRecord.TYPE::read)
            .toList();
    assertThat(rows).containsExactlyInAnyOrderElementsOf(result.sectors());
    var record = new ObjectMapper().readTree(temp.resolve("run/run.json").toFile());
    assertThat(record.path("state").asText()).isEqualTo("finished");
    assertThat(record.path("totals").path("failed").asInt()).isEqualTo(3);
    assertThat(RunStatus.read(result.output(), new org.apache.hadoop.conf.Configuration()).failed())
        .isEqualTo(3);
  }

  @Test
  void missingParametersAreListedTogetherAndNothingIsLeft() throws IOException {
    String file = c1("good.json", golden());
    assertThatThrownBy(() -> prove(file).build().execute())
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("parameters missing in")
        .hasMessageContaining(GoldenProof.KEY_NAME + ".params (2KiB)")
        .hasMessageContaining(GoldenProof.KEY_NAME + ".vk (2KiB)")
        .hasMessageContaining("cuzk setup");
    assertThat(temp.resolve("run")).doesNotExist();
  }

  @Test
  void theWrongMinerFailsItsSectorByTheReplicaId() throws IOException {
    String file = c1("good.json", golden());
    ProveAction.Result result = prove(file).miner(1001L).build().execute();
    assertThat(result.failures()).hasSize(1);
    assertThat(result.failures().getFirst().reason()).contains("replica_id").contains("1001");
  }

  @Test
  void twoFilesOfOneSectorAreRefusedBeforeAnythingElse() throws IOException {
    String one = c1("one.json", golden());
    String two = c1("two.json", golden());
    assertThatThrownBy(() -> prove(one, two).build().execute())
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("have the same content");
    assertThat(temp.resolve("run")).doesNotExist();
  }

  @Test
  void aBackendThatIsNotThereIsAnErrorAndNotReplaced() throws IOException {
    String file = c1("good.json", golden());
    spark.sparkContext().conf().set("spark.cuzk.backend", "cuda");
    try {
      assertThatThrownBy(() -> prove(file).build().execute())
          .isInstanceOf(InfrastructureException.class)
          .hasMessageContaining("cuda");
    } finally {
      spark.sparkContext().conf().remove("spark.cuzk.backend");
    }
    assertThat(temp.resolve("run")).doesNotExist();
  }

  @Test
  void aForeignDirectoryIsRefused() throws IOException {
    String file = c1("good.json", golden());
    Files.createDirectories(temp.resolve("run"));
    Files.writeString(temp.resolve("run/notes.txt"), "x");
    assertThatThrownBy(() -> prove(file).build().execute())
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("holds no run");
  }

  @Test
  void aDirectoryAtWhichAnotherRunWorksIsRefusedAndLeftAsItIs() throws IOException {
    String file = c1("good.json", golden());
    RunDirectory run =
        new RunDirectory(
            temp.resolve("run").toString(), new org.apache.hadoop.conf.Configuration());
    run.prepare();
    LockHolder holder =
        LockHolder.current("first", java.time.Instant.now(), java.time.Duration.ofSeconds(30));
    try (RunLock lock = RunLock.take(run, holder, Progress.NONE, () -> {})) {
      assertThatThrownBy(() -> prove(file).build().execute())
          .isInstanceOf(InfrastructureException.class)
          .hasMessageContaining("is in use: process " + ProcessHandle.current().pid());
      lock.requireHeld();
      assertThat(temp.resolve("run")).isDirectoryNotContaining("glob:**plan.json");
    }
  }
}
