package io.cuzk.jobs.simulate;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.Columns;
import io.cuzk.jobs.RunData;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Predicts what a cluster would prove, from what the partitions of a run took. */
public final class SimulateAction {
  /** Of a key file's size: what one assignment takes for a device. */
  private static final int KEY_TO_ASSIGNMENT = 40;

  /** Partitions for each device, where the user names no number of sectors. */
  private static final int ROUNDS = 20;

  private SimulateAction() {}

  /**
   * What to predict.
   *
   * @param from a run directory
   * @param memoryPerHost in bytes
   * @param memoryPerPartition in bytes; 0 to estimate it from the key
   * @param cpuSlots partitions that a host's CPU works on at once; 0 for as many as in the run
   * @param sectors 0 for enough to fill the cluster many times
   */
  public record Request(
      String from,
      int hosts,
      int devicesPerHost,
      long memoryPerHost,
      long memoryPerPartition,
      int cpuSlots,
      int sectors) {}

  /**
   * The prediction, and what it rests on.
   *
   * @param cost means over the run's partitions
   * @param samples partitions of the run that it was fed with
   * @param memoryEstimated whether {@code memoryPerPartition} was not given
   */
  public record Result(
      ClusterModel model,
      ClusterModel.Outcome outcome,
      double sectorsPerHour,
      PartitionCost cost,
      int samples,
      long memoryPerPartition,
      boolean memoryEstimated) {}

  /**
   * Simulates.
   *
   * @throws InvalidInputException if the run has not ended or proved nothing, or the memory does
   *     not hold a partition for each device
   */
  public static Result run(Request request, Configuration hadoop) {
    List<PartitionCost> costs = PartitionCost.read(request.from(), hadoop);
    RunData run = RunData.open(request.from(), hadoop);
    long key = run.record().at("/parameters/0/bytes").asLong();
    boolean estimated = request.memoryPerPartition() == 0;
    long each =
        estimated
            ? Math.max(1, request.devicesPerHost() == 0 ? key / 4 * 3 : key / KEY_TO_ASSIGNMENT)
            : request.memoryPerPartition();
    long share = request.memoryPerHost() / Math.max(1, request.devicesPerHost());
    int slots = request.cpuSlots() == 0 ? slots(run) : request.cpuSlots();
    ClusterModel model =
        new ClusterModel(
            request.hosts(),
            request.devicesPerHost(),
            slots,
            (int) Math.min(Integer.MAX_VALUE, share / each));
    int partitionsEach = partitionsOfASector(run);
    long lanes = (long) request.hosts() * Math.max(1, request.devicesPerHost());
    int partitions =
        Math.toIntExact(
            request.sectors() == 0
                ? lanes * ROUNDS * (request.devicesPerHost() == 0 ? slots : 1)
                : (long) request.sectors() * partitionsEach);
    ClusterModel.Outcome outcome = model.run(costs, partitions);
    return new Result(
        model,
        outcome,
        outcome.partitionsPerSecond() * 3600 / partitionsEach,
        mean(costs),
        costs.size(),
        each,
        estimated);
  }

  private static int slots(RunData run) {
    Columns devices = run.read(RunData.DEVICES, "cores");
    long cores = Arrays.stream(devices.longs("cores")).limit(devices.rows()).max().orElse(1);
    int threads = run.record().at("/configuration/threads_per_task").asInt(1);
    return (int) Math.max(1, cores / Math.max(1, threads));
  }

  private static int partitionsOfASector(RunData run) {
    Columns sectors = run.read(RunData.SECTORS, "partitions");
    return (int)
        Math.max(
            1, Arrays.stream(sectors.longs("partitions")).limit(sectors.rows()).max().orElse(1));
  }

  private static PartitionCost mean(List<PartitionCost> costs) {
    double before = costs.stream().mapToDouble(PartitionCost::before).average().orElse(0);
    double device = costs.stream().mapToDouble(PartitionCost::device).average().orElse(0);
    double after = costs.stream().mapToDouble(PartitionCost::after).average().orElse(0);
    return new PartitionCost(before, device, after);
  }
}
