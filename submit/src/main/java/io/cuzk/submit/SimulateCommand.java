package io.cuzk.submit;

import io.cuzk.jobs.RunRates;
import io.cuzk.jobs.simulate.ClusterModel;
import io.cuzk.jobs.simulate.SimulateAction;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cuzk simulate}. */
@Command(
    name = "simulate",
    description = {
      "Predicts what a cluster would prove, from a run's phases.",
      "A model of the scheduler: each partition has a slot and a place in memory from synthesis to"
          + " the end,",
      "and each device proves one at a time. It knows nothing of networks, disks and failures."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk simulate --from run/ --hosts 16 --gpus-per-host 4 --memory 512GiB",
      "  cuzk simulate --from run/ --hosts 2 --gpus-per-host 0 --memory 16GiB --cpu-slots 1 --json",
      "  cuzk simulate --from t/run-one --hosts 2 --gpus-per-host 0 --memory 8GiB --sectors 8"
          + " --against t/run-all"
    })
final class SimulateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private Common common;

  @Option(
      names = "--from",
      required = true,
      paramLabel = "RUN",
      description = "A run directory of 'cuzk prove' or 'cuzk throughput'.")
  private String from;

  @Option(names = "--hosts", required = true, paramLabel = "N", description = "How many.")
  private int hosts;

  @Option(
      names = "--gpus-per-host",
      required = true,
      paramLabel = "M",
      description = "Devices of each; 0 for proving on the CPU.")
  private int gpus;

  @Option(
      names = "--memory",
      required = true,
      paramLabel = "SIZE",
      converter = MemorySize.class,
      description = "Of a host for its partitions, for example 256GiB.")
  private long memory;

  @Option(
      names = "--partition-memory",
      paramLabel = "SIZE",
      converter = MemorySize.class,
      description = "What a partition takes of it (default: estimated from the key).")
  private Long partitionMemory;

  @Option(
      names = "--cpu-slots",
      paramLabel = "C",
      description =
          "Tasks that a host runs at once (default: as many a device as in the run; without"
              + " devices, as an executor of the run).")
  private Integer slots;

  @Option(
      names = "--sectors",
      paramLabel = "K",
      converter = SectorCount.class,
      description = "How many to prove (default: enough to fill the cluster many times).")
  private Integer sectors;

  @Option(
      names = "--against",
      paramLabel = "RUN2",
      description = "A run of such a cluster: how far the prediction is from it.")
  private String against;

  @Override
  public Integer call() {
    if (hosts < 1 || hosts > 100_000 || gpus < 0 || gpus > 1024 || slots != null && slots < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--hosts 1 to 100000, --gpus-per-host 0 to 1024 and --cpu-slots from 1 are expected");
    }
    SimulateAction.Result result =
        SimulateAction.run(
            new SimulateAction.Request(
                from,
                hosts,
                gpus,
                memory,
                partitionMemory == null ? 0 : partitionMemory,
                slots == null ? 0 : slots,
                sectors == null ? 0 : sectors),
            new Configuration());
    ClusterModel.Outcome outcome = result.outcome();
    common.say(
        String.format(
            Locale.ROOT,
            "%d hosts x %d devices: %.1f sectors/h, %.4f partitions/s; devices busy %.1f %%, CPUs"
                + " %.1f %%; bottleneck: %s",
            hosts,
            gpus,
            result.sectorsPerHour(),
            outcome.partitionsPerSecond(),
            100 * outcome.deviceUtilisation(),
            100 * outcome.cpuUtilisation(),
            outcome.bottleneck()));
    common.say(
        String.format(
            Locale.ROOT,
            "from %d partitions of %s (sectors: %s): %.2f s before the device, %.2f s on it, %.2f s"
                + " after; %d places a device of %d MiB%s, %d CPU slots a host",
            result.samples(),
            from,
            result.sectors().describe(),
            result.cost().before(),
            result.cost().device(),
            result.cost().after(),
            result.model().places(),
            result.memoryPerPartition() >> 20,
            result.memoryEstimated() ? " (estimated)" : "",
            result.model().cpuSlots()));
    if (result.slotsEstimated()) {
      common.note(
          "cuzk: %s does not say how many slots its executors had; %d CPU slots are from the cores"
                  .formatted(from, result.model().cpuSlots())
              + " of its machines: name --cpu-slots if executors had fewer");
    }
    Map<String, Object> object = object(result);
    if (against != null) {
      object.put("against", compare(outcome));
    }
    common.object(object);
    return ExitCode.GOOD;
  }

  private Map<String, Object> compare(ClusterModel.Outcome outcome) {
    RunRates measured = RunRates.read(against, new Configuration());
    double error = outcome.partitionsPerSecond() / measured.partitionsPerSecond() - 1;
    common.say(
        String.format(
            Locale.ROOT,
            "%s proved %d partitions on %d executors: %.4f partitions/s; the prediction is %.1f %%"
                + " %s",
            against,
            measured.partitions(),
            measured.executors(),
            measured.partitionsPerSecond(),
            Math.abs(100 * error),
            error < 0 ? "below" : "above"));
    if (measured.partitions() != outcome.partitions() || measured.executors() != hosts) {
      common.note(
          "cuzk: simulated %d partitions on %d hosts: name the same --sectors and --hosts"
              .formatted(outcome.partitions(), hosts));
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("run", against);
    object.put("partitions", measured.partitions());
    object.put("executors", measured.executors());
    object.put("partitions_per_s", measured.partitionsPerSecond());
    object.put("error", error);
    return object;
  }

  private Map<String, Object> object(SimulateAction.Result result) {
    ClusterModel.Outcome outcome = result.outcome();
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("from", from);
    object.put("hosts", hosts);
    object.put("gpus_per_host", gpus);
    object.put("sector_size", result.sectors().sectorSize());
    object.put("partitions_per_sector", result.sectors().partitions());
    object.put("cpu_slots", result.model().cpuSlots());
    object.put("cpu_slots_estimated", result.slotsEstimated());
    object.put("places", result.model().places());
    object.put("partition_bytes", result.memoryPerPartition());
    object.put("partition_bytes_estimated", result.memoryEstimated());
    object.put("partitions", outcome.partitions());
    object.put("wall_s", outcome.seconds());
    object.put("partitions_per_s", outcome.partitionsPerSecond());
    object.put("sectors_per_hour", result.sectorsPerHour());
    object.put("device_utilisation", outcome.deviceUtilisation());
    object.put("cpu_utilisation", outcome.cpuUtilisation());
    object.put("bottleneck", outcome.bottleneck());
    object.put("samples", result.samples());
    return object;
  }
}
