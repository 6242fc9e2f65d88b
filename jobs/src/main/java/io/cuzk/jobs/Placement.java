package io.cuzk.jobs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
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
    List<Tuple2<PartitionTask, Seq<String>>> preferring = new ArrayList<>();
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
    return context
        .sc()
        .makeRDD(
            CollectionConverters.asScala(preferring).toSeq(),
            ClassTag$.MODULE$.<PartitionTask>apply(PartitionTask.class));
  }
}
