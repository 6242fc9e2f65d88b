package io.cuzk.jobs.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InvalidInputException;
import io.cuzk.jobs.Columns;
import io.cuzk.jobs.RunData;
import io.cuzk.jobs.compare.PartitionTimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;

/**
 * The figures of a run. Times and rates are those of partitions whose proofs verified.
 *
 * @param run the directory as typed
 * @param record {@code run.json}
 * @param provedNow partitions proved in the last session
 * @param wallSeconds of the last session; NaN while it has not ended
 * @param retries partitions that needed more than one attempt
 * @param phases in the order in which they happen
 * @param slowest the partitions that took longest, longest first
 */
record RunSummary(
    String run,
    JsonNode record,
    Columns sectors,
    Columns proofs,
    Columns devices,
    int verifiedSectors,
    int provedPartitions,
    int provedNow,
    double wallSeconds,
    int retries,
    List<PhaseShare> phases,
    List<Integer> slowest,
    Timeline timeline) {
  private static final int SLOWEST = 10;

  /**
   * Reads a run that has ended.
   *
   * @throws InvalidInputException if it has not, or is no run
   */
  static RunSummary read(String directory, Configuration hadoop) {
    RunData run = RunData.open(directory, hadoop);
    Columns sectors =
        run.read(
            RunData.SECTORS,
            "sector",
            "state",
            "failure_kind",
            "reason",
            "partitions",
            "partitions_verified",
            "sector_size_bytes",
            "proving_ns",
            "input_path");
    Columns proofs =
        run.read(
            RunData.PROOFS,
            "run_id",
            "sector",
            "partition_index",
            "task_attempt",
            "verified",
            "started_at",
            "wall_ns",
            "cpu_ns",
            "backend",
            "device",
            "host",
            "executor_id");
    Columns devices =
        run.read(
            RunData.DEVICES,
            "host",
            "executor_id",
            "backend",
            "device",
            "cpu_model",
            "cores",
            "memory_bytes",
            "java");
    Columns phases =
        run.read(
            RunData.PHASES,
            "phase",
            "sector",
            "partition_index",
            "task_attempt",
            "start_ns",
            "wall_ns");
    String runId = run.record().path("run_id").asText();
    List<Integer> verified =
        IntStream.range(0, proofs.rows())
            .filter(row -> proofs.longs("verified")[row] == 1)
            .boxed()
            .toList();
    return new RunSummary(
        run.shown(),
        run.record(),
        sectors,
        proofs,
        devices,
        (int)
            IntStream.range(0, sectors.rows())
                .filter(row -> "verified".equals(sectors.text("state", row)))
                .count(),
        verified.size(),
        (int) verified.stream().filter(row -> runId.equals(proofs.text("run_id", row))).count(),
        run.record().hasNonNull("wall_ns")
            ? run.record().path("wall_ns").asLong() * 1e-9
            : Double.NaN,
        retried(proofs, phases),
        verified.isEmpty() ? List.of() : shares(PartitionTimes.read(run)),
        verified.stream()
            .sorted(Comparator.comparingLong((Integer row) -> -proofs.longs("wall_ns")[row]))
            .limit(SLOWEST)
            .toList(),
        Timeline.of(proofs, phases, runId));
  }

  /** Partitions with an attempt after the first, proved or not. */
  private static int retried(Columns proofs, Columns phases) {
    Set<String> partitions = new HashSet<>();
    for (Columns from : List.of(proofs, phases)) {
      for (int row = 0; row < from.rows(); row++) {
        if (from.longs("task_attempt")[row] > 0) {
          partitions.add(from.text("sector", row) + " " + from.longs("partition_index")[row]);
        }
      }
    }
    return partitions.size();
  }

  private static List<PhaseShare> shares(PartitionTimes times) {
    double[] sums = new double[times.phases().size()];
    double all = 0;
    for (int p = 0; p < sums.length; p++) {
      sums[p] = Arrays.stream(times.wall(p)).filter(s -> !Double.isNaN(s)).sum();
      all += counts(times, p) ? sums[p] : 0;
    }
    List<PhaseShare> shares = new ArrayList<>();
    for (int p = 0; p < sums.length; p++) {
      shares.add(
          new PhaseShare(
              times.phases().get(p),
              times.nested(p),
              PartitionTimes.quantile(times.wall(p), 0.5),
              PartitionTimes.quantile(times.wall(p), 0.95),
              PartitionTimes.quantile(times.cpu(p), 0.5),
              counts(times, p) ? sums[p] / all : Double.NaN));
    }
    return shares;
  }

  private static boolean counts(PartitionTimes times, int phase) {
    return !times.nested(phase) && !times.phases().get(phase).equals("queue.wait");
  }

  /** Partitions an hour in the last session; NaN where that cannot be told. */
  double partitionsPerHour() {
    return provedNow == 0 ? Double.NaN : provedNow / wallSeconds * 3600;
  }

  /** Sectors an hour at that rate, by the partitions that verified sectors have. */
  double sectorsPerHour() {
    long partitions = 0;
    for (int row = 0; row < sectors.rows(); row++) {
      if ("verified".equals(sectors.text("state", row))) {
        partitions += sectors.longs("partitions")[row];
      }
    }
    return partitions == 0 ? Double.NaN : partitionsPerHour() * verifiedSectors / partitions;
  }

  /** Median CPU seconds of a proved partition. */
  double cpuSeconds() {
    return PartitionTimes.quantile(proved("cpu_ns"), 0.5);
  }

  /** Median wall seconds of a proved partition's task. */
  double taskSeconds() {
    return PartitionTimes.quantile(proved("wall_ns"), 0.5);
  }

  private double[] proved(String column) {
    return IntStream.range(0, proofs.rows())
        .filter(row -> proofs.longs("verified")[row] == 1)
        .mapToDouble(row -> proofs.longs(column)[row] * 1e-9)
        .toArray();
  }
}
