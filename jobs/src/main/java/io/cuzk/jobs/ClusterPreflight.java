package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Looks at every executor before the first proof, and says all faults of all of them at once. Those
 * that are coming are waited for, but not long: an executor that comes later is looked at by its
 * first task.
 */
final class ClusterPreflight {
  /** How often executors that a task did not reach are tried again. */
  private static final int ROUNDS = 3;

  /** Clocks further apart than that spoil the times of a run, and leases of file systems. */
  private static final long MOST_CLOCK_SKEW_MILLIS = 60_000;

  /** How long to wait for an executor with a good device while those that are there have none. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** How long to wait for executors that are still coming. */
  private static final Duration GATHERING = Duration.ofSeconds(15);

  /** Of NVIDIA's, by which a device's name means one device of the world, or a slice of one. */
  private static final Pattern UUID =
      Pattern.compile("(GPU|MIG)-\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  private ClusterPreflight() {}

  /**
   * Looks.
   *
   * @param progress is told how many executors a cluster has given
   * @return what was found, the same on all of them
   * @throws InvalidInputException if all faults are of the parameters
   * @throws InfrastructureException for any other faults; devices alone are a fault only if no
   *     executor has a good one
   */
  static Preflight look(
      SparkSession spark, JobSettings settings, List<String> sectorSizes, Progress progress) {
    Map<String, Preflight> found = new LinkedHashMap<>();
    Map<String, String> clocks = new LinkedHashMap<>();
    gather(spark.sparkContext());
    do {
      visitAll(spark, settings, sectorSizes, found, clocks);
    } while (found.values().stream().allMatch(ClusterPreflight::lacksDevice)
        && !spark.sparkContext().isLocal()
        && CuzkPlugin.awaitAnother(found.keySet(), PATIENCE));
    Preflight good = judge(found, clocks, gone(spark, found.keySet()));
    if (!spark.sparkContext().isLocal()) {
      int there = ClusterExecutors.of(spark.sparkContext()).active().size();
      progress.note(ClusterExecutors.found(there, spark.sparkContext().conf()));
    }
    return good;
  }

  /** Executors that were looked at and were lost meanwhile: others may have their devices now. */
  private static Set<String> gone(SparkSession spark, Set<String> found) {
    Set<String> gone = new HashSet<>(found);
    ClusterExecutors.of(spark.sparkContext()).active().forEach(each -> gone.remove(each.id()));
    return gone;
  }

  /** Where the plugin is not installed executors do not report, and one task looks at one. */
  private static void gather(SparkContext context) {
    String plugins = context.conf().get("spark.plugins", "");
    if (!context.isLocal() && plugins.contains(CuzkPlugin.class.getName())) {
      ClusterExecutors.of(context).await(GATHERING, () -> CuzkPlugin.health().executors().size());
    }
  }

  /** Only its device is of no use: the others can do without it. */
  private static boolean lacksDevice(Preflight each) {
    return PartitionEntry.DEVICE.equals(each.failureKind());
  }

  private static void visitAll(
      SparkSession spark,
      JobSettings settings,
      List<String> sectorSizes,
      Map<String, Preflight> found,
      Map<String, String> clocks) {
    for (int round = 0; round < ROUNDS; round++) {
      List<ClusterHealth.Ready> missing =
          CuzkPlugin.health().usable().stream()
              .filter(executor -> !found.containsKey(executor.executorId()))
              .toList();
      if (!found.isEmpty() && missing.isEmpty()) {
        break;
      }
      long before = System.currentTimeMillis();
      for (Preflight each : visit(spark, settings, sectorSizes, missing)) {
        found.put(each.executorId(), each);
        long after = System.currentTimeMillis();
        long off =
            each.clockMillis() < before ? before - each.clockMillis() : each.clockMillis() - after;
        if (off > MOST_CLOCK_SKEW_MILLIS) {
          clocks.put(each.executorId(), "its clock differs from the driver's by " + off + " ms");
        }
      }
    }
  }

  private static List<Preflight> visit(
      SparkSession spark,
      JobSettings settings,
      List<String> sectorSizes,
      List<ClusterHealth.Ready> executors) {
    RunPreflight look = new RunPreflight(new ArrayList<>(sectorSizes));
    if (executors.isEmpty()) {
      JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
      return TaskFailures.unwrap(
          () -> context.parallelize(List.of(settings), 1).map(look).collect());
    }
    List<JobSettings> each = Collections.nCopies(executors.size(), settings);
    return TaskFailures.unwrap(
        () ->
            Placement.visiting(spark.sparkContext(), each, executors, JobSettings.class)
                .toJavaRDD()
                .map(look)
                .collect());
  }

  /**
   * What is good on all of them.
   *
   * @param clocks what is wrong with an executor's clock
   * @param gone executors that are there no more
   */
  static Preflight judge(
      Map<String, Preflight> found, Map<String, String> clocks, Set<String> gone) {
    Preflight good = null;
    List<String> faults = new ArrayList<>();
    boolean inputOnly = true;
    boolean canProve = found.values().stream().anyMatch(each -> each.failure() == null);
    for (Preflight each : found.values()) {
      if (canProve && lacksDevice(each)) {
        continue;
      }
      String where =
          found.size() == 1 ? "" : "%s (executor %s): ".formatted(each.host(), each.executorId());
      if (each.failure() != null) {
        faults.add(where + each.failure());
        inputOnly &= each.failureKind().equals(PartitionEntry.INPUT);
      } else if (good == null) {
        good = each;
      } else {
        if (!each.backend().equals(good.backend())) {
          faults.add(
              ("%sit would prove by backend %s, executor %s on %s by %s: name one for all with"
                      + " --backend (%s)")
                  .formatted(
                      where,
                      each.backend(),
                      good.executorId(),
                      good.host(),
                      good.backend(),
                      each.choice()));
          inputOnly = false;
        }
        for (Preflight.KeyFound key : each.keys()) {
          if (good.keys().stream().noneMatch(other -> other.digest().equals(key.digest()))) {
            faults.add(
                "%s%s has digest %s, which is another key than that on %s"
                    .formatted(where, key.path(), key.digest(), good.host()));
            inputOnly = false;
          }
        }
      }
      if (clocks.containsKey(each.executorId())) {
        faults.add(where + clocks.get(each.executorId()));
        inputOnly = false;
      }
    }
    List<String> shared = sharedDevices(found, gone);
    faults.addAll(shared);
    inputOnly &= shared.isEmpty();
    if (faults.isEmpty() && good != null) {
      return good;
    }
    String all = String.join("; ", faults);
    throw inputOnly ? new InvalidInputException(all) : new InfrastructureException(all);
  }

  /** A device that two executors of a host would use, whether or not they know of each other. */
  private static List<String> sharedDevices(Map<String, Preflight> found, Set<String> gone) {
    Map<String, Preflight> holders = new HashMap<>();
    List<String> faults = new ArrayList<>();
    for (Preflight each : found.values()) {
      if (each.failure() != null
          || gone.contains(each.executorId())
          || !UUID.matcher(each.device()).find()) {
        continue;
      }
      Preflight other = holders.putIfAbsent(each.host() + " " + each.device(), each);
      if (other != null) {
        faults.add(
            ("executors %s and %s on %s have the same device (%s): give each its own with"
                    + " spark.executor.resource.gpu.amount=1, and let the discovery script of each"
                    + " worker print only that worker's devices")
                .formatted(other.executorId(), each.executorId(), each.host(), each.device()));
      }
    }
    return faults;
  }
}
