package io.cuzk.submit;

import io.cuzk.bench.Measurement;
import io.cuzk.jobs.Machine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Measured rows for people and as JSON. */
final class BenchReport {
  private static final List<String> HEADER =
      List.of(
          "work",
          "provider",
          "size",
          "threads",
          "CPU s",
          "wall s",
          "CPU ns per",
          "",
          "rival",
          "rival ns",
          "ratio",
          "");

  private final Common common;
  private final Machine machine = Machine.current();
  private final List<Measurement> rows = new ArrayList<>();
  private final List<Map<String, Object>> verdicts = new ArrayList<>();
  private final List<Map<String, Object>> notApplicable = new ArrayList<>();
  private Map<String, Object> limits = Map.of();
  private Long peakResidentBytes;

  BenchReport(Common common) {
    this.common = common;
  }

  void add(Measurement row) {
    rows.add(row);
  }

  /** What the device that is measured does at most, as measured in this run. */
  void limits(Map<String, Object> measured) {
    limits = measured;
  }

  /** Notes the memory that this process has taken at most. */
  void memory() {
    peakResidentBytes = Machine.peakResidentBytes();
  }

  /** Adds rows of one run that are to be compared with its first. */
  void compare(List<Measurement> run) {
    rows.addAll(run);
    for (Measurement row : run.subList(1, run.size())) {
      verdicts.add(verdict(run.getFirst(), row));
    }
  }

  /** What was asked for and could not be measured, with the reason. */
  void notApplicable(String what, int threads, String why) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("variant", what);
    object.put("threads", threads);
    object.put("reason", why);
    notApplicable.add(object);
  }

  /** Whether medians differ by more than either's runs do among themselves. */
  private static Map<String, Object> verdict(Measurement first, Measurement row) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("variant", row.more().get("variant"));
    object.put("against", first.more().get("variant"));
    object.put("threads", row.threads());
    String cpu = part(object, "cpu", first.timing().cpuSamples(), row.timing().cpuSamples());
    String wall = part(object, "wall", first.timing().wallSamples(), row.timing().wallSamples());
    object.put(
        "verdict",
        "%s against %s, %s: %s; %s"
            .formatted(
                row.more().get("variant"),
                first.more().get("variant"),
                threads(row.threads()),
                cpu,
                wall));
    return object;
  }

  /** Such as {@code 1 thread}. */
  static String threads(int count) {
    return count == 1 ? "1 thread" : count + " threads";
  }

  private static String part(
      Map<String, Object> object, String name, double[] base, double[] other) {
    Spread spread = Spread.between(base, other);
    object.put(name + "_ratio", spread.ratio());
    object.put(name + "_beyond_spread", spread.beyond());
    return spread.sentence(name);
  }

  /** Prints everything. */
  void show(int iterations) {
    common.say(machine.cpuModel() + ", " + machine.cores() + " cores; " + machine.java());
    common.table(HEADER, rows.stream().map(BenchReport::cells).toList());
    common.say(
        "medians of %d; ratio: own CPU time by the rival's on one thread".formatted(iterations));
    if (!limits.isEmpty()) {
      common.say(
          String.format(
              Locale.ROOT,
              "%s: %.4g products in Fr and %.4g in Fp a second, copies of %.4g GB/s there and %.4g"
                  + " back, measured by kernels in this run; wall s is the device's",
              limits.get("device"),
              (double) limits.get("fr_mul_per_s"),
              (double) limits.get("fp_mul_per_s"),
              (double) limits.get("upload_bytes_per_s") * 1e-9,
              (double) limits.get("download_bytes_per_s") * 1e-9));
    }
    rows.forEach(row -> phases(row).ifPresent(common::say));
    if (peakResidentBytes != null) {
      common.say("this process had at most %d MiB in memory".formatted(peakResidentBytes >> 20));
    }
    verdicts.forEach(verdict -> common.say(verdict.get("verdict").toString()));
    notApplicable.forEach(
        what ->
            common.say(
                "%s: not applicable, %s".formatted(what.get("variant"), what.get("reason"))));
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("cpu", machine.cpuModel());
    object.put("cores", machine.cores());
    object.put("jdk", machine.java());
    object.put("iterations", iterations);
    object.put("rows", rows.stream().map(BenchReport::row).toList());
    object.put("verdicts", verdicts);
    if (!limits.isEmpty()) {
      object.put("device_limits", limits);
    }
    object.put("not_applicable", notApplicable);
    if (peakResidentBytes != null) {
      object.put("peak_resident_bytes", peakResidentBytes);
    }
    common.object(object);
  }

  /** The phases of a row of proofs, and what is known of the device after them. */
  private static Optional<String> phases(Measurement row) {
    if (!(row.more().get("phases_wall_s") instanceof Map<?, ?> walls)
        || !(row.more().get("phases_cpu_s") instanceof Map<?, ?> cpus)) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder();
    text.append(row.provider()).append(", ").append(threads(row.threads()));
    text.append(", wall s (CPU s):");
    walls.forEach(
        (name, wall) ->
            text.append(' ')
                .append(name)
                .append(' ')
                .append(text(wall))
                .append(" (")
                .append(text(cpus.get(name)))
                .append(')'));
    if (row.more().get("device_facts") instanceof Map<?, ?> facts) {
      text.append("; ").append(facts);
    }
    return Optional.of(text.toString());
  }

  private static List<String> cells(Measurement row) {
    boolean alone = row.rival() == null;
    StringBuilder more = new StringBuilder();
    row.more()
        .forEach(
            (name, value) -> {
              if (value instanceof Number || value instanceof String) {
                more.append(more.isEmpty() ? "" : ", ")
                    .append(name)
                    .append(' ')
                    .append(text(value));
              }
            });
    return List.of(
        row.work(),
        row.provider(),
        row.size() instanceof Integer ? "2^" + row.size() : String.valueOf(row.size()),
        Integer.toString(row.threads()),
        number(row.timing().cpuNanos() * 1e-9),
        number(row.timing().wallNanos() * 1e-9),
        number(row.unitNanos()),
        row.unit(),
        alone ? "" : row.rival().name(),
        alone ? "" : number(row.rival().unitNanos()),
        alone ? "" : String.format(Locale.ROOT, "%.3f", row.ratio()),
        more.toString());
  }

  private static String text(Object value) {
    return value instanceof Double number ? number(number) : value.toString();
  }

  /** Four digits, whatever the magnitude. */
  private static String number(double value) {
    double size = Math.abs(value);
    int decimals = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  private static double[] seconds(double[] nanos) {
    return Arrays.stream(nanos).map(n -> n * 1e-9).toArray();
  }

  private static Map<String, Object> row(Measurement row) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("work", row.work());
    object.put("provider", row.provider());
    object.put("size", row.size());
    object.put("threads", row.threads());
    object.put("cpu_s", row.timing().cpuNanos() * 1e-9);
    object.put("wall_s", row.timing().wallNanos() * 1e-9);
    object.put("cpu_samples_s", seconds(row.timing().cpuSamples()));
    object.put("wall_samples_s", seconds(row.timing().wallSamples()));
    object.put("ns", row.unitNanos());
    object.put("unit", row.unit());
    boolean alone = row.rival() == null;
    object.put("rival", alone ? null : row.rival().name());
    object.put("rival_ns", alone ? null : row.rival().unitNanos());
    object.put("rival_cpu_s", alone ? null : row.rivalCpuNanos() * 1e-9);
    object.put("ratio", alone ? null : row.ratio());
    object.putAll(row.more());
    return object;
  }
}
