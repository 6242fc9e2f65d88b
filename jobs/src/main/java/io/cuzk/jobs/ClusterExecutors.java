package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.function.IntSupplier;
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
   * @param addedMillis by the driver's clock, as is {@code removedMillis}
   * @param removedMillis when it was lost; {@link #STILL} while it is there
   */
  record Registered(String id, int cores, long addedMillis, long removedMillis) {
    static final long STILL = Long.MAX_VALUE;

    boolean active() {
      return removedMillis == STILL;
    }
  }

  /** Those that are there; those that were lost besides, as far as Spark remembers them. */
  List<Registered> all() {
    List<Registered> found = new ArrayList<>();
    for (ExecutorSummary each :
        CollectionConverters.asJava(spark.statusStore().executorList(false))) {
      if (spark.isLocal() || !each.id().equals(DRIVER)) {
        found.add(
            new Registered(
                each.id(),
                each.totalCores(),
                each.addTime().getTime(),
                each.isActive() || each.removeTime().isEmpty()
                    ? Registered.STILL
                    : each.removeTime().get().getTime()));
      }
    }
    return found;
  }

  List<Registered> active() {
    return all().stream().filter(Registered::active).toList();
  }

  /**
   * The most executors that were there at once since a moment, by the driver's clock.
   *
   * @param backend that they prove with
   */
  Fleet mostAtOnce(long sinceMillis, String backend) {
    return mostAtOnce(all(), sinceMillis, spark.conf(), Backends.concurrent(backend));
  }

  /** The same: one that took another's place does not count beside it. */
  static Fleet mostAtOnce(
      List<Registered> executors, long sinceMillis, SparkConf conf, boolean concurrent) {
    List<Registered> since =
        executors.stream()
            .filter(each -> each.removedMillis() > sinceMillis)
            .sorted(Comparator.comparingLong(Registered::addedMillis))
            .toList();
    PriorityQueue<Registered> there =
        new PriorityQueue<>(Comparator.comparingLong(Registered::removedMillis));
    Fleet now = Fleet.NONE;
    Fleet most = now;
    for (Registered each : since) {
      while (!there.isEmpty() && there.peek().removedMillis() <= each.addedMillis()) {
        now = now.minus(of(there.remove(), conf, concurrent));
      }
      there.add(each);
      now = now.plus(of(each, conf, concurrent));
      most = now.executors() >= most.executors() ? now : most;
    }
    return most;
  }

  private static Fleet of(Registered executor, SparkConf conf, boolean concurrent) {
    int slots = slots(executor.cores(), conf);
    int assigned = Integer.parseInt(conf.get("spark.executor.resource.gpu.amount", "0"));
    int devices = assigned > 0 ? assigned : concurrent ? slots : 1;
    return new Fleet(1, executor.cores(), slots, devices);
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

  /** How many there are of how many, for people; and why so few were asked for. */
  static String found(int there, SparkConf conf) {
    OptionalInt expected = expected(conf);
    String master = conf.get("spark.master", "");
    String asked = "";
    if (expected.isPresent()) {
      asked = " of %d that the configuration asks for".formatted(expected.getAsInt());
    } else if ((master.startsWith("yarn") || master.startsWith("k8s"))
        && !conf.getBoolean("spark.dynamicAllocation.enabled", false)) {
      asked = "; spark.executor.instances is not set, and Spark asks for 2 then";
    }
    return "%d executor%s found%s".formatted(there, there == 1 ? "" : "s", asked);
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
