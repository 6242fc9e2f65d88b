package io.cuzk.jobs.compare;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InvalidInputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads what {@code cuzk bench … --json} printed: rows of work, provider, size and threads, or
 * variants of the synthesis. A row has one value, the median of its iterations, unless it lists
 * {@code cpu_samples_s} and {@code wall_samples_s}.
 */
final class BenchReader {
  private final String file;
  private final Map<String, double[]> cpu = new LinkedHashMap<>();
  private final Map<String, double[]> wall = new LinkedHashMap<>();

  private BenchReader(String file) {
    this.file = file;
  }

  /**
   * The measured works as phases.
   *
   * @throws InvalidInputException if it has neither rows nor variants
   */
  static Observations read(String file, JsonNode bench) {
    BenchReader reader = new BenchReader(file);
    for (JsonNode row : bench.path("rows")) {
      String name =
          "%s.%s.%s.x%s"
              .formatted(
                  row.path("work").asText("?"),
                  row.path("provider").asText("?"),
                  row.path("size").asText("?"),
                  row.path("threads").asText("?"));
      String variant =
          row.path("window").isInt()
              ? ".w" + row.path("window").asInt()
              : row.has("variant") ? "." + row.path("variant").asText() : "";
      reader.add(
          name + variant,
          row.has("cpu_samples_s") ? row.path("cpu_samples_s") : row.path("cpu_s"),
          row.has("wall_samples_s") ? row.path("wall_samples_s") : row.path("wall_s"));
    }
    for (JsonNode variant : bench.path("variants")) {
      reader.add(
          "synth." + variant.path("variant").asText("?"),
          variant.path("synth_cpu_s"),
          variant.has("synth_s") ? variant.path("synth_s") : variant.path("wall_s"));
    }
    if (reader.wall.isEmpty()) {
      throw new InvalidInputException(
          file + " has neither rows nor variants; expected what 'cuzk bench … --json' prints");
    }
    return reader.observations();
  }

  /** What the measuring ran on. */
  static Map<String, String> environment(JsonNode bench) {
    Map<String, String> environment = new TreeMap<>();
    for (String name : List.of("cpu", "cores", "jdk")) {
      if (bench.has(name)) {
        environment.put(name, bench.path(name).asText());
      }
    }
    return environment;
  }

  private void add(String name, JsonNode cpuSeconds, JsonNode wallSeconds) {
    if (wall.containsKey(name)) {
      throw new InvalidInputException(file + " has two rows " + name + "; keep one of them");
    }
    cpu.put(name, values(name, cpuSeconds));
    wall.put(name, values(name, wallSeconds));
  }

  private double[] values(String name, JsonNode node) {
    List<Double> values = new ArrayList<>();
    Iterable<JsonNode> nodes = node.isArray() ? node : List.of(node);
    for (JsonNode one : nodes) {
      if (one.isMissingNode() || one.isNull()) {
        continue;
      }
      if (!one.isNumber()) {
        throw new InvalidInputException(
            "%s, %s: expected seconds, found %s".formatted(file, name, one));
      }
      values.add(one.asDouble());
    }
    return values.stream().mapToDouble(value -> value).toArray();
  }

  private Observations observations() {
    int size = 0;
    for (String name : wall.keySet()) {
      size = Math.max(size, Math.max(wall.get(name).length, cpu.get(name).length));
    }
    int n = size;
    return new Observations(
        List.copyOf(wall.keySet()),
        cpu.values().stream().map(row -> padded(row, n)).toArray(double[][]::new),
        wall.values().stream().map(row -> padded(row, n)).toArray(double[][]::new),
        new boolean[wall.size()],
        Observations.filled(n),
        Observations.filled(n),
        new int[n],
        List.of("bench"),
        null,
        true);
  }

  private static double[] padded(double[] row, int size) {
    double[] all = Observations.filled(size);
    System.arraycopy(row, 0, all, 0, row.length);
    return all;
  }
}
