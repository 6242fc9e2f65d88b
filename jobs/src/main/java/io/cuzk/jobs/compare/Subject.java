package io.cuzk.jobs.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.jobs.Columns;
import io.cuzk.jobs.RunData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * One side of a comparison: a run, a bench's output, or several of one kind as one.
 *
 * @param name as it was typed
 * @param identity what must be the same on both sides: kind, circuits and keys
 * @param environment what should be: hardware, versions, configuration, inputs
 * @param notes what is to be said about it
 */
record Subject(
    String name,
    List<String> identity,
    Map<String, String> environment,
    List<String> notes,
    Observations observations) {
  private static final long LARGEST_BENCH = 64L << 20;
  private static final String BENCH = "outputs of bench";

  /** Configuration that differs between any two runs and says nothing. */
  private static final Pattern VOLATILE =
      Pattern.compile(
          "spark\\.app\\..*|spark\\.driver\\.(port|host|bindAddress)|parameters_directory"
              + "|miner|sector|spark\\.(jars|repl).*|spark\\.sql\\.warehouse\\.dir");

  /**
   * Reads one.
   *
   * @param name paths of run directories or bench outputs, joined by commas
   * @throws InvalidInputException if one is neither, or they are of different kinds
   */
  static Subject read(String name, Configuration hadoop) {
    List<Subject> parts = new ArrayList<>();
    for (String path : name.split(",")) {
      if (!path.isBlank()) {
        parts.add(one(path, hadoop));
      }
    }
    if (parts.isEmpty()) {
      throw new InvalidInputException("expected a run directory, found nothing");
    }
    Subject first = parts.getFirst();
    List<String> notes = new ArrayList<>(first.notes);
    for (Subject part : parts.subList(1, parts.size())) {
      first.requireComparable(part);
      notes.addAll(first.differences(part));
      notes.addAll(part.notes);
    }
    return new Subject(
        name,
        first.identity,
        first.environment,
        notes,
        Observations.pool(parts.stream().map(Subject::observations).toList()));
  }

  private static Subject one(String path, Configuration hadoop) {
    Path local = Path.of(path);
    if (Files.isRegularFile(local)) {
      JsonNode bench = json(local);
      return new Subject(
          path,
          List.of(BENCH),
          BenchReader.environment(bench),
          List.of(),
          BenchReader.read(path, bench));
    }
    RunData run = RunData.open(path, hadoop);
    List<String> notes = new ArrayList<>();
    String state = run.record().path("state").asText();
    if (!state.equals("finished")) {
      notes.add("%s is %s, not finished: only what it has written counts".formatted(path, state));
    }
    if (!run.has(RunData.PROOFS)) {
      notes.add(path + " has no proofs/: its phases count whether or not their proofs verified");
    }
    return new Subject(path, identity(run.record()), environment(run), notes, RunReader.read(run));
  }

  private static JsonNode json(Path file) {
    try {
      if (Files.size(file) > LARGEST_BENCH) {
        throw new InvalidInputException(
            file + " has " + Files.size(file) + " bytes: too many for an output of 'cuzk bench'");
      }
      return new ObjectMapper().readTree(Files.readAllBytes(file));
    } catch (JsonProcessingException e) {
      throw new InvalidInputException(
          "%s is no JSON: %s; expected a run directory or what 'cuzk bench … --json' prints"
              .formatted(file, e.getOriginalMessage()),
          e);
    } catch (IOException e) {
      throw new InfrastructureException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  private static List<String> identity(JsonNode record) {
    TreeSet<String> keys = new TreeSet<>();
    for (JsonNode key : record.path("parameters")) {
      keys.add(
          "%s: circuit %s, key %s, verifying key %s"
              .formatted(
                  key.path("sector_size").asText(),
                  key.path("name").asText(),
                  key.path("digest").asText(),
                  key.path("verifying_key_sha256").asText()));
    }
    return List.copyOf(keys);
  }

  private static Map<String, String> environment(RunData run) {
    Map<String, String> all = new TreeMap<>(environment(run.record()));
    if (run.has(RunData.DEVICES)) {
      Columns devices = run.read(RunData.DEVICES, "cpu_model", "cores", "device");
      TreeSet<String> kinds = new TreeSet<>();
      for (int row = 0; row < devices.rows(); row++) {
        kinds.add(
            "%s, %d cores, device %s"
                .formatted(
                    devices.text("cpu_model", row),
                    devices.longs("cores")[row],
                    devices.text("device", row)));
      }
      all.put("executors' hardware", String.join("; ", kinds));
    }
    return all;
  }

  /** What the driver knew. */
  private static Map<String, String> environment(JsonNode record) {
    Map<String, String> all = new TreeMap<>();
    for (String part : List.of("hardware", "versions", "configuration")) {
      record
          .path(part)
          .properties()
          .forEach(
              entry -> {
                if (!VOLATILE.matcher(entry.getKey()).matches()) {
                  all.put(part + " " + entry.getKey(), entry.getValue().asText());
                }
              });
    }
    all.put("backend", record.path("backend").asText());
    all.put("device", record.path("device").asText());
    for (JsonNode key : record.path("parameters")) {
      all.put("key layout " + key.path("sector_size").asText(), key.path("layout").asText());
    }
    TreeSet<String> inputs = new TreeSet<>();
    record.path("inputs").forEach(input -> inputs.add(input.path("sha256").asText()));
    all.put("inputs", inputs.size() + " files, " + Integer.toHexString(inputs.hashCode()));
    return all;
  }

  /**
   * Sees that the other side may be compared with this one.
   *
   * @throws InvalidInputException if circuits or keys differ, naming them
   */
  void requireComparable(Subject other) {
    if (!identity.equals(other.identity)) {
      throw new InvalidInputException(
          "%s and %s cannot be compared, their circuits or keys differ: %s against %s"
              .formatted(name, other.name, identity, other.identity));
    }
    if (observations.phases().stream().noneMatch(other.observations.phases()::contains)) {
      throw new InvalidInputException(
          "%s and %s have no phase in common: %s against %s"
              .formatted(name, other.name, observations.phases(), other.observations.phases()));
    }
  }

  /** A line for everything in the environment that is not the same. */
  List<String> differences(Subject other) {
    List<String> lines = new ArrayList<>();
    TreeSet<String> keys = new TreeSet<>(environment.keySet());
    keys.addAll(other.environment.keySet());
    for (String key : keys) {
      String own = environment.getOrDefault(key, "not set");
      String others = other.environment.getOrDefault(key, "not set");
      if (!own.equals(others)) {
        lines.add("%s: %s in %s, %s in %s".formatted(key, own, name, others, other.name));
      }
    }
    return lines;
  }
}
