package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.ClusterExecutors.Registered;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

/** What is known of executors that nobody gave a number of cores. */
class ClusterExecutorsTest {
  private static SparkConf conf(String... settings) {
    SparkConf conf = new SparkConf(false);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return conf;
  }

  @Test
  void slotsAreThoseOfTheRealCores() {
    List<Registered> executors =
        List.of(
            new Registered("0", 8, true, 0),
            new Registered("1", 4, true, 0),
            new Registered("2", 8, false, 0));
    // standalone without spark.executor.cores: all cores of the worker
    ToIntFunction<String> slots = ClusterExecutors.slots(executors, conf());
    assertThat(slots.applyAsInt("0")).isEqualTo(8);
    assertThat(slots.applyAsInt("1")).isEqualTo(4);
    assertThat(slots.applyAsInt("2")).isEqualTo(8); // lost, but it proved
    assertThat(slots.applyAsInt("forgotten")).isEqualTo(4);
    assertThat(ClusterExecutors.slots(executors, conf("spark.task.cpus", "3")).applyAsInt("0"))
        .isEqualTo(2);
    assertThat(ClusterExecutors.slots(executors, conf("spark.task.cpus", "8")).applyAsInt("1"))
        .isEqualTo(1);
  }

  @Test
  void devicesMayAllowFewerTasksThanCores() {
    SparkConf conf =
        conf("spark.executor.resource.gpu.amount", "2", "spark.task.resource.gpu.amount", "1");
    assertThat(ClusterExecutors.slots(8, conf)).isEqualTo(2);
    assertThat(ClusterExecutors.slots(1, conf)).isEqualTo(1);
    conf.set("spark.task.resource.gpu.amount", "0.5");
    assertThat(ClusterExecutors.slots(8, conf)).isEqualTo(4);
    assertThat(ClusterExecutors.slots(3, conf)).isEqualTo(3);
    conf.set("spark.task.resource.gpu.amount", "2");
    assertThat(ClusterExecutors.slots(8, conf)).isEqualTo(1);
  }

  @Test
  void theSettingsSayHowManyThereWillBeOrNothing() {
    String[] sized = {"spark.cores.max", "12", "spark.executor.cores", "4"};
    SparkConf conf = conf(sized).set("spark.master", "spark://h:7077");
    assertThat(ClusterExecutors.expected(conf)).hasValue(3);
    conf.set("spark.executor.instances", "9"); // a standalone cluster goes by cores
    assertThat(ClusterExecutors.expected(conf)).hasValue(3);
    assertThat(ClusterExecutors.expected(conf.clone().remove("spark.cores.max"))).isEmpty();
    assertThat(ClusterExecutors.expected(conf.clone().set("spark.master", "yarn"))).hasValue(9);
    conf.set("spark.dynamicAllocation.enabled", "true");
    assertThat(ClusterExecutors.expected(conf)).isEmpty();
    assertThat(ClusterExecutors.expected(conf("spark.master", "local[2,3]"))).hasValue(1);
    assertThat(ClusterExecutors.expected(conf("spark.master", "local-cluster[2, 1, 1024]")))
        .hasValue(2);
  }

  @Test
  void thoseThatAreThereAreAllWhenNoneComesAnyMore() {
    List<Registered> two =
        List.of(new Registered("0", 1, true, 10_000), new Registered("1", 1, true, 12_000));
    OptionalInt unknown = OptionalInt.empty();
    assertThat(ClusterExecutors.areThere(List.of(), 0, unknown, 99_000)).isFalse();
    assertThat(ClusterExecutors.areThere(two, 2, unknown, 14_000)).isFalse(); // one more may come
    assertThat(ClusterExecutors.areThere(two, 2, unknown, 15_000)).isTrue();
    assertThat(ClusterExecutors.areThere(two, 1, unknown, 99_000)).isFalse(); // one tests itself
    assertThat(ClusterExecutors.areThere(two, 2, OptionalInt.of(2), 12_000)).isTrue();
    assertThat(ClusterExecutors.areThere(two, 2, OptionalInt.of(3), 14_000)).isFalse();
    assertThat(ClusterExecutors.areThere(two, 2, OptionalInt.of(3), 15_000)).isTrue();
  }

  @Test
  void oneExecutorIsMeasuredWithAsManyCoresAsEachOfAll() {
    List<Registered> four =
        List.of(new Registered("0", 4, true, 0), new Registered("1", 4, true, 0));
    int cores = ThroughputAction.commonCores(four, true);
    assertThat(new ThroughputAction.Measured(null, 2, cores, "1").ofOne())
        .containsEntry("spark.executor.cores", "4")
        .containsEntry("spark.cores.max", "4")
        .containsEntry("spark.executor.instances", "1")
        .containsEntry("spark.task.cpus", "1"); // as in the run of all, four tasks at once
    List<Registered> unequal =
        List.of(new Registered("0", 4, true, 0), new Registered("1", 2, true, 0));
    assertThat(ThroughputAction.commonCores(unequal, false)).isEqualTo(4);
    assertThatThrownBy(() -> ThroughputAction.commonCores(unequal, true))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("[2, 4]")
        .hasMessageContaining("spark.executor.cores=N");
  }
}
