package io.cuzk.jobs;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.sql.SparkSession;

/**
 * How far the clocks of the executors are apart, between which the times of a run are compared.
 *
 * @param leastMillis that they are apart for certain
 * @param mostMillis that they may be apart; what is between is the way there and back
 */
public record ClockSkew(long leastMillis, long mostMillis) {
  /** Each narrows down what a clock may say. */
  private static final int ROUNDS = 3;

  /** Part of a span that clocks may be apart without spoiling its rates. */
  private static final double BEARABLE = 0.01;

  static final ClockSkew NONE = new ClockSkew(0, 0);

  /**
   * What a clock may be ahead of the driver's.
   *
   * @param least negative where it may be behind
   */
  record Ahead(long least, long most) {
    /** From one reading between two readings of the driver's. */
    static Ahead of(long before, long reading, long after) {
      return new Ahead(reading - after, reading - before);
    }

    Ahead and(Ahead other) {
      return new Ahead(Math.max(least, other.least), Math.min(most, other.most));
    }
  }

  /** Whether they spoil a rate over so many seconds. */
  public boolean spoils(double seconds) {
    return leastMillis * 1e-3 > BEARABLE * seconds;
  }

  static ClockSkew of(Collection<Ahead> clocks) {
    if (clocks.size() < 2) {
      return NONE;
    }
    LongSummaryStatistics least = clocks.stream().mapToLong(Ahead::least).summaryStatistics();
    LongSummaryStatistics most = clocks.stream().mapToLong(Ahead::most).summaryStatistics();
    return new ClockSkew(
        Math.max(0, least.getMax() - most.getMin()), most.getMax() - least.getMin());
  }

  /** Asks every executor that reported. */
  static ClockSkew measure(SparkSession spark) {
    List<ClusterHealth.Ready> executors = CuzkPlugin.health().usable();
    if (spark.sparkContext().isLocal() || executors.size() < 2) {
      return NONE;
    }
    Map<String, Ahead> clocks = new HashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      long before = System.currentTimeMillis();
      List<String> readings = read(spark, executors);
      long after = System.currentTimeMillis();
      for (String reading : readings) {
        String[] parts = reading.split(" ");
        clocks.merge(parts[0], Ahead.of(before, Long.parseLong(parts[1]), after), Ahead::and);
      }
    }
    return of(clocks.values());
  }

  private static List<String> read(SparkSession spark, List<ClusterHealth.Ready> executors) {
    List<String> ids = executors.stream().map(ClusterHealth.Ready::executorId).toList();
    return TaskFailures.unwrap(
        () ->
            Placement.visiting(spark.sparkContext(), ids, executors, String.class)
                .toJavaRDD()
                .map(new Reading())
                .collect());
  }

  /** On an executor: which it is, and what its clock says. */
  private static final class Reading implements Function<String, String> {
    private static final long serialVersionUID = 1L;

    @Override
    public String call(String wanted) {
      return Executor.id() + " " + System.currentTimeMillis();
    }
  }
}
