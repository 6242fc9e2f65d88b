package io.cuzk.jobs.fault;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import scala.jdk.javaapi.CollectionConverters;

/** What Spark's UI shows of a session that names it in {@code spark.extraListeners}. */
public final class SparkSeen extends SparkListener {
  /** Of all jobs that began, in their order. */
  static final List<String> DESCRIPTIONS = new CopyOnWriteArrayList<>();

  /** The last value of each named accumulator. */
  static final Map<String, Object> ACCUMULATORS = new ConcurrentHashMap<>();

  static void clear() {
    DESCRIPTIONS.clear();
    ACCUMULATORS.clear();
  }

  @Override
  public void onJobStart(SparkListenerJobStart start) {
    DESCRIPTIONS.add(String.valueOf(start.properties().getProperty("spark.job.description")));
  }

  @Override
  public void onStageCompleted(SparkListenerStageCompleted completed) {
    CollectionConverters.asJava(completed.stageInfo().accumulables())
        .values()
        .forEach(
            each -> {
              if (each.name().isDefined() && each.value().isDefined()) {
                ACCUMULATORS.put(each.name().get(), each.value().get());
              }
            });
  }
}
