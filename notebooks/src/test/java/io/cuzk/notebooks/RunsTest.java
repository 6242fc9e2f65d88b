package io.cuzk.notebooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunsTest {
  @Test
  void theOldestSampleIsRead() {
    try (Runs runs = Runs.of(List.of(), List.of("sample/run"))) {
      assertThat(runs.first()).isEqualTo("run");
      Table proofs = runs.sql("SELECT count(*) AS n, sum(wall_s) AS s FROM tasks");
      // What run.json says, and what the run printed.
      assertThat(proofs.numbers("n"))
          .containsExactly(runs.record("run").at("/totals/partitions_verified").asInt());
      assertThat(runs.sql("SELECT count(DISTINCT phase) AS n FROM steps").numbers("n")[0])
          .isEqualTo(14);
    }
  }

  @Test
  void aSlowerPhaseIsTheLargestStepOfTheWaterfall(@TempDir Path directory) throws Exception {
    SyntheticRun.write(directory.resolve("before"), 40, 2, 0);
    SyntheticRun.write(directory.resolve("after"), 40, 2, 0.1);
    List<String> names =
        List.of(directory.resolve("after").toString(), directory.resolve("before").toString());
    try (Runs runs = Runs.of(names, List.of("sample/run"))) {
      Waterfall waterfall = Waterfall.between(runs, "before", "after");
      assertThat(waterfall.measure()).isEqualTo("CPU");
      List<Waterfall.Step> steps = waterfall.steps();
      assertThat(steps.get(1).name()).isEqualTo("msm.h");
      // 10 % of 35 % of a partition of 10 s on 7.5 cores.
      assertThat(steps.get(1).to() - steps.get(1).from()).isBetween(2.5, 2.75);
      assertThat(steps.getLast().to() / steps.getFirst().to()).isBetween(1.034, 1.036);
      Table table = waterfall.table();
      assertThat(table.where("verdict", "slower").texts("phase")).contains("msm.h", "total");
      assertThat(table.where("verdict", "slower").rows()).hasSize(2);
    }
  }

  @Test
  void runsOfOneNameAreToldApart(@TempDir Path directory) throws Exception {
    SyntheticRun.write(directory.resolve("a/run"), 4, 1, 0);
    SyntheticRun.write(directory.resolve("b/run"), 4, 1, 0);
    List<String> names =
        List.of(directory.resolve("a/run").toString(), directory.resolve("b/run").toString());
    try (Runs runs = Runs.of(names, List.of())) {
      assertThat(runs.names()).containsExactly("a/run", "b/run");
    }
  }

  @Test
  void moreExecutorsAreMeasuredAgainstTheFewest(@TempDir Path directory) throws Exception {
    SyntheticRun.write(directory.resolve("one"), 40, 1, 0);
    SyntheticRun.write(directory.resolve("four"), 40, 4, 0);
    List<String> names =
        List.of(directory.resolve("four").toString(), directory.resolve("one").toString());
    try (Runs runs = Runs.of(names, List.of())) {
      Table table = Scaling.of(runs).table();
      assertThat(table.texts("run")).containsExactly("one", "four");
      assertThat(table.numbers("executors")).containsExactly(1, 4);
      assertThat(table.numbers("efficiency %")[1]).isBetween(99.0, 101.0);
    }
  }

  @Test
  void aMakespanFillsTheFirstFreeSlot() {
    assertThat(Scaling.makespan(new double[] {4, 2, 3, 1}, 2)).isEqualTo(5);
    assertThat(Scaling.makespan(new double[] {4, 2, 3, 1}, 1)).isEqualTo(10);
    assertThat(Scaling.makespan(new double[] {4, 2, 3, 1}, 9)).isEqualTo(4);
  }

  @Test
  void whatIsNoRunIsRefusedWithWhatWasExpected(@TempDir Path directory) {
    assertThatThrownBy(() -> Runs.of(List.of(directory + "/missing"), List.of()))
        .hasMessageContaining("/missing does not exist")
        .hasMessageContaining("CUZK_RUN");
    assertThatThrownBy(() -> Runs.of(List.of(directory.toString()), List.of()))
        .hasMessageContaining("no phases/");
  }
}
