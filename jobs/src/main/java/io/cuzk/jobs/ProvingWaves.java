package io.cuzk.jobs;

import io.cuzk.CuzkException;
import io.cuzk.InfrastructureException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;

/**
 * Proves partitions in waves, a Spark job each, so that the driver's memory does not grow with the
 * run. What ends with a bad proof or device goes out again at once, in a job beside the wave whose
 * tasks get the next free slots, to an executor with another device where there is one. A job that
 * Spark gives up because one task was lost too often costs that partition, not its siblings.
 */
final class ProvingWaves {
  /**
   * How long a partition waits for another device than the one that failed it, while that one is at
   * work: several proofs' time. Then it takes what there is.
   */
  private static final Duration ELSEWHERE = Duration.ofHours(1);

  /** How long a task that lost its process's devices has to report it, after others found out. */
  private static final Duration UNREPORTED = Duration.ofSeconds(10);

  /** How often what the driver knows of the cluster is looked at while no task ends. */
  private static final long LOOKING_MILLIS = 1000;

  /** The pool of Spark's fair scheduler for what is tried again; waves are in its default one. */
  private static final String RETRIES = "cuzk-retries";

  private static final String POOL = "spark.scheduler.pool";

  private final JavaSparkContext context;
  private final SparkSession spark;
  private final RunDirectory run;
  private final JobSettings settings;
  private final int attempts;
  private final int troubles;
  private final int size;
  private final Progress progress;
  private final Runnable requireHeld;

  /** Partitions that were sent to a device that they must not use, with the time of the first. */
  private final Map<String, Long> declined = new HashMap<>();

  /** Executors whose tasks find that it has lost its devices, with the time of the first. */
  private final Map<String, Long> lostSince = new HashMap<>();

  private final BlockingQueue<ProvingJob.Event> events = new LinkedBlockingQueue<>();
  private final Set<ProvingJob> jobs = new HashSet<>();
  private final ReportedProofs reported = new ReportedProofs();
  private ProvePartition prove;
  private HostTroubles hosts;
  private boolean cancelled;
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
    this.troubles = SparkSessions.tries(spark.sparkContext());
    this.size = conf.value(CuzkConf.WAVE);
    this.progress = progress;
    this.requireHeld = requireHeld;
  }

  /** Tries that were repeated, after a bad proof or device or trouble with a machine. */
  int retried() {
    return retried;
  }

  /** What was reported as proved. */
  ReportedProofs reported() {
    return reported;
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
    hosts = new HostTroubles(all.stream().map(PartitionTask::sector).distinct().count() == 1);
    progress.stage("proving partitions", all.size());
    try {
      for (int from = 0; from < all.size(); from += size) {
        settle(all.subList(from, Math.min(from + size, all.size())));
        if (cancelled && settled < all.size()) {
          progress.note("stopped: " + stopped);
          return;
        }
        if (settled < all.size()) {
          commit.run();
          progress.note(
              "%d of %d partitions are done; datasets written".formatted(settled, all.size()));
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
      CuzkPlugin.tend();
      if (CuzkPlugin.health().isNoneLeft()) {
        stop("no device was left: " + CuzkPlugin.health().reasons());
      } else if (!cancelled) {
        submit(again, RETRIES);
        submit(interrupted, null);
      }
    }
  }

  /** Tries nothing more; what was proved stays. */
  private void stop(String reason) {
    if (!cancelled) {
      cancelled = true;
      stopped = reason;
      context.cancelJobGroup(settings.runId());
    }
  }

  /** The next event; null if none comes for a while, in which time may have decided something. */
  private ProvingJob.Event next() {
    try {
      return events.poll(LOOKING_MILLIS, TimeUnit.MILLISECONDS);
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
      jobs.add(
          ProvingJob.submit(
              spark.sparkContext(), tasks, Placement.of(context, tasks), prove, events));
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
      if (report.lost() && isFor(lostSince, report.executor(), UNREPORTED)) {
        CuzkPlugin.useless(report);
      }
      boolean patient = !isFor(declined, key(task), ELSEWHERE);
      again.add(task.elsewhere(patient ? Placement.others(task.avoid()) : List.of()));
      return;
    }
    declined.remove(key(task));
    if (report.verified()) {
      reported.add(task, report);
      hosts.proved(report);
      CuzkPlugin.health().proved(report.device());
    } else {
      failed(task, report);
    }
    boolean repeated = !report.verified() && isRepeated(task, report.failureKind());
    progress.tried(report.failureKind(), repeated);
    if (repeated) {
      retried++;
      again.add(next(task, report));
    } else {
      settled();
    }
  }

  /** Whether something has been so for that long, as far as was asked. */
  private static boolean isFor(Map<String, Long> since, String what, Duration time) {
    long now = System.nanoTime();
    return now - since.computeIfAbsent(what, first -> now) >= time.toNanos();
  }

  /** Whether a partition whose try failed like that is tried again. */
  private boolean isRepeated(PartitionTask task, String failureKind) {
    return switch (failureKind) {
      case PartitionEntry.PROOF, PartitionEntry.DEVICE -> task.tries() + 1 < attempts;
      case PartitionEntry.INFRASTRUCTURE -> task.troubles() + 1 < troubles;
      default -> false;
    };
  }

  /** What a failed try says of device and machine. */
  private void failed(PartitionTask task, TaskReport report) {
    switch (report.failureKind()) {
      case PartitionEntry.PROOF, PartitionEntry.DEVICE -> {
        if (report.lost()) {
          CuzkPlugin.lost(report);
        } else {
          CuzkPlugin.failed(report.device(), report.reason());
        }
        note(task, report, task.tries(), attempts);
      }
      case PartitionEntry.INFRASTRUCTURE -> {
        note(task, report, task.troubles(), troubles);
        switch (hosts.failed(report, CuzkPlugin.health().usable())) {
          case GO_ON -> {}
          case REPLACE -> {
            progress.note(atFault(report) + "; a fresh one takes its place");
            CuzkPlugin.replace(report.executor());
          }
          case GIVE_BACK -> {
            progress.note(atFault(report) + ", again; it is given back");
            CuzkPlugin.giveBack(report.executor());
          }
          case STOP -> stop("every executor fails what it is given; the last: " + report.reason());
        }
        if (!isRepeated(task, report.failureKind()) && !isSettled(task)) {
          lost(task, report.reason()); // it could not be written over there
        }
      }
      default -> {}
    }
  }

  private static String atFault(TaskReport report) {
    return "executor %s (%s) fails what it is given"
        .formatted(report.executor(), CuzkPlugin.health().shown(report.device()));
  }

  private void note(PartitionTask task, TaskReport report, int before, int most) {
    progress.note(
        "%s partition %d failed on %s (try %d of %d): %s"
            .formatted(
                task.sector(),
                task.partition(),
                CuzkPlugin.health().shown(report.device()),
                before + 1,
                most,
                report.reason()));
  }

  /** The next try, on another device if there is one. */
  private static PartitionTask next(PartitionTask task, TaskReport report) {
    List<String> avoid = new ArrayList<>(task.avoid());
    avoid.add(report.device());
    return report.failureKind().equals(PartitionEntry.INFRASTRUCTURE)
        ? task.afterTrouble(Placement.others(avoid))
        : task.afterFailure(Placement.others(avoid));
  }

  private boolean isSettled(PartitionTask task) {
    return run.isSettled(task.sector(), task.partition(), kind -> isRepeated(task, kind));
  }

  /** Records a partition whose task left nothing. */
  private void lost(PartitionTask task, String reason) {
    run.writeEntry(PartitionEntry.lost(task.sector(), task.partition(), reason));
  }

  /** A job that was given up: the task that was lost too often fails, the others go on. */
  private List<PartitionTask> afterLoss(ProvingJob job, Throwable failure) {
    CuzkException known = TaskFailures.translate(failure);
    LostTask lost = LostTask.of(failure).orElse(null);
    if (CuzkPlugin.health().isNoneLeft()) {
      return List.of();
    }
    if (lost == null || !(known instanceof InfrastructureException)) {
      throw known;
    }
    PartitionTask task = job.task(lost.index());
    String reason = "its task was lost too often: " + lost.reason();
    lost(task, reason);
    progress.note("%s partition %d: %s".formatted(task.sector(), task.partition(), reason));
    progress.tried(PartitionEntry.INFRASTRUCTURE, false);
    settled();
    List<PartitionTask> others = job.unreportedBut(lost.index());
    List<Boolean> done = Concurrently.map(others, this::isSettled);
    List<PartitionTask> left = new ArrayList<>();
    for (int i = 0; i < others.size(); i++) {
      if (done.get(i)) {
        settled();
      } else {
        left.add(others.get(i));
      }
    }
    return left;
  }
}
