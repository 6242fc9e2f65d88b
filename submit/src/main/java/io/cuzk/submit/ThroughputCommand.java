package io.cuzk.submit;

import io.cuzk.jobs.KeyFiles;
import io.cuzk.jobs.RunRates;
import io.cuzk.jobs.SectorKind;
import io.cuzk.jobs.ThroughputAction;
import io.cuzk.porep.SectorShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cuzk throughput}. */
@Command(
    name = "throughput",
    description = {
      "Measures how many sectors a cluster proves an hour.",
      "Proves a batch after a warm-up that does not count, every proof verified; with"
          + " --compare-one",
      "again on one executor. The runs stay in --out for compare, report and simulate."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk throughput --sectors 8 --sector-size 2KiB --out t/",
      "  cuzk throughput --c1 hdfs://nn/c1 --params /data/params --master spark://h:7077"
          + " --executors 4",
      "      --compare-one --price-per-hour 1.20 --out hdfs://nn/t --json"
    })
final class ThroughputCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private Common common;
  @Mixin private SparkOptions spark;

  @Option(
      names = "--sectors",
      paramLabel = "N",
      converter = SectorCount.class,
      description = "How many (default: all of --c1, else 8).")
  private Integer sectors;

  @Option(
      names = "--sector-size",
      paramLabel = "S",
      converter = Sizes.class,
      description = "Make sparse sectors of this size on the executors.")
  private SectorShape size;

  @Option(names = "--c1", paramLabel = "PATH", description = "Or take these C1 files.")
  private List<String> inputs = new ArrayList<>();

  @Option(
      names = "--params",
      paramLabel = "D",
      description = "Directory of parameter files (default: test parameters, made once).")
  private String parameters;

  @Option(names = "--out", required = true, paramLabel = "D", description = "Where the runs go.")
  private String output;

  @Option(
      names = "--executors",
      paramLabel = "E",
      defaultValue = "0",
      description = {
        "Executors to wait for and use (default: those that the cluster gives).",
        "Without spark.executor.cores they get as many cores as so many can have."
      })
  private int executors;

  @Option(names = "--compare-one", description = "Measure one executor too.")
  private boolean compareOne;

  @Option(names = "--price-per-hour", paramLabel = "P", description = "Of one executor.")
  private Double price;

  @Override
  public Integer call() {
    if (inputs.isEmpty() == (size == null)) {
      throw new ParameterException(spec.commandLine(), "one of --sector-size and --c1 is expected");
    }
    if (executors < 0 || price != null && !(price > 0 && price < 1e9)) {
      throw new ParameterException(
          spec.commandLine(), "--executors and --price-per-hour must be positive");
    }
    Map<String, String> settings = spark.settings();
    ThroughputAction.Request request =
        new ThroughputAction.Request(
            inputs,
            sectors == null ? inputs.isEmpty() ? 8 : 0 : sectors,
            size == null ? null : size.name(),
            KeyFiles.place(parameters == null ? testParameters() : parameters),
            output,
            executors,
            cores(settings),
            compareOne,
            price);
    ThroughputAction.Result result;
    try (ProgressLines progress = ProgressLines.on(common.err())) {
      result =
          ThroughputAction.run(
              request, more -> spark.openToProve("cuzk throughput", more), progress);
    }
    show(result);
    int code = ExitCode.GOOD;
    for (var failure : result.failures()) {
      common.note("cuzk: " + failure.input() + ": " + failure.reason());
      code = Math.max(code, ProveCommand.code(failure.kind()));
    }
    return code;
  }

  private String testParameters() {
    if (size == null) {
      throw new ParameterException(spec.commandLine(), "--params is needed with --c1");
    }
    KeyFiles files = BenchKeys.parameters(common, size);
    return files.params().getParent().toString();
  }

  private int cores(Map<String, String> settings) {
    String key = "spark.executor.cores"; // spark-submit's are properties of this JVM
    String cores = settings.getOrDefault(key, System.getProperty(key));
    if (cores == null) {
      return 0;
    }
    if (!cores.matches("[1-9]\\d{0,3}")) {
      throw new ParameterException(
          spec.commandLine(), "spark.executor.cores=" + cores + ": a number is expected");
    }
    return Integer.parseInt(cores);
  }

  private void show(ThroughputAction.Result result) {
    RunRates all = result.all();
    List<List<String>> rows = new ArrayList<>();
    all.phases()
        .forEach(
            (name, phase) ->
                rows.add(
                    List.of(
                        name,
                        number(phase.seconds() / all.partitions(), 3),
                        phase.share() == 0 ? "" : number(100 * phase.share(), 1) + " %")));
    common.table(List.of("phase", "s a partition", "share"), rows);
    all.byExecutor()
        .forEach(
            (id, worker) ->
                common.say(
                    "executor %s%s: %d partitions, %s s at work"
                        .formatted(
                            id,
                            worker.address() == null ? "" : " (device " + worker.address() + ")",
                            worker.partitions(),
                            number(worker.busySeconds(), 1))));
    common.say(
        "%d executors, %s cores and %s proofs at once each, clocks %d to %d ms apart; sectors: %s"
            .formatted(
                all.executors(),
                all.fleet().coresPerExecutor(),
                all.fleet().slotsPerExecutor(),
                result.clocks().leastMillis(),
                result.clocks().mostMillis(),
                result.sectors().stream()
                    .map(SectorKind::describe)
                    .collect(Collectors.joining("; "))));
    common.say(
        "%d sectors verified in %s s on %d executors: %s sectors/h, %s partitions/s; utilisation %s %%, of the devices %s %%, overhead %s %%"
            .formatted(
                all.verified(),
                number(all.seconds(), 1),
                all.executors(),
                number(all.sectorsPerHour(), 1),
                number(all.partitionsPerSecond(), 4),
                number(100 * all.utilisation(), 1),
                number(100 * all.deviceUtilisation(), 1),
                number(100 * all.overhead(), 2)));
    if (result.clocks().spoils(all.seconds())) {
      common.note(
          "cuzk: the clocks of the executors are at least %d ms apart, more than 1 %% of these %s s: set them by NTP, and measure again"
              .formatted(result.clocks().leastMillis(), number(all.seconds(), 1)));
    }
    if (result.one() != null) {
      common.say(
          "%s times one executor (efficiency %s %%)"
              .formatted(number(result.speedup(), 2), number(100 * result.efficiency(), 1)));
    }
    if (price != null) {
      common.say("a sector costs " + number(result.costPerSector(price), 6));
    }
    common.object(object(result));
  }

  private Map<String, Object> object(ThroughputAction.Result result) {
    Map<String, Object> object = rates(result.all());
    object.put("sectors", result.sectors().stream().map(ThroughputCommand::kind).toList());
    Map<String, Object> clocks = new LinkedHashMap<>();
    clocks.put("least", result.clocks().leastMillis());
    clocks.put("most", result.clocks().mostMillis());
    object.put("clock_skew_ms", clocks);
    object.put("failed", result.failures().size());
    object.put("speedup_against_one", result.speedup());
    object.put("scaling_efficiency", result.efficiency());
    object.put("one", result.one() == null ? null : rates(result.one()));
    object.put("price_per_hour", price);
    object.put("cost_per_sector", result.costPerSector(price));
    object.put(
        "cost_per_proof",
        price == null
            ? null
            : price * result.all().executors() / (3600 * result.all().partitionsPerSecond()));
    object.put("out", result.output());
    return object;
  }

  private static Map<String, Object> kind(SectorKind kind) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("sector_size", kind.sectorSize());
    object.put("shape", kind.shape());
    object.put("partitions", kind.partitions());
    object.put("sectors", kind.sectors());
    return object;
  }

  private static Map<String, Object> rates(RunRates rates) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("verified", rates.verified());
    object.put("partitions", rates.partitions());
    object.put("executors", rates.executors());
    object.put("cores_per_executor", rates.fleet().coresPerExecutor());
    object.put("slots_per_executor", rates.fleet().slotsPerExecutor());
    object.put("slots", rates.fleet().slots());
    object.put("devices", rates.fleet().devices());
    object.put("wall_s", rates.seconds());
    object.put("sectors_per_hour", rates.sectorsPerHour());
    object.put("partitions_per_s", rates.partitionsPerSecond());
    object.put("utilisation", rates.utilisation());
    object.put("device_utilisation", rates.deviceUtilisation());
    object.put("overhead_fraction", rates.overhead());
    Map<String, Object> phases = new LinkedHashMap<>();
    rates
        .phases()
        .forEach(
            (name, phase) -> {
              Map<String, Object> entry = new LinkedHashMap<>();
              entry.put("mean_s", phase.seconds() / rates.partitions());
              entry.put("share", phase.share());
              phases.put(name, entry);
            });
    object.put("phases", phases);
    List<Map<String, Object>> executors = new ArrayList<>();
    rates
        .byExecutor()
        .forEach(
            (id, worker) -> {
              Map<String, Object> entry = new LinkedHashMap<>();
              entry.put("executor", id);
              entry.put("address", worker.address());
              entry.put("partitions", worker.partitions());
              entry.put("busy_s", worker.busySeconds());
              executors.add(entry);
            });
    object.put("by_executor", executors);
    return object;
  }

  private static String number(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
