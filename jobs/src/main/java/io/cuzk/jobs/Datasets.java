package io.cuzk.jobs;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.min;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.when;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.storage.StorageLevel;

/**
 * Writes the run's four Parquet datasets from its journal. All are written beside their places and
 * then renamed, so a reader sees the former ones or the new ones.
 */
final class Datasets {
  static final String PROOFS = "proofs";
  static final String PHASES = "phases";
  static final String SECTORS = "sectors";
  static final String DEVICES = "devices";

  /** What is read of a device again and again: the highest or the only value is kept. */
  private static final List<String> HIGHEST =
      List.of(
          "peak_resident_bytes", "driver", "code", "celsius", "used_bytes", "uncorrected_errors");

  private static final List<String> LOWEST = List.of("clock_mhz", "memory_clock_mhz");
  private static final int ROWS_PER_FILE = 100_000;

  private final SparkSession spark;
  private final RunDirectory run;

  private final DatasetPlaces places;

  Datasets(SparkSession spark, RunDirectory run) {
    this.spark = spark;
    this.run = run;
    this.places = new DatasetPlaces(run);
  }

  /**
   * Writes all four at a run's end; returns the sectors' rows, in the plan's order: what was asked
   * for, then what is kept of earlier runs.
   *
   * @param why of a sector by name, proofs are missing that nobody failed to make; null if unknown
   */
  List<SectorRecord> commit(RunPlan plan, String runId, UnaryOperator<String> why) {
    return commit(plan, runId, why, false);
  }

  /** Writes what there is while the run goes on. */
  void commitSoFar(RunPlan plan, String runId) {
    commit(plan, runId, sector -> null, true);
  }

  private List<SectorRecord> commit(
      RunPlan plan, String runId, UnaryOperator<String> why, boolean atWork) {
    spark.sparkContext().setJobDescription("cuzk: writing datasets into " + run.show());
    places.heal();
    List<String> names =
        plan.all().stream()
            .filter(RunPlan.PlannedSector::provable)
            .map(RunPlan.PlannedSector::name)
            .toList();
    // The journal's many small files are read once, by all executors.
    Dataset<Row> entries = entries(run.entryFiles(names)).persist(StorageLevel.DISK_ONLY());
    try {
      return commit(plan, runId, why, atWork, entries, 1 + names.size() / ROWS_PER_FILE);
    } finally {
      entries.unpersist();
    }
  }

  private List<SectorRecord> commit(
      RunPlan plan,
      String runId,
      UnaryOperator<String> why,
      boolean atWork,
      Dataset<Row> entries,
      int files) {
    Map<String, Row> outcomes = outcomes(entries);
    List<SectorRecord> sectors = new ArrayList<>();
    for (RunPlan.PlannedSector sector : plan.sectors()) {
      sectors.add(
          record(sector, outcomes.get(sector.name()), runId, why.apply(sector.name()), atWork));
    }
    for (RunPlan.PlannedSector sector : plan.kept()) {
      String reason = "the last run was not asked for it";
      sectors.add(record(sector, outcomes.get(sector.name()), runId, reason, false));
    }
    write(PROOFS, entries.where(col("proof").isNotNull()).select("proof.*").coalesce(files));
    write(
        PHASES,
        entries.select(explode(col("phases")).as("phase")).select("phase.*").coalesce(files));
    // Each entry has what was read so far or then; all else of a device is the same in all.
    String[] columns = DeviceRecord.TYPE.schema().fieldNames();
    Column[] devices =
        Arrays.stream(columns)
            .filter(name -> !HIGHEST.contains(name) && !LOWEST.contains(name))
            .map(functions::col)
            .toArray(Column[]::new);
    List<Column> readings = new ArrayList<>();
    HIGHEST.forEach(name -> readings.add(max(col(name)).as(name)));
    LOWEST.forEach(name -> readings.add(min(col(name)).as(name)));
    write(
        DEVICES,
        entries
            .where(col("device").isNotNull())
            .select("device.*")
            .groupBy(devices)
            .agg(readings.getFirst(), readings.subList(1, readings.size()).toArray(Column[]::new))
            .select(Arrays.stream(columns).map(functions::col).toArray(Column[]::new))
            .coalesce(1));
    List<Row> rows = new ArrayList<>();
    sectors.forEach(sector -> rows.add(SectorRecord.TYPE.row(sector)));
    write(SECTORS, spark.createDataFrame(rows, SectorRecord.TYPE.schema()).coalesce(files));
    places.swap();
    return sectors;
  }

  private Dataset<Row> entries(List<String> files) {
    if (files.isEmpty()) {
      return spark.createDataFrame(List.of(), PartitionEntry.TYPE.schema());
    }
    return spark
        .read()
        .schema(PartitionEntry.TYPE.schema())
        .option("mode", "FAILFAST")
        .json(files.toArray(String[]::new));
  }

  /** Per sector: partitions proved, the first partition's failure, nanoseconds spent. */
  private static Map<String, Row> outcomes(Dataset<Row> entries) {
    Map<String, Row> bySector = new HashMap<>();
    Dataset<Row> summed =
        entries
            .groupBy("sector")
            .agg(
                sum(when(col("proof").isNotNull(), lit(1L)).otherwise(lit(0L))).as("proved"),
                min(when(
                        col("failure_kind").isNotNull(),
                        struct(col("partition_index"), col("failure_kind"), col("reason"))))
                    .as("failure"),
                coalesce(sum(col("wall_ns")), lit(0L)).as("wall_ns"));
    for (Row row : summed.collectAsList()) {
      bySector.put(row.getString(0), row);
    }
    return bySector;
  }

  private SectorRecord record(
      RunPlan.PlannedSector sector, Row outcome, String runId, String stopped, boolean atWork) {
    SectorScan scan = sector.scan();
    int proved = outcome == null ? 0 : (int) outcome.getLong(1);
    boolean verified = sector.provable() && proved == scan.partitions();
    String state = SectorRecord.FAILED;
    String kind = null;
    String reason = null;
    if (verified) {
      state = SectorRecord.VERIFIED;
    } else if (!sector.provable()) {
      kind = PartitionEntry.INPUT;
      reason = scan.failure();
    } else if (outcome != null && !outcome.isNullAt(2)) {
      Row failure = outcome.getStruct(2);
      kind = failure.getString(1);
      reason = "partition " + failure.getInt(0) + ": " + failure.getString(2);
    } else if (atWork) {
      state = SectorRecord.PENDING;
    } else {
      kind = PartitionEntry.INFRASTRUCTURE;
      reason =
          "%d of %d partitions were proved%s"
              .formatted(proved, scan.partitions(), stopped == null ? "" : ": " + stopped);
    }
    Path file = run.proofFile(sector.name());
    return new SectorRecord(
        ProofRecord.SCHEMA_VERSION,
        runId,
        sector.name(),
        scan.minerId(),
        scan.sectorNumber(),
        scan.replicaIdChecked(),
        scan.registeredProof(),
        scan.sectorSizeBytes(),
        scan.shownPath(),
        scan.bytes(),
        scan.sha256(),
        state,
        kind,
        reason,
        scan.partitions(),
        proved,
        verified ? RunFiles.show(file) : null,
        verified ? 192L * scan.partitions() : 0,
        outcome == null ? 0 : outcome.getLong(3));
  }

  private void write(String name, Dataset<Row> rows) {
    rows.write().mode(SaveMode.Overwrite).parquet(places.fresh(name).toString());
  }
}
