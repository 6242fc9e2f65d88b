package io.cuzk.jobs;

import io.cuzk.CuzkException;
import io.cuzk.InfrastructureException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * Proves partitions in waves, a Spark job each, so that the driver's memory does not grow with the
 * run. What ends with a bad proof or device goes into the next one, to an executor with another
 * device where there is one. A job that Spark gives up because one task was lost too often costs
 * that partition, not its siblings.
 */
final class ProvingWaves {
  /** How often a partition may be sent to a device that it must not use, before it uses it. */
  private static final int DECLINES = 20;

  private final JavaSparkContext context;
  private final SparkSession spark;
  private final RunDirectory run;
  private final JobSettings settings;
  private final int attempts;
  private final int size;
  private final Progress progress;
  private final Runnable requireHeld;
  private final Map<String, Integer> declines = new HashMap<>();
  private int retried;
  private String stopped;

  /**
   * For a run.
   *
   * @param requireHeld throws if the run directory is another run's by now
   */
  ProvingWaves(
      SparkSession spark,
      RunDirectory run,
      JobSettings settings,
      CuzkConf conf,
      Progress progress,
      Runnable requireHeld) {
    this.spark = spark;
    this.context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    this.run = run;
    this.settings = settings;
    this.attempts = conf.value(CuzkConf.ATTEMPTS);
    this.size = conf.value(CuzkConf.WAVE);
    this.progress = progress;
    this.requireHeld = requireHeld;
  }

  /** Tries that were given to another device. */
  int retried() {
    return retried;
  }

  /** Why partitions were left that nobody tried; null if none were. */
  String stopped() {
    return stopped;
  }

  /**
   * Returns when every partition is proved, or failed for good, or nothing is left to prove on.
   *
   * @param commit called whenever a wave's size of partitions more is settled, but for the last
   */
  void run(List<PartitionTask> all, Runnable commit) {
    Broadcast<JobSettings> shared = context.broadcast(settings);
    progress.stage("proving partitions", all.size());
    int settled = 0;
    int committed = 0;
    try {
      List<PartitionTask> pending = all;
      while (!pending.isEmpty()) {
        int now = Math.min(size, pending.size());
        List<PartitionTask> first = List.copyOf(pending.subList(0, now));
        List<PartitionTask> next = new ArrayList<>(wave(first, shared, settled, all.size()));
        next.addAll(pending.subList(now, pending.size()));
        settled = all.size() - next.size();
        if (!next.isEmpty() && CuzkPlugin.health().isNoneLeft()) {
          stopped = "no device was left: " + CuzkPlugin.health().reasons();
          progress.note("cuzk: stopped: " + stopped);
          return;
        }
        if (!next.isEmpty() && settled - committed >= size) {
          commit.run();
          committed = settled;
          progress.note(
              "cuzk: %d of %d partitions are done; datasets written"
                  .formatted(settled, all.size()));
        }
        pending = next;
      }
    } finally {
      shared.unpersist();
    }
  }

  /** Runs one job; returns what must go into another. */
  private List<PartitionTask> wave(
      List<PartitionTask> tasks, Broadcast<JobSettings> shared, int settled, int total) {
    context.setJobGroup(
        settings.runId(), "cuzk: proving " + tasks.size() + " partitions into " + run.show(), true);
    TaskLosses losses =
        new TaskLosses(settings.runId(), spark.sparkContext(), settings.maxAttempts());
    spark.sparkContext().addSparkListener(losses);
    List<TaskReport> reports;
    try (StageListener ignored =
        StageListener.of(spark, tasks.size(), tasks.size(), ahead(settled, total))) {
      reports =
          TaskFailures.unwrap(
              () ->
                  placed(tasks)
                      .map(new ProvePartition(shared))
                      .filter(report -> !report.verified())
                      .collect());
    } catch (CuzkException e) {
      requireHeld.run();
      return afterLoss(tasks, losses, e);
    } finally {
      spark.sparkContext().removeSparkListener(losses);
    }
    requireHeld.run();
    Map<String, PartitionTask> byName = new LinkedHashMap<>();
    tasks.forEach(task -> byName.put(key(task.sector(), task.partition()), task));
    List<PartitionTask> next = new ArrayList<>();
    for (TaskReport report : reports) {
      PartitionTask task = byName.get(key(report.sector(), report.partition()));
      PartitionTask again = again(task, report);
      if (again != null) {
        next.add(again);
      }
    }
    return next;
  }

  private Progress ahead(int settled, int total) {
    return new Progress() {
      @Override
      public void stage(String name, int steps) {}

      @Override
      public void advanced(int done) {
        progress.advanced(Math.min(total, settled + done));
      }

      @Override
      public void note(String line) {
        progress.note(line);
      }
    };
  }

  private static String key(String sector, int partition) {
    return sector + "/" + partition;
  }

  /** The next try of a partition; null if there is none. */
  private PartitionTask again(PartitionTask task, TaskReport report) {
    switch (report.failureKind()) {
      case TaskReport.DECLINED -> {
        int times = declines.merge(key(task.sector(), task.partition()), 1, Integer::sum);
        return task.again(task.tries(), times < DECLINES ? task.avoid() : List.of());
      }
      case PartitionEntry.PROOF, PartitionEntry.DEVICE -> {
        CuzkPlugin.health().failed(report.device(), report.reason());
        progress.note(
            "cuzk: %s partition %d failed on %s (try %d of %d): %s"
                .formatted(
                    task.sector(),
                    task.partition(),
                    report.device(),
                    task.tries() + 1,
                    attempts,
                    report.reason()));
        if (task.tries() + 1 >= attempts) {
          return null;
        }
        retried++;
        List<String> avoid = new ArrayList<>(task.avoid());
        avoid.add(report.device());
        return task.again(task.tries() + 1, avoid);
      }
      default -> {
        return null;
      }
    }
  }

  /**
   * Tasks of the first wave go where there is room, in their order; a later try prefers the
   * executors that have another device.
   */
  private JavaRDD<PartitionTask> placed(List<PartitionTask> tasks) {
    if (tasks.stream().allMatch(task -> task.avoid().isEmpty())) {
      return context.parallelize(tasks, tasks.size());
    }
    List<Tuple2<PartitionTask, scala.collection.immutable.Seq<String>>> preferring =
        new ArrayList<>();
    int turn = 0;
    for (PartitionTask task : tasks) {
      List<String> places = new ArrayList<>();
      for (ClusterHealth.Ready executor :
          CuzkPlugin.health().usableWithout(new HashSet<>(task.avoid()))) {
        places.add("executor_" + executor.host() + "_" + executor.executorId());
      }
      if (!places.isEmpty()) {
        Collections.rotate(places, turn++);
      }
      preferring.add(new Tuple2<>(task, CollectionConverters.asScala(places).toSeq()));
    }
    return spark
        .sparkContext()
        .makeRDD(
            CollectionConverters.asScala(preferring).toSeq(),
            ClassTag$.MODULE$.<PartitionTask>apply(PartitionTask.class))
        .toJavaRDD();
  }

  /** A job that was given up: whose task was lost too often fails, the others go on. */
  private List<PartitionTask> afterLoss(
      List<PartitionTask> tasks, TaskLosses losses, CuzkException failure) {
    if (CuzkPlugin.health().isNoneLeft()) {
      return unproved(tasks);
    }
    if (!(failure instanceof InfrastructureException) || losses.fatal().isEmpty()) {
      throw failure;
    }
    for (int index : losses.fatal()) {
      PartitionTask task = tasks.get(index);
      String reason = "its task was lost too often: " + losses.reason(index);
      run.writeEntry(PartitionEntry.lost(task.sector(), task.partition(), reason));
      progress.note("cuzk: %s partition %d: %s".formatted(task.sector(), task.partition(), reason));
    }
    List<PartitionTask> left = new ArrayList<>(tasks);
    losses.fatal().stream().sorted(Collections.reverseOrder()).forEach(i -> left.remove((int) i));
    return unproved(left);
  }

  private List<PartitionTask> unproved(List<PartitionTask> tasks) {
    List<PartitionTask> left = new ArrayList<>();
    for (PartitionTask task : tasks) {
      if (!run.isSettled(task.sector(), task.partition(), task.tries(), attempts)) {
        left.add(task);
      }
    }
    return left;
  }
}
