package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.status.api.v1.ExecutorSummary;
import scala.jdk.javaapi.CollectionConverters;

/**
 * On the driver: the executors of an application as Spark's scheduler registered them, whether or
 * not the configuration says how many there are and how large.
 */
final class ClusterExecutors {
  /** How long no executor must have come, for those that are there to count as all. */
  static final Duration QUIET = Duration.ofSeconds(3);

  private static final String DRIVER = "driver";

  private final SparkContext spark;

  private ClusterExecutors(SparkContext spark) {
    this.spark = spark;
  }

  static ClusterExecutors of(SparkContext spark) {
    return new ClusterExecutors(spark);
  }

  /**
   * One executor; on a local master the driver is it.
   *
   * @param cores that Spark may use of it
   * @param active false if it was lost
   */
  record Registered(String id, int cores, boolean active, long addedMillis) {}

  /** Those that are there; those that were lost besides, as far as Spark remembers them. */
  List<Registered> all() {
    List<Registered> found = new ArrayList<>();
    for (ExecutorSummary each :
        CollectionConverters.asJava(spark.statusStore().executorList(false))) {
      if (spark.isLocal() || !each.id().equals(DRIVER)) {
        found.add(
            new Registered(
                each.id(), each.totalCores(), each.isActive(), each.addTime().getTime()));
      }
    }
    return found;
  }

  List<Registered> active() {
    return all().stream().filter(Registered::active).toList();
  }

  /** Tasks that run at once on each executor, by its id. */
  ToIntFunction<String> slots() {
    return slots(all(), spark.conf());
  }

  /** The same; one that is not known has as many as the smallest that is. */
  static ToIntFunction<String> slots(List<Registered> executors, SparkConf conf) {
    int least = executors.stream().mapToInt(each -> slots(each.cores(), conf)).min().orElse(1);
    return id ->
        executors.stream()
            .filter(each -> each.id().equals(id))
            .mapToInt(each -> slots(each.cores(), conf))
            .findFirst()
            .orElse(least);
  }

  /** Tasks that run at once where there are so many cores: devices may be fewer. */
  static int slots(int cores, SparkConf conf) {
    int byCores = cores / Integer.parseInt(conf.get("spark.task.cpus", "1"));
    double each = Double.parseDouble(conf.get("spark.task.resource.gpu.amount", "0"));
    if (each == 0) {
      return Math.max(1, byCores);
    }
    int devices = Integer.parseInt(conf.get("spark.executor.resource.gpu.amount", "1"));
    int byDevices = each < 1 ? devices * (int) (1 / each) : devices / (int) each;
    return Math.max(1, Math.min(byCores, byDevices));
  }

  /** How many executors the settings ask for; empty where they leave it to the cluster. */
  static OptionalInt expected(SparkConf conf) {
    String master = conf.get("spark.master", "");
    if (Boolean.parseBoolean(conf.get("spark.dynamicAllocation.enabled", "false"))) {
      return OptionalInt.empty();
    }
    if (master.startsWith("local-cluster[")) {
      return OptionalInt.of(Integer.parseInt(master.substring(14, master.indexOf(',')).strip()));
    }
    if (master.startsWith("local")) {
      return OptionalInt.of(1);
    }
    if (master.startsWith("spark://")) {
      return conf.contains("spark.cores.max") && conf.contains("spark.executor.cores")
          ? OptionalInt.of(
              Math.max(
                  1,
                  Integer.parseInt(conf.get("spark.cores.max"))
                      / Integer.parseInt(conf.get("spark.executor.cores"))))
          : OptionalInt.empty();
    }
    return conf.contains("spark.executor.instances")
        ? OptionalInt.of(Integer.parseInt(conf.get("spark.executor.instances")))
        : OptionalInt.empty();
  }

  /**
   * Waits until all executors that are coming have come and reported: as many as the settings ask
   * for, or all that registered, with none more for {@link #QUIET}; or until patience ends.
   *
   * @param reported how many executors have told how they are
   */
  void await(Duration patience, IntSupplier reported) {
    long until = System.nanoTime() + patience.toNanos();
    OptionalInt expected = expected(spark.conf());
    while (!areThere(active(), reported.getAsInt(), expected, System.currentTimeMillis())
        && System.nanoTime() < until) {
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InfrastructureException("interrupted while waiting for executors", e);
      }
    }
  }

  static boolean areThere(
      List<Registered> active, int reported, OptionalInt expected, long nowMillis) {
    if (active.isEmpty() || reported < active.size()) {
      return false;
    }
    if (expected.isPresent() && active.size() >= expected.getAsInt()) {
      return true;
    }
    long newest = active.stream().mapToLong(Registered::addedMillis).max().orElseThrow();
    return nowMillis - newest >= QUIET.toMillis();
  }
}
