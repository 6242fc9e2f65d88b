package io.cuzk.jobs;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.prover.PartitionOrder;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * All that the driver does for a run of so many sectors, in a JVM of its own, with tasks that leave
 * a journal entry as {@link ProvePartition} does but prove nothing. Arguments: how many, an empty
 * directory. Ends with 0 when every sector's row is in the datasets.
 */
final class DriverMemoryMain {
  /** Parsed once; tasks of a local master share this process. */
  private static final Configuration HADOOP = new Configuration();

  private DriverMemoryMain() {}

  public static void main(String[] arguments) throws IOException {
    int sectors = Integer.parseInt(arguments[0]);
    Path directory = Path.of(arguments[1]);
    Files.createDirectories(directory.resolve("events"));
    String root = directory.resolve("run").toString();
    Instant started = Instant.now();
    try (SparkSession spark =
        SparkSessions.open(
            "driver memory",
            "local[2]",
            Map.of(
                "spark.task.cpus",
                "1",
                "spark.eventLog.enabled",
                "true",
                "spark.eventLog.dir",
                directory.resolve("events").toUri().toString()))) {
      RunDirectory run = new RunDirectory(root, HADOOP);
      run.prepare();
      RunPlan plan =
          RunPlan.of(IntStream.range(0, sectors).mapToObj(DriverMemoryMain::scan).toList());
      Preflight preflight =
          new Preflight(
              "host",
              "driver",
              0,
              "cpu",
              "cpu",
              "because",
              List.of(
                  new Preflight.KeyFound(
                      "2KiB",
                      "v28",
                      "/p",
                      "native",
                      1,
                      "cd".repeat(64),
                      "ef".repeat(32),
                      "ef".repeat(32))),
              null,
              null);
      MissingPartitions missing = MissingPartitions.of(run, plan, preflight, StaleProofs.REFUSE);
      RunRecord record =
          new RunRecord(
              run,
              plan,
              preflight,
              new JobSettings(
                  "run",
                  root,
                  "/p",
                  "/cache",
                  "cpu",
                  "auto",
                  "compiled",
                  1,
                  null,
                  0,
                  1000,
                  0,
                  1000L,
                  null,
                  null,
                  null),
              CuzkConf.of(spark.sparkContext().conf()),
              spark,
              List.of(),
              started);
      record.begin();
      String entry = entry();
      try (StageListener ignored = StageListener.of(spark, sectors, sectors, Progress.NONE)) {
        List<TaskReport> reports =
            JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(missing.tasks(), missing.tasks().size())
                .map(task -> leave(root, task, entry))
                .filter(report -> report != null)
                .collect();
        require(reports.isEmpty(), reports.size() + " reports");
      }
      List<SectorRecord> rows = new Datasets(spark, run).commit(plan, "run", sector -> null);
      record.end(rows, 0, List.of(), false);
      long verified = rows.stream().filter(r -> r.state().equals(SectorRecord.VERIFIED)).count();
      require(verified == sectors, verified + " of " + sectors + " verified");
      require(
          MissingPartitions.of(run, plan, preflight, StaleProofs.REFUSE).tasks().isEmpty(),
          "a rerun would prove more");
      System.out.println("verified " + verified);
    }
  }

  private static void require(boolean good, String otherwise) {
    if (!good) {
      throw new IllegalStateException(otherwise);
    }
  }

  private static SectorScan scan(int i) {
    byte[] own = String.format("%032d", i).getBytes(StandardCharsets.US_ASCII);
    return new SectorScan(
        "file:/data/c1/2026-11/miner-1000/sector-" + i + ".json",
        134205,
        String.format("%064d", i),
        "StackedDrg2KiBV1_1",
        "2KiB",
        2048,
        1,
        own,
        own.clone(),
        own.clone(),
        1000L,
        (long) i,
        true,
        0,
        PartitionOrder.NO_DEADLINE,
        null);
  }

  private static String entry() throws IOException {
    StringWriter text = new StringWriter();
    try (var json = new ObjectMapper().getFactory().createGenerator(text)) {
      PartitionEntry golden = GoldenProof.entry(GoldenProof.proof(), GoldenProof.publicInputs());
      List<PhaseRecord> phases = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        phases.add(golden.phases().getFirst()); // as many as a real proof has
      }
      PartitionEntry.TYPE.writeJson(
          new PartitionEntry(
              golden.sector(), 0, golden.proof(), null, null, 1L << 40, phases, golden.device()),
          json);
    }
    return text.toString();
  }

  private static TaskReport leave(String root, PartitionTask task, String entry) {
    RunDirectory run = new RunDirectory(root, HADOOP);
    String own =
        entry
            .replace(GoldenProof.SECTOR, task.sector())
            .replace("ab".repeat(32), task.scan().sha256())
            .replace("cd".repeat(16), task.keyDigest());
    run.files()
        .write(
            new org.apache.hadoop.fs.Path(root + "/journal/" + task.sector() + "/000.json"),
            own.getBytes(StandardCharsets.UTF_8));
    return null;
  }
}
