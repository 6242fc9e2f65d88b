package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** What Spark says when it gives up a job, in its own words. */
class LostTaskTest {
  private static Throwable failure(Map<String, String> settings) {
    SparkSession spark = SparkSessions.open("lost", "local[1,3]", settings);
    try {
      JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
      return catchThrowable(
          () ->
              context
                  .parallelize(List.of(0, 1, 2), 3)
                  .map(
                      i -> {
                        if (i == 1) {
                          throw new IllegalStateException("its disk is broken");
                        }
                        return i;
                      })
                  .collect());
    } finally {
      spark.stop();
    }
  }

  @Test
  void aTaskThatFailedTooOftenIsFoundWithItsReason() {
    LostTask lost = LostTask.of(failure(Map.of())).orElseThrow();
    assertThat(lost.index()).isEqualTo(1);
    assertThat(lost.unplaceable()).isFalse();
    assertThat(lost.reason()).contains("IllegalStateException: its disk is broken");
  }

  @Test
  void aTaskForWhichNoExecutorIsLeftIsFoundWithItsReason() {
    LostTask lost =
        LostTask.of(
                failure(
                    Map.of(
                        "spark.excludeOnFailure.enabled",
                        "true",
                        "spark.excludeOnFailure.task.maxTaskAttemptsPerExecutor",
                        "1",
                        "spark.excludeOnFailure.task.maxTaskAttemptsPerNode",
                        "1",
                        "spark.scheduler.excludeOnFailure.unschedulableTaskSetTimeout",
                        "1s")))
            .orElseThrow();
    assertThat(lost.index()).isEqualTo(1);
    assertThat(lost.unplaceable()).isTrue();
    assertThat(lost.reason()).contains("its disk is broken");
  }

  @Test
  void anotherEndOfAJobNamesNoTask() {
    assertThat(LostTask.of(new IllegalStateException("Job 3 cancelled part of job group x")))
        .isEmpty();
  }

  /** The keys are Spark's and the limits such as it takes, however often a task may be tried. */
  @Test
  void executorsAreExcludedOnClustersAsSparkAllows() {
    for (String tries : List.of("2", "4", "8")) {
      SparkConf conf = new SparkConf(false).set("spark.task.maxFailures", tries);
      SparkSessions.exclusionDefaults(conf);
      org.apache.spark.scheduler.HealthTracker.validateExcludeOnFailureConfs(conf);
      assertThat(org.apache.spark.scheduler.HealthTracker.isExcludeOnFailureEnabled(conf)).isTrue();
      for (var each : conf.getAll()) {
        assertThat(org.apache.spark.internal.config.ConfigEntry.findEntry(each._1()))
            .as(each._1())
            .isNotNull();
      }
    }
    SparkConf once = new SparkConf(false).set("spark.task.maxFailures", "1");
    SparkSessions.exclusionDefaults(once);
    assertThat(once.contains("spark.excludeOnFailure.enabled")).isFalse();
    SparkConf own = new SparkConf(false).set("spark.excludeOnFailure.enabled", "false");
    SparkSessions.exclusionDefaults(own);
    assertThat(own.get("spark.excludeOnFailure.enabled")).isEqualTo("false");
  }
}
