package io.cuzk.jobs;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.Success$;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/** Passes the number of finished tasks on to a {@link Progress} while it is open. */
final class StageListener extends SparkListener implements AutoCloseable {
  private final SparkSession spark;
  private final int tasks;
  private final int steps;
  private final Progress progress;
  private final AtomicInteger done = new AtomicInteger();

  private StageListener(SparkSession spark, int tasks, int steps, Progress progress) {
    this.spark = spark;
    this.tasks = tasks;
    this.steps = steps;
    this.progress = progress;
  }

  static StageListener of(SparkSession spark, int tasks, int steps, Progress progress) {
    StageListener listener = new StageListener(spark, tasks, steps, progress);
    spark.sparkContext().addSparkListener(listener);
    return listener;
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    if (end.reason() == Success$.MODULE$) {
      int now = Math.min(tasks, done.incrementAndGet());
      progress.advanced((int) ((long) steps * now / tasks));
    }
  }

  @Override
  public void close() {
    spark.sparkContext().removeSparkListener(this);
    if (done.get() >= tasks - 1) {
      progress.advanced(steps);
    }
  }
}
