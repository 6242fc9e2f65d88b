package io.cuzk.jobs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/** On the driver: where partitions are sent, by what it knows of the cluster's devices. */
final class Placement {
  private Placement() {}

  /** Devices to avoid, as long as an executor has another one. */
  static List<String> others(List<String> avoid) {
    ClusterHealth health = CuzkPlugin.health();
    boolean none =
        !health.usable().isEmpty() && health.usableWithout(new HashSet<>(avoid)).isEmpty();
    return none ? List.of() : avoid;
  }

  /**
   * One partition of an RDD for each task, in their order: those of a first try go where there is
   * room, those of a later one prefer the executors that have another device.
   */
  static RDD<PartitionTask> of(JavaSparkContext context, List<PartitionTask> tasks) {
    if (tasks.stream().allMatch(task -> task.avoid().isEmpty())) {
      return context.parallelize(tasks, tasks.size()).rdd();
    }
    List<List<ClusterHealth.Ready>> places = new ArrayList<>();
    int turn = 0;
    for (PartitionTask task : tasks) {
      List<ClusterHealth.Ready> others =
          new ArrayList<>(CuzkPlugin.health().usableWithout(new HashSet<>(task.avoid())));
      if (!others.isEmpty()) {
        Collections.rotate(others, turn++);
      }
      places.add(others);
    }
    return preferring(context.sc(), tasks, places, PartitionTask.class);
  }

  /** One item for each of these executors, which Spark sends there if it can. */
  static <T> RDD<T> visiting(
      SparkContext spark, List<T> items, List<ClusterHealth.Ready> executors, Class<T> type) {
    return preferring(spark, items, executors.stream().map(List::of).toList(), type);
  }

  private static <T> RDD<T> preferring(
      SparkContext spark, List<T> items, List<List<ClusterHealth.Ready>> places, Class<T> type) {
    List<Tuple2<T, Seq<String>>> preferring = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      List<String> names =
          places.get(i).stream()
              .map(executor -> "executor_" + executor.host() + "_" + executor.executorId())
              .toList();
      preferring.add(new Tuple2<>(items.get(i), CollectionConverters.asScala(names).toSeq()));
    }
    return spark.makeRDD(
        CollectionConverters.asScala(preferring).toSeq(), ClassTag$.MODULE$.<T>apply(type));
  }
}
