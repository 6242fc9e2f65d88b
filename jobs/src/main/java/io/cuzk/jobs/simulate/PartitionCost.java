package io.cuzk.jobs.simulate;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.Columns;
import io.cuzk.jobs.RunData;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/**
 * What one partition of a run took, in seconds.
 *
 * @param before on the CPU: reading and synthesis
 * @param device what only its device can do
 * @param after on the CPU when the device is free again: assembly, verification, writing
 */
public record PartitionCost(double before, double device, double after) {
  private static final Set<String> BEFORE =
      Set.of("input.parse", "key.load", "synthesis.witness", "synthesis.evaluate");
  private static final Set<String> DEVICE =
      Set.of("upload", "quotient", "msm.h", "msm.l", "msm.a", "msm.b1", "msm.b2");
  private static final Set<String> AFTER = Set.of("assemble", "verify", "write");

  /** Rejects what cannot be simulated. */
  public PartitionCost {
    if (!(before >= 0 && device >= 0 && after >= 0 && before + device + after < 1e9)) {
      throw new IllegalArgumentException(before + ", " + device + ", " + after + " seconds");
    }
  }

  /** All of it. */
  public double total() {
    return before + device + after;
  }

  /**
   * The partitions that a run proved, each at its last try. The first of each executor is left out
   * where there are others: it opened the key and warmed up.
   *
   * @throws InvalidInputException if the run has not ended or proved nothing
   */
  public static List<PartitionCost> read(String directory, Configuration hadoop) {
    RunData run = RunData.open(directory, hadoop);
    Columns proofs =
        run.read(
            RunData.PROOFS,
            "sector",
            "partition_index",
            "task_attempt",
            "executor_id",
            "started_at");
    Map<String, Long> firstOf = new LinkedHashMap<>();
    for (int row = 0; row < proofs.rows(); row++) {
      firstOf.merge(proofs.text("executor_id", row), proofs.longs("started_at")[row], Math::min);
    }
    Map<String, double[]> costs = new LinkedHashMap<>();
    Map<String, double[]> first = new LinkedHashMap<>();
    for (int row = 0; row < proofs.rows(); row++) {
      boolean warming =
          proofs.longs("started_at")[row] == firstOf.get(proofs.text("executor_id", row));
      (warming ? first : costs).put(key(proofs, row), new double[3]);
    }
    if (costs.isEmpty()) {
      costs = first;
    }
    Columns phases =
        run.read(RunData.PHASES, "sector", "partition_index", "task_attempt", "phase", "wall_ns");
    for (int row = 0; row < phases.rows(); row++) {
      double[] cost = costs.get(key(phases, row));
      String phase = phases.text("phase", row);
      int part =
          BEFORE.contains(phase) ? 0 : DEVICE.contains(phase) ? 1 : AFTER.contains(phase) ? 2 : -1;
      if (cost != null && part >= 0) {
        cost[part] += phases.longs("wall_ns")[row] * 1e-9;
      }
    }
    if (costs.isEmpty()) {
      throw new InvalidInputException(
          directory + " proved no partition, so there is nothing to simulate from");
    }
    List<PartitionCost> list = new ArrayList<>();
    costs.values().forEach(c -> list.add(new PartitionCost(c[0], c[1], c[2])));
    return list;
  }

  private static String key(Columns rows, int row) {
    return rows.text("sector", row)
        + "/"
        + rows.longs("partition_index")[row]
        + "/"
        + rows.longs("task_attempt")[row];
  }
}
