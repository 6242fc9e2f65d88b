package io.cuzk.notebooks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;

/**
 * Writes run directories of any size with the columns of docs/schema.md, by DuckDB: as a program,
 * for measuring with a million phases ({@code SyntheticRun DIR PARTITIONS EXECUTORS SLOWER}), and
 * for tests that know what must come out.
 */
final class SyntheticRun {
  /** Phases of a partition with the share of its time that each takes. */
  private static final String PHASES =
      """
      (VALUES ('input.parse', 0.01, 0.00), ('key.load', 0.01, 0.01),
        ('synthesis.witness', 0.10, 0.02), ('synthesis.evaluate', 0.05, 0.12),
        ('device.wait', 0.03, 0.17), ('upload', 0.02, 0.20), ('quotient', 0.15, 0.22),
        ('msm.h', 0.35, 0.37), ('msm.l', 0.10, 0.72), ('msm.a', 0.05, 0.82),
        ('msm.b1', 0.05, 0.87), ('msm.b2', 0.05, 0.92), ('assemble', 0.01, 0.97),
        ('verify', 0.02, 0.98), ('write', 0.01, 1.00)) AS p(phase, share, offset_share)
      """;

  private SyntheticRun() {}

  public static void main(String[] args) throws IOException, SQLException {
    write(
        Path.of(args[0]),
        Integer.parseInt(args[1]),
        Integer.parseInt(args[2]),
        Double.parseDouble(args[3]));
  }

  /**
   * A run of partitions of about ten seconds each, one after another on every executor.
   *
   * @param slower what msm.h takes beyond 1, for example 0.1
   */
  static void write(Path run, int partitions, int executors, double slower)
      throws IOException, SQLException {
    String tasks =
        """
        SELECT 's-t01000-' || (i // 10) AS sector, (i %% 10)::INT AS partition_index,
          'host' || (i %% %2$d) // 4 AS host, (i %% %2$d)::VARCHAR AS executor_id,
          (i // %2$d) * 11000000000 AS begin_ns,
          (10000000000 * (0.95 + 0.1 * ((i * 7919 + 13) %% 1000) / 1000))::BIGINT AS base_ns
        FROM range(%1$d) AS r(i)
        """
            .formatted(partitions, executors);
    String proofs =
        """
        SELECT 1::INT AS schema_version, 'run' AS run_id, sector, 1000::BIGINT AS miner_id,
          partition_index, 10::INT AS partitions, 34359738368::BIGINT AS sector_size_bytes,
          true AS verified, 'cpu' AS backend, 'cpu, 8 threads' AS device, host, executor_id,
          0::INT AS task_attempt, to_timestamp(1700000000) + to_microseconds(begin_ns // 1000)
            AS started_at,
          (base_ns * (1 + 0.35 * %2$s))::BIGINT AS wall_ns,
          (base_ns * (1 + 0.35 * %2$s) * 7.5)::BIGINT AS cpu_ns
        FROM (%1$s)
        """
            .formatted(tasks, factor(slower));
    String phases =
        """
        SELECT 1::INT AS schema_version, 'run' AS run_id, sector, partition_index,
          0::INT AS task_attempt, phase,
          (base_ns * (offset_share + CASE WHEN offset_share > 0.37 THEN 0.35 * %3$s ELSE 0 END))
            ::BIGINT AS start_ns,
          (base_ns * share * CASE WHEN phase = 'msm.h' THEN 1 + %3$s ELSE 1 END)::BIGINT
            AS wall_ns,
          (base_ns * share * 7.5 * CASE WHEN phase = 'msm.h' THEN 1 + %3$s ELSE 1 END)::BIGINT
            AS cpu_ns,
          'cpu' AS backend, 'cpu, 8 threads' AS device, host, executor_id
        FROM (%1$s), %2$s
        UNION ALL SELECT 1, 'run', sector, partition_index, 0, 'queue.wait', 0, begin_ns, 0, 'cpu',
          NULL, host, executor_id FROM (%1$s)
        ORDER BY sector, partition_index, start_ns
        """
            .formatted(tasks, PHASES, factor(slower));
    String sectors =
        """
        SELECT 1::INT AS schema_version, 'run' AS run_id, sector, 34359738368::BIGINT
          AS sector_size_bytes, 'verified' AS state, NULL::VARCHAR AS failure_kind,
          NULL::VARCHAR AS reason, 10::INT AS partitions, count(*)::INT AS partitions_verified,
          sum(base_ns)::BIGINT AS proving_ns FROM (%s) GROUP BY sector
        """
            .formatted(tasks);
    String devices =
        """
        SELECT DISTINCT 1::INT AS schema_version, 'run' AS run_id, host, executor_id,
          'cpu' AS backend, 'cpu, 8 threads' AS device, NULL::VARCHAR AS address,
          'a processor' AS cpu_model, 8::INT AS cores, 68719476736::BIGINT AS memory_bytes,
          'Java' AS java FROM (%s)
        """
            .formatted(tasks);
    save(run, List.of("proofs", "phases", "sectors", "devices"), proofs, phases, sectors, devices);
    Files.writeString(
        run.resolve("run.json"),
        """
        {"format": "cuzk-run", "schema_version": 1, "run_id": "run", "state": "finished",
         "backend": "cpu", "device": "cpu, 8 threads", "started_at": "2023-11-14T22:13:20Z",
         "parameters": [{"sector_size": "32GiB", "name": "k", "digest": "0", "verifying_key_sha256": "0"}]}
        """);
  }

  private static String factor(double slower) {
    return String.format(Locale.ROOT, "%.6f", slower);
  }

  /** Writes datasets from queries. */
  static void save(Path run, List<String> datasets, String... queries)
      throws IOException, SQLException {
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      for (int i = 0; i < queries.length; i++) {
        Path file = Files.createDirectories(run.resolve(datasets.get(i))).resolve("part-0.parquet");
        statement.execute("COPY (" + queries[i] + ") TO '" + file + "' (FORMAT parquet)");
      }
    }
  }
}
