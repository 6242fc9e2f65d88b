package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InvalidInputException;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class CuzkConfTest {
  @Test
  void readsItsKeysAndLeavesSparksAlone() {
    CuzkConf conf =
        CuzkConf.of(
            new SparkConf(false).set("spark.cuzk.threads", "3").set("spark.app.name", "cuzk"));
    assertThat(conf.value(CuzkConf.THREADS)).isEqualTo(3);
    assertThat(conf.value(CuzkConf.BACKEND)).isEqualTo("auto");
    assertThat(conf.effective()).containsEntry("spark.cuzk.threads", "3").hasSize(5);
  }

  @Test
  void anUnknownKeyIsRefusedWithTheNearest() {
    assertThatThrownBy(() -> CuzkConf.of(Map.of("spark.cuzk.backed", "cpu")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("spark.cuzk.backed")
        .hasMessageContaining("did you mean spark.cuzk.backend?");
  }

  @Test
  void aValueThatCannotBeReadIsRefusedWithWhatIsExpected() {
    assertThatThrownBy(() -> CuzkConf.of(Map.of("spark.cuzk.threads", "two")))
        .hasMessageContaining("spark.cuzk.threads=two")
        .hasMessageContaining("whole number");
    assertThatThrownBy(() -> CuzkConf.of(Map.of("spark.cuzk.backend", "cudo")))
        .hasMessageContaining("did you mean cuda?");
    for (String value : java.util.List.of("30", "1.5m", "-3s", "30 sec", "1s", "", "9999999999s")) {
      assertThatThrownBy(() -> CuzkConf.of(Map.of("spark.cuzk.lock.timeout", value)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("spark.cuzk.lock.timeout=" + value)
          .hasMessageContaining("is expected");
    }
    assertThat(CuzkConf.of(Map.of("spark.cuzk.lock.timeout", "2min")).value(CuzkConf.LOCK_TIMEOUT))
        .hasMinutes(2);
  }

  @Test
  void secretsDoNotReachTheRecord() {
    assertThat(
            RunRecord.redact(
                java.util.List.of(
                    "prove",
                    "--conf",
                    "spark.hadoop.fs.s3a.secret.key=abc",
                    "--test-randomness",
                    "01,02",
                    "--out",
                    "run",
                    "--test-randomness=03,04")))
        .containsExactly(
            "prove",
            "--conf",
            "spark.hadoop.fs.s3a.secret.key=(hidden)",
            "--test-randomness",
            "(hidden)",
            "--out",
            "run",
            "--test-randomness=(hidden)");
  }
}
