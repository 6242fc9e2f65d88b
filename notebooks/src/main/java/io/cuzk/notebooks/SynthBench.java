package io.cuzk.notebooks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** What {@code cuzk bench synth --json} printed: variants of the synthesis, side by side. */
public final class SynthBench {
  private static final double MIB = 1 << 20;

  private final JsonNode variants;

  private SynthBench(JsonNode variants) {
    this.variants = variants;
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it has no variants
   */
  public static SynthBench read(Path file) {
    JsonNode bench;
    try {
      bench = new ObjectMapper().readTree(file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
    if (bench.path("variants").isEmpty()) {
      throw new IllegalArgumentException(
          file + " has no variants: expected what 'cuzk bench synth --json' prints");
    }
    return new SynthBench(bench.path("variants"));
  }

  /** Medians of every variant, beside the first one. */
  public Table table() {
    List<List<Object>> rows = new ArrayList<>();
    double first = Double.NaN;
    for (JsonNode variant : variants) {
      double cpu = Medians.median(values(variant, "synth_cpu_s"));
      first = Double.isNaN(first) ? cpu : first;
      rows.add(
          List.of(
              variant.path("variant").asText(),
              variant.path("rows").asLong(),
              cpu,
              Medians.median(values(variant, "synth_s")),
              variant.path("rows").asDouble() / cpu / 1e6,
              first / cpu,
              variant.path("assignment_bytes").asDouble() / MIB,
              variant.path("allocated_bytes").asDouble() / MIB,
              variant.path("peak_bytes").asDouble() / MIB,
              variant.path("gc_s").asDouble()));
    }
    return Table.of(
        List.of(
            "variant",
            "rows",
            "CPU s",
            "wall s",
            "million rows a CPU s",
            "times the first",
            "assignment MiB",
            "allocated MiB",
            "peak MiB",
            "GC s"),
        rows);
  }

  /** CPU seconds of every iteration by variant. */
  public Map<String, double[]> cpuSeconds() {
    Map<String, double[]> samples = new LinkedHashMap<>();
    variants.forEach(
        variant -> samples.put(variant.path("variant").asText(), values(variant, "synth_cpu_s")));
    return samples;
  }

  /** Every variant's CPU time against another's, with the interval of the change. */
  public Table against(String baseline) {
    Map<String, double[]> samples = cpuSeconds();
    if (!samples.containsKey(baseline)) {
      throw new IllegalArgumentException("no variant " + baseline + ", only " + samples.keySet());
    }
    List<List<Object>> rows = new ArrayList<>();
    samples.forEach(
        (name, values) -> {
          if (!name.equals(baseline)) {
            Medians.Change change = Medians.change(samples.get(baseline), values);
            rows.add(
                List.of(
                    name,
                    values.length,
                    100 * change.change(),
                    100 * change.low(),
                    100 * change.high(),
                    change.verdict()));
          }
        });
    return Table.of(
        List.of("variant", "iterations", "change %", "low %", "high %", "against " + baseline),
        rows);
  }

  /** The kernel's counters, where {@code --counters} could read them: a thousand rows' worth. */
  public Table counters() {
    TreeSet<String> names = new TreeSet<>();
    for (JsonNode variant : variants) {
      variant.path("counters").fieldNames().forEachRemaining(names::add);
    }
    List<String> columns = new ArrayList<>(List.of("variant"));
    names.forEach(name -> columns.add(name + " / 1000 rows"));
    List<List<Object>> rows = new ArrayList<>();
    for (JsonNode variant : variants) {
      if (!variant.path("counters").isObject()) {
        continue;
      }
      List<Object> row = new ArrayList<>(List.of(variant.path("variant").asText()));
      for (String name : names) {
        JsonNode value = variant.path("counters").path(name);
        row.add(
            value.isNumber()
                ? 1000 * value.asDouble() / variant.path("rows").asDouble()
                : Double.NaN);
      }
      rows.add(row);
    }
    return Table.of(columns, rows);
  }

  private static double[] values(JsonNode variant, String name) {
    List<Double> values = new ArrayList<>();
    variant.path(name).forEach(value -> values.add(value.asDouble()));
    return values.stream().mapToDouble(v -> v).toArray();
  }
}
