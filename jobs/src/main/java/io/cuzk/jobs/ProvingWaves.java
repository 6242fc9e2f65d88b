package io.cuzk.jobs;

import io.cuzk.CuzkException;
import io.cuzk.InfrastructureException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * Proves partitions in waves, a Spark job each, so that the driver's memory does not grow with the
 * run. What ends with a bad proof or device goes out again at once, in a job beside the wave whose
 * tasks get the next free slots, to an executor with another device where there is one. A job that
 * Spark gives up because one task was lost too often costs that partition, not its siblings.
 */
final class ProvingWaves {
  /** How often a partition may be sent to a device that it must not use, before it uses it. */
  private static final int DECLINES = 20;

  /** The pool of Spark's fair scheduler for what is tried again; waves are in its default one. */
  private static final String RETRIES = "cuzk-retries";

  private static final String POOL = "spark.scheduler.pool";

  private final JavaSparkContext context;
  private final SparkSession spark;
  private final RunDirectory run;
  private final JobSettings settings;
  private final int attempts;
  private final int size;
  private final Progress progress;
  private final Runnable requireHeld;
  private final Map<String, Integer> declines = new HashMap<>();
  private final Map<String, Integer> unplaced = new HashMap<>();
  private final BlockingQueue<ProvingJob.Event> events = new LinkedBlockingQueue<>();
  private final Set<ProvingJob> jobs = new HashSet<>();
  private ProvePartition prove;
  private boolean cancelled;
  private int fruitless;
  private int settled;
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
   * @param commit called after every wave but the last
   */
  void run(List<PartitionTask> all, Runnable commit) {
    Broadcast<JobSettings> shared = context.broadcast(settings);
    prove = new ProvePartition(shared, PartitionCounters.of(spark.sparkContext()));
    progress.stage("proving partitions", all.size());
    try {
      for (int from = 0; from < all.size(); from += size) {
        settle(all.subList(from, Math.min(from + size, all.size())));
        if (settled < all.size() && (cancelled || CuzkPlugin.health().isNoneLeft())) {
          stopped = "no device was left: " + CuzkPlugin.health().reasons();
          progress.note("cuzk: stopped: " + stopped);
          return;
        }
        if (settled < all.size()) {
          commit.run();
          progress.note(
              "cuzk: %d of %d partitions are done; datasets written"
                  .formatted(settled, all.size()));
        }
      }
    } finally {
      if (!jobs.isEmpty()) {
        context.cancelJobGroup(settings.runId());
      }
      shared.unpersist();
    }
  }

  /** Proves a wave and what fails of it, until all is settled or no device is left. */
  private void settle(List<PartitionTask> wave) {
    submit(wave, null);
    while (!jobs.isEmpty()) {
      List<PartitionTask> again = new ArrayList<>();
      List<PartitionTask> interrupted = new ArrayList<>();
      for (ProvingJob.Event event = next(); event != null; event = events.poll()) {
        if (event.report() != null) {
          reported(event.job().reported(event.index()), event.report(), again);
        } else {
          jobs.remove(event.job());
          requireHeld.run();
          if (event.failure() != null && !cancelled) {
            interrupted.addAll(afterLoss(event.job(), event.failure()));
          }
        }
      }
      if (CuzkPlugin.health().isNoneLeft()) {
        cancelled = true;
        context.cancelJobGroup(settings.runId());
      } else if (!cancelled) {
        submit(again, RETRIES);
        submit(interrupted, null);
      }
    }
  }

  private ProvingJob.Event next() {
    try {
      return events.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InfrastructureException("interrupted while partitions were proved", e);
    }
  }

  private void submit(List<PartitionTask> tasks, String pool) {
    if (tasks.isEmpty()) {
      return;
    }
    String verb = pool == null ? "proving " : "proving again ";
    context.setJobGroup(settings.runId(), "cuzk: " + verb + ProvingJob.describe(tasks), true);
    context.setLocalProperty(POOL, pool);
    try {
      jobs.add(ProvingJob.submit(spark.sparkContext(), tasks, placed(tasks), prove, events));
    } finally {
      context.setLocalProperty(POOL, null);
    }
  }

  private static String key(PartitionTask task) {
    return task.sector() + "/" + task.partition();
  }

  private void settled() {
    progress.advanced(++settled);
  }

  /** Takes up a task's end; adds the partition to those that are to be tried again. */
  private void reported(PartitionTask task, TaskReport report, List<PartitionTask> again) {
    if (TaskReport.DECLINED.equals(report.failureKind())) {
      int times = declines.merge(key(task), 1, Integer::sum);
      again.add(task.again(task.tries(), times < DECLINES ? others(task.avoid()) : List.of()));
      return;
    }
    PartitionTask next = report.verified() ? null : afterFailure(task, report);
    progress.tried(report.failureKind(), next != null);
    if (next != null) {
      again.add(next);
    } else {
      settled();
    }
    fruitless = report.verified() ? 0 : fruitless;
  }

  /** The next try of a partition; null if there is none. */
  private PartitionTask afterFailure(PartitionTask task, TaskReport report) {
    boolean ofDevice = report.failureKind().equals(PartitionEntry.DEVICE);
    if (!ofDevice && !report.failureKind().equals(PartitionEntry.PROOF)) {
      return null;
    }
    if (report.lost()) {
      CuzkPlugin.lost(report);
    } else {
      CuzkPlugin.health().failed(report.device(), report.reason());
    }
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
    return task.again(task.tries() + 1, others(avoid));
  }

  /** Devices to avoid, as long as an executor has another one. */
  private static List<String> others(List<String> avoid) {
    ClusterHealth health = CuzkPlugin.health();
    boolean none =
        !health.usable().isEmpty() && health.usableWithout(new HashSet<>(avoid)).isEmpty();
    return none ? List.of() : avoid;
  }

  /**
   * Tasks of the first wave go where there is room, in their order; a later try prefers the
   * executors that have another device.
   */
  private RDD<PartitionTask> placed(List<PartitionTask> tasks) {
    if (tasks.stream().allMatch(task -> task.avoid().isEmpty())) {
      return context.parallelize(tasks, tasks.size()).rdd();
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
            ClassTag$.MODULE$.<PartitionTask>apply(PartitionTask.class));
  }

  /**
   * A job that was given up: whose task was lost too often fails, the others go on. A task that
   * only found no executor any more, because those left are excluded, goes on too; Spark has
   * replaced an idle one of them by then.
   */
  private List<PartitionTask> afterLoss(ProvingJob job, Throwable failure) {
    CuzkException known = TaskFailures.translate(failure);
    LostTask lost = LostTask.of(failure).orElse(null);
    if (CuzkPlugin.health().isNoneLeft()) {
      return List.of();
    }
    if (lost == null || !(known instanceof InfrastructureException)) {
      throw known;
    }
    if (lost.unplaceable() && ++fruitless > settings.maxAttempts()) {
      throw known; // what fails everywhere fails the run, which can be run again
    }
    List<PartitionTask> left = new ArrayList<>();
    PartitionTask task = job.task(lost.index());
    if (lost.unplaceable() && unplaced.merge(key(task), 1, Integer::sum) < settings.maxAttempts()) {
      left.add(task);
    } else {
      String reason = "its task was lost too often: " + lost.reason();
      run.writeEntry(PartitionEntry.lost(task.sector(), task.partition(), reason));
      progress.note("cuzk: %s partition %d: %s".formatted(task.sector(), task.partition(), reason));
      progress.tried(PartitionEntry.INFRASTRUCTURE, false);
      settled();
    }
    for (PartitionTask other : job.unreportedBut(lost.index())) {
      if (run.isSettled(other.sector(), other.partition(), other.tries(), attempts)) {
        settled();
      } else {
        left.add(other);
      }
    }
    return left;
  }
}
