package io.cuzk.jobs;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.SparkContext;
import org.apache.spark.util.LongAccumulator;

/**
 * Tries at partitions that ended: as named accumulators, which Spark's UI shows with each stage,
 * and summed up in each executor for its metrics.
 */
final class PartitionCounters implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Map<String, LongAdder> FAILED_HERE = new LinkedHashMap<>();
  private static final LongAdder RETRIED_HERE = new LongAdder();

  static {
    PartitionEntry.KINDS.forEach(kind -> FAILED_HERE.put(kind, new LongAdder()));
  }

  private final LongAccumulator proved;
  private final LongAccumulator retried;
  private final LinkedHashMap<String, LongAccumulator> failed = new LinkedHashMap<>();

  private PartitionCounters(SparkContext spark) {
    proved = spark.longAccumulator("cuzk: partitions proved");
    retried = spark.longAccumulator("cuzk: partitions retried");
    for (String kind : PartitionEntry.KINDS) {
      failed.put(kind, spark.longAccumulator("cuzk: partitions failed, " + kind));
    }
  }

  /** Counters of a run. */
  static PartitionCounters of(SparkContext spark) {
    return new PartitionCounters(spark);
  }

  /** In a task: a try begins that is not the partition's first. */
  void retried() {
    retried.add(1L);
    RETRIED_HERE.increment();
  }

  /** In a task: a try ended; the kind of failure is null where it proved the partition. */
  void ended(String failureKind) {
    (failureKind == null ? proved : failed.get(failureKind)).add(1L);
    if (failureKind != null) {
      FAILED_HERE.get(failureKind).increment();
    }
  }

  /** Tries that failed in this process. */
  static long failedHere(String kind) {
    return FAILED_HERE.get(kind).sum();
  }

  /** Tries in this process that were not a partition's first. */
  static long retriedHere() {
    return RETRIED_HERE.sum();
  }
}
