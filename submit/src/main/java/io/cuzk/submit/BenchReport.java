package io.cuzk.submit;

import io.cuzk.bench.Measurement;
import io.cuzk.jobs.Machine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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

  BenchReport(Common common) {
    this.common = common;
  }

  void add(Measurement row) {
    rows.add(row);
  }

  /** Prints everything. */
  void show(int iterations) {
    common.say(machine.cpuModel() + ", " + machine.cores() + " cores; " + machine.java());
    common.table(HEADER, rows.stream().map(BenchReport::cells).toList());
    common.say(
        "medians of %d; ratio: own CPU time by the rival's on one thread".formatted(iterations));
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("cpu", machine.cpuModel());
    object.put("cores", machine.cores());
    object.put("jdk", machine.java());
    object.put("iterations", iterations);
    object.put("rows", rows.stream().map(BenchReport::row).toList());
    common.object(object);
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

  private static Map<String, Object> row(Measurement row) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("work", row.work());
    object.put("provider", row.provider());
    object.put("size", row.size());
    object.put("threads", row.threads());
    object.put("cpu_s", row.timing().cpuNanos() * 1e-9);
    object.put("wall_s", row.timing().wallNanos() * 1e-9);
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
