package io.cuzk.notebooks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What {@code cuzk simulate --json} printed: an object for each cluster, one after another. */
final class Simulations {
  /**
   * A cluster that was simulated.
   *
   * @param from the run that it was fed with
   * @param places partitions that could be proved at once: devices, or slots where there are none
   * @param perHour partitions
   */
  record Cluster(
      String from, int hosts, int places, int partitions, double perHour, String bottleneck) {}

  private Simulations() {}

  /** Whether a file is such an output, by its first object. */
  static boolean isOne(Path file) {
    List<JsonNode> objects = objects(file, 1);
    return !objects.isEmpty() && objects.getFirst().has("partitions_per_s");
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if an object is of something else
   */
  static List<Cluster> read(Path file) {
    List<Cluster> clusters = new ArrayList<>();
    for (JsonNode object : objects(file, Integer.MAX_VALUE)) {
      if (!object.path("hosts").isInt() || !object.path("partitions_per_s").isNumber()) {
        throw new IllegalArgumentException(
            "%s: object %d has no hosts and partitions_per_s: expected what 'cuzk simulate --json' prints"
                .formatted(file, clusters.size() + 1));
      }
      int devices = object.path("gpus_per_host").asInt();
      int each = devices > 0 ? devices : object.path("cpu_slots").asInt(1);
      clusters.add(
          new Cluster(
              object.path("from").asText("a run"),
              object.path("hosts").asInt(),
              object.path("hosts").asInt() * each,
              object.path("partitions").asInt(),
              3600 * object.path("partitions_per_s").asDouble(),
              object.path("bottleneck").asText("")));
    }
    return clusters;
  }

  private static List<JsonNode> objects(Path file, int most) {
    List<JsonNode> objects = new ArrayList<>();
    try (MappingIterator<JsonNode> all =
        new ObjectMapper().readerFor(JsonNode.class).readValues(file.toFile())) {
      while (objects.size() < most && all.hasNextValue()) {
        objects.add(all.nextValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
    }
    return objects;
  }
}
