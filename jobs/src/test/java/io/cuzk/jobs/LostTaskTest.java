package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** What Spark says when it gives up a job, in its own words. */
class LostTaskTest {
  private static Throwable failure() {
    SparkSession spark = SparkSessions.open("lost", "local[1,3]", Map.of());
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
    LostTask lost = LostTask.of(failure()).orElseThrow();
    assertThat(lost.index()).isEqualTo(1);
    assertThat(lost.reason()).contains("IllegalStateException: its disk is broken");
  }

  @Test
  void anotherEndOfAJobNamesNoTask() {
    assertThat(LostTask.of(new IllegalStateException("Job 3 cancelled part of job group x")))
        .isEmpty();
  }
}
