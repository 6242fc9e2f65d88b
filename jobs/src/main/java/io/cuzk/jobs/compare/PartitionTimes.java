package io.cuzk.jobs.compare;

import io.cuzk.jobs.RunData;
import java.util.List;

/** The phases of a run's partitions, those whose proofs verified, in seconds. */
public final class PartitionTimes {
  private final Observations observations;

  private PartitionTimes(Observations observations) {
    this.observations = observations;
  }

  /**
   * Reads them.
   *
   * @throws io.cuzk.InvalidInputException if no proof verified or a dataset is damaged
   */
  public static PartitionTimes read(RunData run) {
    return new PartitionTimes(RunReader.read(run));
  }

  /** Names, in the order in which they happen. */
  public List<String> phases() {
    return observations.phases();
  }

  /** Wall seconds by partition; NaN where a partition did not have the phase. */
  public double[] wall(int phase) {
    return observations.wall()[phase];
  }

  /** CPU seconds by partition; NaN where not measured. */
  public double[] cpu(int phase) {
    return observations.cpu()[phase];
  }

  /** Whether the phase lies within others. */
  public boolean nested(int phase) {
    return observations.nested()[phase];
  }

  /** A quantile of values in any order, NaN left out; NaN of none. */
  public static double quantile(double[] values, double q) {
    return Sample.of(values).quantile(q);
  }
}
