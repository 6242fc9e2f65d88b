package io.cuzk.jobs;

import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import scala.collection.immutable.Seq;
import scala.concurrent.ExecutionContext;
import scala.concurrent.ExecutionContext$;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/**
 * A Spark job that proves some partitions, a task each. It tells of every task when it ends, then
 * of its own end, through a queue; the calls come from Spark's scheduler and do nothing else.
 */
final class ProvingJob {
  /** Where Spark's callbacks run: in the thread that calls. */
  private static final ExecutionContext AT_ONCE =
      ExecutionContext$.MODULE$.fromExecutor(Runnable::run);

  /**
   * Something that happened.
   *
   * @param report of a task that ended; null if the job ended
   * @param failure why the job ended before its tasks; null if they all reported
   */
  record Event(ProvingJob job, int index, TaskReport report, Throwable failure) {}

  private final List<PartitionTask> tasks;
  private final BitSet reported = new BitSet();

  private ProvingJob(List<PartitionTask> tasks) {
    this.tasks = List.copyOf(tasks);
  }

  /**
   * Gives a job to Spark and returns at once. Its group, its description and its pool are the
   * calling thread's.
   *
   * @param placed the tasks in their order, one a partition
   */
  static ProvingJob submit(
      SparkContext spark,
      List<PartitionTask> tasks,
      RDD<PartitionTask> placed,
      ProvePartition prove,
      Queue<Event> events) {
    ProvingJob job = new ProvingJob(tasks);
    Seq<Object> all =
        CollectionConverters.asScala(
                IntStream.range(0, tasks.size()).mapToObj(i -> (Object) i).toList())
            .toSeq();
    spark
        .submitJob(
            placed,
            prove,
            all,
            (Object index, TaskReport report) -> {
              events.add(new Event(job, (int) index, report, null));
              return BoxedUnit.UNIT;
            },
            () -> BoxedUnit.UNIT)
        .onComplete(
            end -> {
              Throwable failure = end.isFailure() ? end.failed().get() : null;
              events.add(new Event(job, -1, null, failure));
              return BoxedUnit.UNIT;
            },
            AT_ONCE);
    return job;
  }

  /** Notes that a task reported; returns which. */
  PartitionTask reported(int index) {
    reported.set(index);
    return tasks.get(index);
  }

  PartitionTask task(int index) {
    return tasks.get(index);
  }

  /** Those that did not report, but for one. */
  List<PartitionTask> unreportedBut(int index) {
    return IntStream.range(0, tasks.size())
        .filter(i -> i != index && !reported.get(i))
        .mapToObj(tasks::get)
        .toList();
  }

  /** What Spark's UI shows: {@code s-t01000-1 … s-t01000-9, 8 partitions}. */
  static String describe(List<PartitionTask> tasks) {
    PartitionTask first = tasks.getFirst();
    PartitionTask last = tasks.getLast();
    if (tasks.size() == 1) {
      return first.sector() + " partition " + first.partition();
    }
    return "%s, %d partitions"
        .formatted(
            first.sector().equals(last.sector())
                ? first.sector()
                : first.sector() + " … " + last.sector(),
            tasks.size());
  }
}
