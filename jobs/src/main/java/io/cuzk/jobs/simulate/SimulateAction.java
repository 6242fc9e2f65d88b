package io.cuzk.jobs.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InvalidInputException;
import io.cuzk.jobs.Columns;
import io.cuzk.jobs.Fleet;
import io.cuzk.jobs.RunData;
import io.cuzk.jobs.SectorKind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
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
   * @param cpuSlots tasks that a host runs at once; 0 for as many for each of its devices as the
   *     run had slots for each of its own, or without devices as an executor of the run had
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
   * @param slotsEstimated whether the CPU slots were neither given nor recorded in the run, and are
   *     from the cores that a JVM of it saw
   */
  public record Result(
      ClusterModel model,
      ClusterModel.Outcome outcome,
      double sectorsPerHour,
      PartitionCost cost,
      int samples,
      long memoryPerPartition,
      boolean memoryEstimated,
      SectorKind sectors,
      boolean slotsEstimated) {}

  /**
   * Simulates.
   *
   * @throws InvalidInputException if the run has not ended or proved nothing, or sectors of several
   *     kinds, or the memory does not hold a partition for each device
   */
  public static Result run(Request request, Configuration hadoop) {
    List<PartitionCost> costs = PartitionCost.read(request.from(), hadoop);
    RunData run = RunData.open(request.from(), hadoop);
    SectorKind sectors = onlyKind(run);
    boolean estimated = request.memoryPerPartition() == 0;
    long key = estimated ? keyBytes(run, sectors) : 0;
    long each =
        estimated
            ? Math.max(1, request.devicesPerHost() == 0 ? key / 4 * 3 : key / KEY_TO_ASSIGNMENT)
            : request.memoryPerPartition();
    long share = request.memoryPerHost() / Math.max(1, request.devicesPerHost());
    Fleet fleet = Fleet.of(run.record());
    boolean unknown = request.cpuSlots() == 0 && fleet == null;
    int slots =
        unknown
            ? slots(run)
            : request.cpuSlots() == 0 ? slots(fleet, request.devicesPerHost()) : request.cpuSlots();
    ClusterModel model =
        new ClusterModel(
            request.hosts(),
            request.devicesPerHost(),
            slots,
            (int) Math.min(Integer.MAX_VALUE, share / each));
    int partitionsEach = sectors.partitions();
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
        estimated,
        sectors,
        unknown);
  }

  /** A host is like an executor of the run where the CPU proves, else each of its devices is. */
  private static int slots(Fleet fleet, int devicesPerHost) {
    return devicesPerHost == 0
        ? Math.max(1, fleet.slots() / fleet.executors())
        : Math.max(1, Math.multiplyExact(devicesPerHost, fleet.slots()) / fleet.devices());
  }

  /** Of a run that does not say which executors it had: an executor may have had fewer cores. */
  private static int slots(RunData run) {
    Columns devices = run.read(RunData.DEVICES, "cores");
    long cores = Arrays.stream(devices.longs("cores")).limit(devices.rows()).max().orElse(1);
    int threads = run.record().at("/configuration/threads_per_task").asInt(1);
    return (int) Math.max(1, cores / Math.max(1, threads));
  }

  /** Times of sectors of two sizes have no mean that says anything. */
  private static SectorKind onlyKind(RunData run) {
    List<SectorKind> kinds = SectorKind.of(run);
    if (kinds.size() != 1) {
      throw new InvalidInputException(
          "%s proved sectors of %d kinds (%s); simulate from a run of one"
              .formatted(
                  run.shown(),
                  kinds.size(),
                  kinds.stream().map(SectorKind::describe).collect(Collectors.joining("; "))));
    }
    return kinds.getFirst();
  }

  /** Of the key that these sectors were proved with; a run may have opened others. */
  private static long keyBytes(RunData run, SectorKind sectors) {
    for (JsonNode key : run.record().path("parameters")) {
      if (key.path("sector_size").asText().equals(sectors.parametersName())) {
        return key.path("bytes").asLong();
      }
    }
    throw new InvalidInputException(
        "%s/run.json: parameters: no key of %s, which the run proved; the file is not of this run"
            .formatted(run.shown(), sectors.parametersName()));
  }

  private static PartitionCost mean(List<PartitionCost> costs) {
    double before = costs.stream().mapToDouble(PartitionCost::before).average().orElse(0);
    double device = costs.stream().mapToDouble(PartitionCost::device).average().orElse(0);
    double after = costs.stream().mapToDouble(PartitionCost::after).average().orElse(0);
    return new PartitionCost(before, device, after);
  }
}
