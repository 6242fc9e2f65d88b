package io.cuzk.jobs;

import io.cuzk.CuzkException;
import java.io.Serializable;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/**
 * On an executor: proves one partition and leaves its entry in the journal.
 *
 * <p>Bad input is recorded and not tried again. A proof that does not verify and a device that
 * fails are recorded and reported: the driver sends the partition to another device, so that Spark
 * never counts them against the job. Trouble with the machine is thrown to Spark, which tries the
 * task elsewhere; the last try records it, so that one partition never ends the job of the others.
 */
final class ProvePartition extends AbstractFunction1<Iterator<PartitionTask>, TaskReport>
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** How long a task holds a slot whose device is of no use, so that others get the next task. */
  private static final long DECLINED_MILLIS = 300;

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
    JobSettings job = settings.value();
    TaskContext context = TaskContext.get();
    RunDirectory run = Executor.run(job);
    PartitionAttempt attempt = new PartitionAttempt(task, job, context);
    if (attempt.isToDecline()) {
      return declined(attempt);
    }
    if (task.tries() + context.attemptNumber() > 0) {
      counters.retried();
    }
    boolean lost = false;
    PartitionEntry entry;
    try {
      entry = attempt.prove();
    } catch (RuntimeException | OutOfMemoryError | InternalError | LinkageError e) {
      CuzkException failure = AttemptFailure.explain(e, Machine.current());
      String kind = AttemptFailure.kind(failure);
      if (kind.equals(PartitionEntry.DEVICE) && !attempt.hadDevice() && attempt.noneLeft()) {
        return declined(attempt); // the device was excluded while this task waited for it
      }
      lost = attempt.isLost();
      if (attempt.noneLeft() && !lost) {
        ExecutorSide.exhausted(attempt.place(), failure.getMessage());
      }
      if (kind.equals(PartitionEntry.INFRASTRUCTURE)
          && context.attemptNumber() + 1 < job.maxAttempts()) {
        counters.ended(kind);
        throw failure;
      }
      entry = attempt.records().failed(kind, failure.getMessage());
    }
    PartitionEntry left = entry;
    attempt
        .timer()
        .run(
            "write",
            () -> {
              run.writeEntry(left);
              if (left.proof() != null) {
                run.completeProofFile(task.sector(), task.scan().partitions());
              }
            });
    PartitionEntry after = attempt.records().after();
    run.writeAfter(after);
    if (entry.proof() != null) {
      ExecutorSide.proved(Stream.of(entry, after).flatMap(part -> part.phases().stream()).toList());
    }
    counters.ended(entry.failureKind());
    return new TaskReport(
        task.sector(),
        task.partition(),
        entry.proof() != null,
        entry.failureKind(),
        entry.reason(),
        attempt.place(),
        Executor.id(),
        lost);
  }

  private static TaskReport declined(PartitionAttempt attempt) {
    try {
      Thread.sleep(DECLINED_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new TaskReport(
        attempt.task().sector(),
        attempt.task().partition(),
        false,
        TaskReport.DECLINED,
        "sent to a device that is suspect or excluded",
        attempt.place(),
        Executor.id(),
        false);
  }
}
