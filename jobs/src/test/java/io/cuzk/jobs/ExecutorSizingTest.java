package io.cuzk.jobs;

import static io.cuzk.jobs.ClusterExecutors.Registered.STILL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.jobs.ClusterExecutors.Registered;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What executors a measurement gets. */
class ExecutorSizingTest {
  @Test
  void oneExecutorIsMeasuredWithAsManyCoresAsEachOfAll() {
    List<Registered> four =
        List.of(new Registered("0", 4, 0, STILL), new Registered("1", 4, 0, STILL));
    int cores = ExecutorSizing.commonCores(four, true);
    assertThat(new ThroughputAction.Measured(null, null, null, 2, cores, "1").ofOne())
        .containsEntry("spark.executor.cores", "4")
        .containsEntry("spark.cores.max", "4")
        .containsEntry("spark.executor.instances", "1")
        .containsEntry("spark.task.cpus", "1"); // as in the run of all, four tasks at once
    List<Registered> unequal =
        List.of(new Registered("0", 4, 0, STILL), new Registered("1", 2, 0, STILL));
    assertThat(ExecutorSizing.commonCores(unequal, false)).isEqualTo(4);
    assertThatThrownBy(() -> ExecutorSizing.commonCores(unequal, true))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("[2, 4]")
        .hasMessageContaining("spark.executor.cores=N");
  }

  @Test
  void executorsGetTheCoresThatTheWorkersHave() {
    assertThat(ExecutorSizing.fitting(List.of(1, 1), 2)).isEqualTo(1);
    assertThat(ExecutorSizing.fitting(List.of(16, 16, 16), 2)).isEqualTo(16);
    assertThat(ExecutorSizing.fitting(List.of(16), 4)).isEqualTo(4); // several on a worker
    assertThat(ExecutorSizing.fitting(List.of(8, 4), 2)).isEqualTo(4);
    assertThat(ExecutorSizing.fitting(List.of(8, 5), 4)).isEqualTo(2);
    assertThatThrownBy(() -> ExecutorSizing.fitting(List.of(2, 1), 4))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("4 executors are asked for, the cluster gives 3 cores in all");
  }
}
