package io.cuzk.notebooks;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;

/** The views and tables that {@link Runs} describes, made in one pass over the Parquet files. */
final class RunTables {
  private static final List<String> DATASETS = List.of("proofs", "phases", "sectors", "devices");

  /**
   * Proofs of the last session of each run, in the order in which their tasks began. A task ends
   * when its entry is written, which the proof's own time does not hold.
   */
  private static final String TASKS =
      """
      CREATE TABLE tasks AS
      WITH good AS (SELECT *, epoch_ns(started_at) AS at_ns FROM proofs WHERE verified),
        session AS (SELECT run, arg_max(run_id, at_ns) AS run_id FROM good GROUP BY run),
        own AS (SELECT good.* FROM good JOIN session USING (run, run_id)),
        zero AS (SELECT run, min(at_ns) AS zero FROM own GROUP BY run),
        ends AS (
          SELECT run, run_id, sector, partition_index, task_attempt,
            max(CASE WHEN phase <> 'queue.wait' THEN start_ns + wall_ns END) AS end_ns,
            max(CASE WHEN phase = 'queue.wait' THEN wall_ns END) AS queue_ns
          FROM phases GROUP BY ALL)
      SELECT run, row_number() OVER (ORDER BY run, at_ns, sector, partition_index) AS task, run_id,
        sector, partition_index, task_attempt, sector_size_bytes, backend,
        host || ' executor ' || executor_id || CASE WHEN (SELECT count(DISTINCT device) FROM proofs) > 1
          THEN ': ' || device ELSE '' END AS place,
        (at_ns - zero) / 1e9 AS begin_s,
        (at_ns - zero + greatest(wall_ns, coalesce(end_ns, 0))) / 1e9 AS end_s,
        wall_ns / 1e9 AS wall_s, cpu_ns / 1e9 AS cpu_s, queue_ns / 1e9 AS queue_s
      FROM own JOIN zero USING (run)
        LEFT JOIN ends USING (run, run_id, sector, partition_index, task_attempt)
      """;

  /** A phase lies within others where most of its first thousand tasks show it so. */
  private static final String NAMES =
      """
      CREATE TABLE phase_names AS
      WITH sampled AS (
          SELECT run, task, phase, start_ns, wall_ns, start_ns + wall_ns AS end_ns
          FROM phases JOIN (SELECT * FROM tasks
              QUALIFY row_number() OVER (PARTITION BY run ORDER BY task) <= 1000)
            USING (run, run_id, sector, partition_index, task_attempt)
          WHERE phase <> 'queue.wait'),
        seen AS (
          SELECT phase, start_ns, wall_ns > 0 AND end_ns <= max(end_ns) OVER (
              PARTITION BY run, task ORDER BY start_ns, wall_ns DESC, phase
              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS inside
          FROM sampled)
      SELECT phase, coalesce(list_position(%s, phase), 1000) AS rank, median(start_ns) AS start_ns,
        2 * count(*) FILTER (inside) > count(*) AS nested
      FROM seen GROUP BY phase
      """;

  private static final String STEPS =
      """
      CREATE TABLE steps AS
      SELECT run::run_name AS run, task, phase::phase_name AS phase, coalesce(nested, false) AS nested,
        begin_s + CASE WHEN phase = 'queue.wait' THEN -phases.wall_ns ELSE start_ns END / 1e9
          AS begin_s,
        begin_s + CASE WHEN phase = 'queue.wait' THEN 0 ELSE start_ns + phases.wall_ns END / 1e9
          AS end_s,
        phases.wall_ns / 1e9 AS wall_s, phases.cpu_ns / 1e9 AS cpu_s
      FROM phases JOIN tasks USING (run, run_id, sector, partition_index, task_attempt)
        LEFT JOIN (SELECT phase, nested FROM phase_names) USING (phase)
      """;

  private RunTables() {}

  static void create(Connection database, List<RunFolder> runs) throws SQLException {
    try (Statement statement = database.createStatement()) {
      for (String dataset : DATASETS) {
        statement.execute(
            "CREATE VIEW "
                + dataset
                + " AS "
                + runs.stream()
                    .map(
                        run ->
                            "SELECT '%s' AS run, * FROM read_parquet(%s)"
                                .formatted(run.name().replace("'", "''"), run.files(dataset)))
                    .collect(Collectors.joining(" UNION ALL BY NAME ")));
      }
      statement.execute(TASKS);
      String known = Palette.PHASES.stream().collect(Collectors.joining("', '", "['", "']"));
      statement.execute(NAMES.formatted(known));
      // Few different words in many rows: compared and joined as numbers.
      statement.execute("CREATE TYPE phase_name AS ENUM (SELECT DISTINCT phase FROM phases)");
      statement.execute("CREATE TYPE run_name AS ENUM (SELECT DISTINCT run FROM tasks)");
      statement.execute(STEPS);
    }
  }
}
