package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InvalidInputException;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SparkSessionsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "spark.excludeOnFailure.enabled",
        "spark.excludeOnFailure.taskAndStage.enabled",
        "spark.excludeOnFailure.application.enabled"
      })
  void sparksOwnExclusionIsRefused(String key) {
    assertThatThrownBy(() -> SparkSessions.open("excludes", "local[1]", Map.of(key, "true")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(key)
        .hasMessageContaining("leave it out");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "spark://host:7077; 4",
        "local-cluster[2, 1, 1024]; 4",
        "local[2,3]; 3",
        "local[2]; 1",
        "local; 1",
        "yarn; 4"
      })
  void aTaskIsTriedAsOftenAsSparkTriesIt(String master, int tries) {
    assertThat(SparkSessions.tries(master, new SparkConf(false))).isEqualTo(tries);
  }

  @Test
  void moreTriesAreTheUsers() {
    assertThat(SparkSessions.tries("yarn", new SparkConf(false).set("spark.task.maxFailures", "9")))
        .isEqualTo(9);
  }
}
