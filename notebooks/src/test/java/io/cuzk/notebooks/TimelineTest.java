package io.cuzk.notebooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run made by hand. Executor 1 proves two partitions, 0–10 s and 12–20 s; executor 2 runs two
 * tasks at once, 0–8 s and 4–24 s. Of the last one msm.h holds a phase of the device, and its proof
 * was written in 24–25 s.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TimelineTest {
  private Runs runs;
  private Timeline timeline;

  @BeforeAll
  void write(@TempDir Path directory) throws Exception {
    Path run = directory.resolve("by-hand");
    String tasks =
        """
        (VALUES ('a', '1', 0, 10), ('b', '1', 12, 8), ('c', '2', 0, 8), ('d', '2', 4, 20))
          AS t(sector, executor_id, begin_s, s)
        """;
    SyntheticRun.save(
        run,
        List.of("proofs", "phases", "sectors", "devices"),
        """
        SELECT 'now' AS run_id, sector, 0::INT AS partition_index, 0::INT AS task_attempt,
          2048::BIGINT AS sector_size_bytes, true AS verified, 'cuda' AS backend, 'gpu' AS device,
          'h' AS host, executor_id, to_timestamp(1700000000 + begin_s) AS started_at,
          (s * 1e9)::BIGINT AS wall_ns, 1000000000::BIGINT AS cpu_ns FROM %s
        UNION ALL SELECT 'before', 'z', 0, 0, 2048, true, 'cuda', 'gpu', 'h', '1',
          to_timestamp(1600000000), 99000000000, 1
        UNION ALL SELECT 'now', 'y', 0, 0, 2048, false, 'cuda', 'gpu', 'h', '1',
          to_timestamp(1700000000), 99000000000, 1
        """
            .formatted(tasks),
        """
        SELECT 'now' AS run_id, sector, 0::INT AS partition_index, 0::INT AS task_attempt, phase,
          (a * 1e9)::BIGINT AS start_ns, (w * 1e9)::BIGINT AS wall_ns,
          NULL::BIGINT AS cpu_ns, 'h' AS host, '1' AS executor_id
        FROM (VALUES ('a', 'queue.wait', 0, 3), ('a', 'synthesis.witness', 0, 4),
            ('a', 'msm.h', 4, 6), ('b', 'synthesis.witness', 0, 3), ('b', 'msm.h', 3, 5),
            ('c', 'synthesis.witness', 0, 2), ('c', 'msm.h', 2, 6),
            ('d', 'synthesis.witness', 0, 5), ('d', 'msm.h', 6, 14), ('d', 'batch_add', 7, 2),
            ('d', 'write', 20, 1)) AS p(sector, phase, a, w)
        """,
        "SELECT 'a' AS sector",
        "SELECT 'h' AS host");
    runs = Runs.of(List.of(run.toString()), List.of());
    timeline = Timeline.of(runs, "by-hand");
  }

  @Test
  void onlyVerifiedPartitionsOfTheLastSessionCount() {
    assertThat(runs.sql("SELECT sector FROM tasks ORDER BY sector").texts("sector"))
        .containsExactly("a", "b", "c", "d");
    assertThat(runs.sql("SELECT queue_s FROM tasks WHERE sector = 'a'").numbers("queue_s"))
        .containsExactly(3.0);
  }

  @Test
  void aTaskEndsWhenItsEntryIsWritten() {
    assertThat(timeline.seconds()).isEqualTo(25);
  }

  @Test
  void aPhaseOfTheDeviceLiesWithinAnother() {
    assertThat(runs.sql("SELECT phase FROM phase_names WHERE nested").texts("phase"))
        .containsExactly("batch_add");
    assertThat(timeline.pieces(0, 25)).noneMatch(piece -> piece.phase().equals("batch_add"));
  }

  @Test
  void lanesShowGaps() {
    Table gaps = timeline.gaps();
    assertThat(gaps.texts("lane"))
        .containsExactly("h executor 1", "h executor 2 #1", "h executor 2 #2");
    assertThat(gaps.numbers("busy %")).containsExactly(new double[] {72, 32, 84}, within(1e-9));
    assertThat(gaps.numbers("longest gap s")).containsExactly(5, 17, 4);
    assertThat(gaps.numbers("it begins at s")).containsExactly(20, 8, 0);
  }

  @Test
  void overlapIsThatOfTheTwoTasksAtOnce() {
    Table overlap = timeline.overlap();
    // Executor 2: busy 0 to 25 s but for a second, both tasks in 4 to 8 s.
    assertThat(overlap.numbers("tasks at once")).containsExactly(1, 2);
    assertThat(overlap.numbers("overlapped %"))
        .containsExactly(new double[] {0, 100 * 4 / 24.0}, within(1e-9));
    assertThat(overlap.numbers("phases at once"))
        .containsExactly(new double[] {1, 28 / 24.0}, within(1e-9));
  }

  @Test
  void theCriticalPathIsTheLaneThatEndsLast() {
    Table path = timeline.criticalPath();
    assertThat(path.texts("on the critical path"))
        .containsExactly("msm.h", "synthesis.witness", "write", "between phases and tasks");
    assertThat(path.numbers("seconds")).containsExactly(14, 5, 1, 5);
  }
}
