package io.cuzk.notebooks;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * The runs that a notebook looks at, in a DuckDB database that lives as long as this.
 *
 * <p>The views {@code proofs}, {@code phases}, {@code sectors} and {@code devices} are the datasets
 * of all runs as docs/schema.md describes them, with a column {@code run} before them. Two tables
 * are made of the last session of every run, partitions whose proofs verified only, in seconds
 * since its first task began: {@code tasks} (run, task, sector, partition_index, task_attempt,
 * sector_size_bytes, backend, place, begin_s, end_s, wall_s, cpu_s, queue_s) and {@code steps}
 * (run, task, phase, nested, begin_s, end_s, wall_s, cpu_s), a row for each phase.
 */
public final class Runs implements AutoCloseable {
  /** The variable that names a user's own runs. */
  public static final String VARIABLE = "CUZK_RUN";

  private final List<RunFolder> folders;
  private final List<Path> benches;
  private final List<Path> simulations;
  private final Connection database;

  private Runs(
      List<RunFolder> folders, List<Path> benches, List<Path> simulations, Connection database) {
    this.folders = folders;
    this.benches = benches;
    this.simulations = simulations;
    this.database = database;
  }

  /**
   * Opens what the variable {@code CUZK_RUN} names: run directories and outputs of {@code cuzk
   * bench synth --json} and {@code cuzk simulate --json} joined by commas, the run to look at
   * first. Of what it does not name, the samples are taken, which lie under the given directory; a
   * simulation only beside sample runs, since it belongs to them.
   *
   * @param samples run directories and outputs, relative to the notebooks' directory
   */
  public static Runs open(String... samples) {
    String named = System.getenv(VARIABLE);
    return of(
        named == null || named.isBlank() ? List.of() : List.of(named.split(",")), List.of(samples));
  }

  static Runs of(List<String> named, List<String> samples) {
    List<Path> runs = new ArrayList<>();
    List<Path> benches = new ArrayList<>();
    List<Path> simulations = new ArrayList<>();
    sort(named.stream().map(name -> Path.of(name.strip())).toList(), runs, benches, simulations);
    boolean sampleRuns = runs.isEmpty();
    boolean sampleBenches = benches.isEmpty();
    boolean sampleSimulations = sampleRuns && simulations.isEmpty();
    sort(
        samples.stream().map(Runs::sample).toList(),
        sampleRuns ? runs : new ArrayList<>(),
        sampleBenches ? benches : new ArrayList<>(),
        sampleSimulations ? simulations : new ArrayList<>());
    List<RunFolder> folders = new ArrayList<>();
    for (String name : names(runs)) {
      folders.add(RunFolder.open(name, runs.get(folders.size())));
    }
    try {
      Runs opened =
          new Runs(
              List.copyOf(folders),
              List.copyOf(benches),
              List.copyOf(simulations),
              DriverManager.getConnection("jdbc:duckdb:"));
      if (!folders.isEmpty()) {
        RunTables.create(opened.database, folders);
      }
      return opened;
    } catch (SQLException e) {
      throw new IllegalArgumentException("cannot read " + runs + ": " + e.getMessage(), e);
    }
  }

  /** Jupyter runs a notebook in its own directory; the kernel is told it as well. */
  private static Path sample(String name) {
    Path here = Path.of(System.getProperty("cuzk.notebooks", "."), name);
    return Files.exists(here) ? here : Path.of(name);
  }

  private static void sort(
      List<Path> paths, List<Path> runs, List<Path> benches, List<Path> simulations) {
    for (Path path : paths) {
      if (path.toString().isEmpty()) {
        continue;
      }
      if (!Files.exists(path)) {
        throw new IllegalArgumentException(
            path.toAbsolutePath()
                + " does not exist; "
                + VARIABLE
                + " takes run directories and outputs of 'cuzk bench synth --json' and 'cuzk"
                + " simulate --json', joined by commas");
      }
      if (!Files.isRegularFile(path)) {
        runs.add(path);
      } else {
        (Simulations.isOne(path) ? simulations : benches).add(path);
      }
    }
  }

  /** The last parts of the paths, as many as tell them apart. */
  private static List<String> names(List<Path> runs) {
    List<Path> whole = runs.stream().map(path -> path.toAbsolutePath().normalize()).toList();
    for (int parts = 1; ; parts++) {
      int last = parts;
      List<String> names =
          whole.stream()
              .map(
                  path ->
                      path.subpath(Math.max(0, path.getNameCount() - last), path.getNameCount())
                          .toString())
              .toList();
      if (names.stream().distinct().count() == names.size()
          || whole.stream().allMatch(path -> path.getNameCount() <= last)) {
        return names;
      }
    }
  }

  /** The name of the run to look at. */
  public String first() {
    if (folders.isEmpty()) {
      throw new IllegalArgumentException("no run is open: " + VARIABLE + " names none");
    }
    return folders.getFirst().name();
  }

  /** The names of all runs, the one to look at first. */
  public List<String> names() {
    return folders.stream().map(RunFolder::name).toList();
  }

  /** The outputs of bench. */
  public List<Path> benches() {
    return benches;
  }

  /** The clusters that were simulated, in the order of their files. */
  List<Simulations.Cluster> simulations() {
    return simulations.stream().flatMap(file -> Simulations.read(file).stream()).toList();
  }

  /** The run.json of a run. */
  public JsonNode record(String run) {
    return folders.stream()
        .filter(folder -> folder.name().equals(run))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no run " + run + " in " + names()))
        .record();
  }

  /** What the runs are: name, state, when, backend, where. */
  public Table about() {
    List<List<Object>> rows = new ArrayList<>();
    for (RunFolder folder : folders) {
      JsonNode record = folder.record();
      rows.add(
          List.of(
              folder.name(),
              record.path("state").asText("unknown"),
              record.path("started_at").asText("").replaceAll("\\..*Z", "Z"),
              record.path("backend").asText(""),
              record.at("/hardware/master").asText(""),
              record.at("/hardware/cpu_model").asText(""),
              record.at("/configuration/spark.cuzk.synthesis").asText(""),
              folder.path().toString()));
    }
    return Table.of(
        List.of("run", "state", "begun", "backend", "master", "cpu", "synthesis", "path"), rows);
  }

  /**
   * The answer to a query.
   *
   * @param parameters values for the question marks in it
   */
  public Table sql(String query, Object... parameters) {
    List<String> columns = new ArrayList<>();
    List<List<Object>> rows = new ArrayList<>();
    each(
        query,
        answer -> {
          ResultSetMetaData about = answer.getMetaData();
          for (int i = 1; i <= about.getColumnCount(); i++) {
            columns.add(about.getColumnLabel(i));
          }
        },
        found -> {
          List<Object> row = new ArrayList<>();
          for (int i = 1; i <= columns.size(); i++) {
            row.add(found.getObject(i));
          }
          rows.add(row);
        },
        parameters);
    return new Table(List.copyOf(columns), rows);
  }

  /** The values of a numeric column by the text before it, for distributions. */
  public Map<String, double[]> groups(String query, Object... parameters) {
    Map<String, DoubleStream.Builder> lists = new LinkedHashMap<>();
    each(
        query,
        row -> {
          double value = row.getDouble(2);
          if (!row.wasNull()) {
            lists.computeIfAbsent(row.getString(1), added -> DoubleStream.builder()).add(value);
          }
        },
        parameters);
    Map<String, double[]> groups = new LinkedHashMap<>();
    lists.forEach((name, values) -> groups.put(name, values.build().toArray()));
    return groups;
  }

  /** What is done with a row. */
  interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  /** Reads the answer to a query row by row, without keeping it. */
  void each(String query, RowReader reader, Object... parameters) {
    each(query, about -> {}, reader, parameters);
  }

  private void each(String query, RowReader first, RowReader reader, Object... parameters) {
    try (var statement = database.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet found = statement.executeQuery()) {
        first.read(found);
        while (found.next()) {
          reader.read(found);
        }
      }
    } catch (SQLException e) {
      throw new IllegalArgumentException(e.getMessage() + "\nin: " + query, e);
    }
  }

  @Override
  public void close() {
    try {
      database.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return about().toString();
  }
}
