package io.cuzk.jobs;

import io.cuzk.CuzkException;
import io.cuzk.InfrastructureException;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/**
 * On an executor: proves one partition and leaves its entry in the journal.
 *
 * <p>What fails is recorded and reported, not thrown: bad input is not tried again, and the driver
 * sends a partition whose proof does not verify, whose device fails, or whose machine is in trouble
 * to another one, so that Spark never counts it against the job. Spark tries again what took its
 * executor along.
 */
final class ProvePartition extends AbstractFunction1<Iterator<PartitionTask>, TaskReport>
    implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(ProvePartition.class);

  /** How long a task holds a slot whose device is of no use, so that others get the next task. */
  private static final long DECLINED_MILLIS = 300;

  /**
   * How long a task holds its slot after trouble with the machine: trouble may pass, and a machine
   * that fails everything in no time would take every try of many partitions.
   */
  private static final long TROUBLE_MILLIS = 1000;

  private final Broadcast<JobSettings> settings;

  private final PartitionCounters counters;

  ProvePartition(Broadcast<JobSettings> settings, PartitionCounters counters) {
    this.settings = settings;
    this.counters = counters;
  }

  /** Of an RDD with one partition to prove in each of its own. */
  @Override
  public TaskReport apply(Iterator<PartitionTask> one) {
    return prove(one.next());
  }

  private TaskReport prove(PartitionTask task) {
    TaskContext context = TaskContext.get();
    PartitionAttempt attempt;
    try {
      attempt = new PartitionAttempt(task, settings.value(), context);
    } catch (RuntimeException | OutOfMemoryError | InternalError | LinkageError e) {
      return notBegun(task, context, e);
    }
    if (attempt.isToDecline()) {
      return declined(attempt);
    }
    begins(task, context);
    try {
      SharedDirectory.require(settings.value()); // this executor may have come after the preflight
      if (isProved(task)) {
        // by a task whose executor died before the driver had its report
        later(() -> completeProofFile(task));
      } else {
        ExecutorSide.proved(leave(attempt, attempt.prove()));
      }
      counters.ended(null);
      return report(attempt, null, null, false);
    } catch (RuntimeException | OutOfMemoryError | InternalError | LinkageError e) {
      return failed(attempt, explain(e, context));
    }
  }

  private void begins(PartitionTask task, TaskContext context) {
    if (task.tries() + task.troubles() + context.attemptNumber() > 0) {
      counters.retried();
    }
  }

  private static CuzkException explain(Throwable failure, TaskContext context) {
    CuzkException known = AttemptFailure.explain(failure, Machine.current());
    if (context.isInterrupted()) {
      throw known; // Spark wants it ended: that says nothing of the partition
    }
    return known;
  }

  /**
   * This process has not what the run needs: an executor that came after the preflight may lack the
   * backend, or the memory.
   */
  private TaskReport notBegun(PartitionTask task, TaskContext context, Throwable failure) {
    String host = Machine.current().host();
    String reason = explain(failure, context).getMessage();
    begins(task, context);
    counters.ended(PartitionEntry.INFRASTRUCTURE);
    hold(TROUBLE_MILLIS);
    return report(
        task,
        PartitionEntry.INFRASTRUCTURE,
        reason.contains(host) ? reason : "on " + host + ": " + reason,
        Places.of(host, PartitionAttempt.address(context), Executor.id()),
        false);
  }

  private TaskReport failed(PartitionAttempt attempt, CuzkException failure) {
    String kind = AttemptFailure.kind(failure);
    if (kind.equals(PartitionEntry.DEVICE) && !attempt.hadDevice() && attempt.noneLeft()) {
      return declined(attempt); // the device was excluded while this task waited for it
    }
    boolean lost = attempt.isLost();
    tellIfExhausted(attempt);
    String reason = failure.getMessage();
    try {
      leave(attempt, attempt.records().failed(kind, reason));
    } catch (InfrastructureException e) {
      // The driver records it where it can; what counts is that nothing can be written from here.
      kind = PartitionEntry.INFRASTRUCTURE;
      reason = e.getMessage();
    }
    counters.ended(kind);
    if (kind.equals(PartitionEntry.INFRASTRUCTURE)) {
      hold(TROUBLE_MILLIS);
    }
    return report(attempt, kind, reason, lost);
  }

  /**
   * Writes the entry to the journal, and the sector's file if this was its last proof; returns the
   * phases of the try. If another task of Spark's has proved the partition meanwhile, its proof
   * stays and nothing is left of this one.
   *
   * @throws InfrastructureException if the entry cannot be written; with the entry there, the rest
   *     can wait
   */
  private List<PhaseRecord> leave(PartitionAttempt attempt, PartitionEntry entry) {
    SharedDirectory.require(settings.value());
    RunDirectory run = Executor.run(settings.value());
    PartitionTask task = attempt.task();
    if (isProved(task)) {
      later(() -> completeProofFile(task));
      return List.of();
    }
    attempt
        .timer()
        .run(
            "write",
            () -> {
              run.writeEntry(entry);
              if (entry.proof() != null) {
                later(() -> completeProofFile(task));
              }
            });
    PartitionEntry after = attempt.records().after();
    later(() -> run.writeAfter(after));
    return Stream.of(entry, after).flatMap(part -> part.phases().stream()).toList();
  }

  private boolean isProved(PartitionTask task) {
    return Executor.run(settings.value()).isProved(task);
  }

  private void completeProofFile(PartitionTask task) {
    Executor.run(settings.value()).completeProofFile(task.sector(), task.scan().partitions());
  }

  /** The driver completes what is missing when the run ends, and fails if it cannot. */
  private static void later(Runnable write) {
    try {
      write.run();
    } catch (InfrastructureException e) {
      LOG.warn("not written yet: {}", e.getMessage());
    }
  }

  private static TaskReport declined(PartitionAttempt attempt) {
    String reason = "sent to a device that is suspect or excluded";
    if (attempt.noneLeft()) {
      reason = attempt.exclusions();
      tellIfExhausted(attempt);
    }
    hold(DECLINED_MILLIS);
    // Devices may be lost when no task is left to say so: after one that was cancelled.
    return report(attempt, TaskReport.DECLINED, reason, attempt.isLost());
  }

  /** A process that lost its devices is told of in the report: a fresh one may have them. */
  private static void tellIfExhausted(PartitionAttempt attempt) {
    if (attempt.noneLeft() && !attempt.isLost()) {
      ExecutorSide.exhausted(attempt.place(), attempt.exclusions());
    }
  }

  private static TaskReport report(
      PartitionAttempt attempt, String kind, String reason, boolean lost) {
    return report(attempt.task(), kind, reason, attempt.place(), lost);
  }

  private static TaskReport report(
      PartitionTask task, String kind, String reason, String device, boolean lost) {
    return new TaskReport(
        task.sector(), task.partition(), kind == null, kind, reason, device, Executor.id(), lost);
  }

  private static void hold(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
