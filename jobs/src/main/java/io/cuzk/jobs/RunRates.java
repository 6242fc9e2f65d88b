package io.cuzk.jobs;

import io.cuzk.InvalidInputException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * How fast a run was, from the times that its tasks took themselves; only proofs that verified in
 * its last session count.
 *
 * @param fleet the executors that were there, at work or not
 * @param verified sectors all of whose partitions this session proved
 * @param seconds from the first task's begin to the last one's end
 * @param sectorsPerHour a partition being the part of its own sector
 * @param utilisation task time, waits included, in that of the slots over those seconds
 * @param deviceUtilisation time that devices proved, in that of all devices over those seconds
 * @param overhead part of the task time that is neither synthesis, nor proving, nor verification
 * @param phases by name: seconds summed, and part of the task time
 * @param byExecutor partitions, and seconds at work
 */
public record RunRates(
    int verified,
    int partitions,
    Fleet fleet,
    double seconds,
    double partitionsPerSecond,
    double sectorsPerHour,
    double utilisation,
    double deviceUtilisation,
    double overhead,
    Map<String, Phase> phases,
    Map<String, Worker> byExecutor) {
  /** A phase over all partitions. */
  public record Phase(double seconds, double share) {}

  /** What one executor did. */
  public record Worker(int partitions, double busySeconds, String address) {}

  /** What is not overhead; phases beneath these are counted with them. */
  private static final Set<String> WORK =
      Set.of(
          "synthesis.witness",
          "synthesis.evaluate",
          "upload",
          "quotient",
          "msm.h",
          "msm.l",
          "msm.a",
          "msm.b1",
          "msm.b2",
          "assemble",
          "verify");

  private static final Set<String> WAITING =
      Set.of("queue.wait", "device.wait", "memory.wait", "mutex_wait");

  /** Executors that were there. */
  public int executors() {
    return fleet.executors();
  }

  /**
   * Reads a run that has ended. Where its record does not say which executors were there, they are
   * those that proved, with a slot each.
   *
   * @throws InvalidInputException if it has not ended, or proved nothing in its last session
   */
  public static RunRates read(String directory, Configuration hadoop) {
    RunData run = RunData.open(directory, hadoop);
    String runId = run.record().path("run_id").asText();
    Columns proofs =
        run.read(
            RunData.PROOFS,
            List.of(
                "run_id",
                "sector",
                "partition_index",
                "started_at",
                "wall_ns",
                "executor_id",
                "backend"),
            List.of("device_address"));
    Columns phases =
        run.read(
            RunData.PHASES, "run_id", "sector", "partition_index", "phase", "start_ns", "wall_ns");
    Map<String, Integer> partitionsOf = new LinkedHashMap<>();
    Columns sectors = run.read(RunData.SECTORS, "sector", "state", "partitions");
    for (int row = 0; row < sectors.rows(); row++) {
      if (SectorRecord.VERIFIED.equals(sectors.text("state", row))) {
        partitionsOf.put(sectors.text("sector", row), (int) sectors.longs("partitions")[row]);
      }
    }
    Map<String, Integer> counted = new HashMap<>();
    for (int row = 0; row < proofs.rows(); row++) {
      if (runId.equals(proofs.text("run_id", row))
          && partitionsOf.containsKey(proofs.text("sector", row))) {
        counted.put(name(proofs, row), row);
      }
    }
    Map<String, Double> sums = new TreeMap<>();
    Map<String, Double> writes = new LinkedHashMap<>();
    double waiting = 0;
    DeviceTime devices = new DeviceTime();
    Map<String, Boolean> concurrent = new HashMap<>();
    for (int row = 0; row < phases.rows(); row++) {
      Integer proof = counted.get(name(phases, row));
      if (!runId.equals(phases.text("run_id", row)) || proof == null) {
        continue;
      }
      devices.add(
          device(proofs, proof, concurrent),
          phases.text("phase", row),
          proofs.longs("started_at")[proof] + phases.longs("start_ns")[row],
          phases.longs("wall_ns")[row]);
      String phase = phases.text("phase", row);
      double seconds = phases.longs("wall_ns")[row] * 1e-9;
      sums.merge(phase, seconds, Double::sum);
      if (phase.equals("write")) {
        writes.put(name(phases, row), seconds);
      }
      if (WAITING.contains(phase) && !phase.equals("queue.wait")) {
        waiting += seconds;
      }
    }
    return of(
        Fleet.of(run.record()),
        devices,
        runId,
        proofs,
        counted.keySet(),
        partitionsOf,
        sums,
        writes,
        waiting);
  }

  /** What proved: a device, or the CPU for that partition alone. */
  private static String device(Columns proofs, int row, Map<String, Boolean> concurrent) {
    String address = proofs.text("device_address", row);
    boolean many = concurrent.computeIfAbsent(proofs.text("backend", row), Backends::concurrent);
    return many && address == null
        ? name(proofs, row)
        : proofs.text("executor_id", row) + " " + address;
  }

  private static String name(Columns rows, int row) {
    return rows.text("sector", row) + "/" + rows.longs("partition_index")[row];
  }

  private static RunRates of(
      Fleet recorded,
      DeviceTime devices,
      String runId,
      Columns proofs,
      Set<String> counted,
      Map<String, Integer> partitionsOf,
      Map<String, Double> sums,
      Map<String, Double> writes,
      double waiting) {
    double first = Double.MAX_VALUE;
    double last = 0;
    double busy = 0;
    int partitions = 0;
    Map<String, Worker> workers = new TreeMap<>();
    Map<String, Integer> whole = new LinkedHashMap<>();
    for (int row = 0; row < proofs.rows(); row++) {
      String sector = proofs.text("sector", row);
      if (!runId.equals(proofs.text("run_id", row)) || !counted.contains(name(proofs, row))) {
        continue;
      }
      double begun = proofs.longs("started_at")[row] * 1e-9;
      double took =
          proofs.longs("wall_ns")[row] * 1e-9 + writes.getOrDefault(name(proofs, row), 0.0);
      first = Math.min(first, begun);
      last = Math.max(last, begun + took);
      busy += took;
      partitions++;
      whole.merge(sector, 1, Integer::sum);
      Worker own = new Worker(1, took, proofs.text("device_address", row));
      workers.merge(
          proofs.text("executor_id", row),
          own,
          (a, b) ->
              new Worker(
                  a.partitions() + b.partitions(), a.busySeconds() + b.busySeconds(), a.address()));
    }
    if (partitions == 0) {
      throw new InvalidInputException(
          "the run's last session proved nothing that verified, so it has no rate");
    }
    int verified =
        (int)
            whole.entrySet().stream()
                .filter(each -> each.getValue().equals(partitionsOf.get(each.getKey())))
                .count();
    // The part of its sector that each partition is: earlier runs may have proved the other parts.
    double sectors =
        whole.entrySet().stream()
            .mapToDouble(each -> (double) each.getValue() / partitionsOf.get(each.getKey()))
            .sum();
    double span = last - first;
    double working = 0;
    Map<String, Phase> byPhase = new LinkedHashMap<>();
    for (Map.Entry<String, Double> each : sums.entrySet()) {
      double share = WAITING.contains(each.getKey()) ? 0 : each.getValue() / busy;
      byPhase.put(each.getKey(), new Phase(each.getValue(), share));
      working += WORK.contains(each.getKey()) ? each.getValue() : 0;
    }
    int proved = workers.size();
    Fleet fleet = recorded == null ? new Fleet(proved, 0, proved, proved) : recorded;
    return new RunRates(
        verified,
        partitions,
        fleet,
        span,
        partitions / span,
        sectors * 3600 / span,
        busy / (span * fleet.slots()),
        devices.seconds() / (span * fleet.devices()),
        Math.max(0, (busy - waiting - working) / (busy - waiting)),
        byPhase,
        workers);
  }
}
