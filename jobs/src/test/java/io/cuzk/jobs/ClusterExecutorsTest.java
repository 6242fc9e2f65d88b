package io.cuzk.jobs;

import static io.cuzk.jobs.ClusterExecutors.Registered.STILL;
import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.jobs.ClusterExecutors.Registered;
import java.util.List;
import java.util.OptionalInt;
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
    // standalone without spark.executor.cores: all cores of the worker
    List<Registered> two =
        List.of(new Registered("0", 8, 0, STILL), new Registered("1", 4, 0, STILL));
    Fleet fleet = ClusterExecutors.mostAtOnce(two, 100, conf(), true);
    assertThat(fleet).isEqualTo(new Fleet(2, 12, 12, 12));
    assertThat(fleet.coresPerExecutor()).isEqualTo(6);
    assertThat(ClusterExecutors.mostAtOnce(two, 100, conf("spark.task.cpus", "3"), true))
        .isEqualTo(new Fleet(2, 12, 3, 3));
    assertThat(ClusterExecutors.mostAtOnce(two, 100, conf("spark.task.cpus", "8"), false))
        .isEqualTo(new Fleet(2, 12, 2, 2));
    SparkConf devices =
        conf("spark.executor.resource.gpu.amount", "2", "spark.task.resource.gpu.amount", "1");
    assertThat(ClusterExecutors.mostAtOnce(two, 100, devices, true))
        .isEqualTo(new Fleet(2, 12, 4, 4));
  }

  @Test
  void anExecutorThatTookAnothersPlaceDoesNotCountBesideIt() {
    List<Registered> executors =
        List.of(
            new Registered("0", 1, 10, STILL),
            new Registered("1", 1, 10, 150), // killed
            new Registered("2", 1, 160, 170), // in its place, killed too
            new Registered("3", 1, 170, STILL),
            new Registered("4", 1, 10, 90)); // gone before the run
    assertThat(ClusterExecutors.mostAtOnce(executors, 100, conf(), true))
        .isEqualTo(new Fleet(2, 2, 2, 2));
    assertThat(ClusterExecutors.mostAtOnce(executors, 80, conf(), true).executors()).isEqualTo(3);
    assertThat(ClusterExecutors.mostAtOnce(List.of(), 80, conf(), true)).isEqualTo(Fleet.NONE);
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
  void howManyAreThereIsSaidWithHowManyWereAskedFor() {
    SparkConf yarn = conf("spark.master", "yarn");
    assertThat(ClusterExecutors.found(2, yarn))
        .isEqualTo(
            "2 executors found; spark.executor.instances is not set, and Spark asks for 2 then");
    assertThat(ClusterExecutors.found(1, yarn.clone().set("spark.executor.instances", "4")))
        .isEqualTo("1 executor found of 4 that the configuration asks for");
    assertThat(
            ClusterExecutors.found(3, yarn.clone().set("spark.dynamicAllocation.enabled", "true")))
        .isEqualTo("3 executors found");
    assertThat(ClusterExecutors.found(5, conf("spark.master", "spark://h:7077")))
        .isEqualTo("5 executors found");
  }

  @Test
  void thoseThatAreThereAreAllWhenNoneComesAnyMore() {
    List<Registered> two =
        List.of(new Registered("0", 1, 10_000, STILL), new Registered("1", 1, 12_000, STILL));
    OptionalInt unknown = OptionalInt.empty();
    assertThat(ClusterExecutors.areThere(List.of(), 0, unknown, 99_000)).isFalse();
    assertThat(ClusterExecutors.areThere(two, 2, unknown, 14_000)).isFalse(); // one more may come
    assertThat(ClusterExecutors.areThere(two, 2, unknown, 15_000)).isTrue();
    assertThat(ClusterExecutors.areThere(two, 1, unknown, 99_000)).isFalse(); // one tests itself
    assertThat(ClusterExecutors.areThere(two, 2, OptionalInt.of(2), 12_000)).isTrue();
    assertThat(ClusterExecutors.areThere(two, 2, OptionalInt.of(3), 14_000)).isFalse();
    assertThat(ClusterExecutors.areThere(two, 2, OptionalInt.of(3), 15_000)).isTrue();
  }
}
