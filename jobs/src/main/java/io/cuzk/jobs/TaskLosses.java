package io.cuzk.jobs;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.SparkContext;
import org.apache.spark.Success$;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.TaskKilled;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/**
 * Which tasks of a job were lost how often, and why: with an executor, or by an exception. When no
 * executor can prove any more, it ends the job.
 */
final class TaskLosses extends SparkListener {
  private final String jobGroup;
  private final SparkContext spark;
  private final int most;
  private final Map<Integer, Integer> lost = new HashMap<>();
  private final Map<Integer, String> reasons = new HashMap<>();
  private boolean ended;

  /**
   * Losses of a job.
   *
   * @param most after so many losses Spark gives a task up
   */
  TaskLosses(String jobGroup, SparkContext spark, int most) {
    this.jobGroup = jobGroup;
    this.spark = spark;
    this.most = most;
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    if (end.reason() != Success$.MODULE$
        && end.reason() instanceof TaskFailedReason why
        && !(why instanceof TaskKilled)
        && why.countTowardsTaskFailures()) {
      int index = end.taskInfo().index();
      lost.merge(index, 1, Integer::sum);
      reasons.put(index, why.toErrorString().lines().findFirst().orElse(""));
    }
    if (!ended && CuzkPlugin.health().isNoneLeft()) {
      ended = true;
      spark.cancelJobGroup(jobGroup);
    }
  }

  /** Indices of the tasks that Spark does not try again. */
  synchronized Set<Integer> fatal() {
    Set<Integer> found = new TreeSet<>();
    lost.forEach(
        (index, times) -> {
          if (times >= most) {
            found.add(index);
          }
        });
    return found;
  }

  synchronized String reason(int index) {
    return reasons.get(index);
  }
}
