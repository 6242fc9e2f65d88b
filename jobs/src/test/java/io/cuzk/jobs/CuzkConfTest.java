package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InvalidInputException;
import java.util.List;
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
    assertThat(conf.effective())
        .containsEntry("spark.cuzk.threads", "3")
        .hasSameSizeAs(CuzkConf.KEYS);
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
  void sizesNeedAUnitAndMayHaveAFraction() {
    Map<String, Long> good =
        Map.of(
            "1.5GiB",
            3L << 29,
            "512m",
            512L << 20,
            "2 TiB",
            2L << 40,
            "1024k",
            1L << 20,
            "auto",
            0L);
    good.forEach(
        (text, bytes) ->
            assertThat(
                    CuzkConf.of(Map.of("spark.cuzk.memory.budget", text))
                        .value(CuzkConf.MEMORY_BUDGET))
                .as(text)
                .isEqualTo(bytes));
    for (String value :
        java.util.List.of("50", "1,5GiB", "-1g", "1.5.0g", "g", "0.5k", "9999999t")) {
      assertThatThrownBy(() -> CuzkConf.of(Map.of("spark.cuzk.memory.budget", value)))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("spark.cuzk.memory.budget=" + value)
          .hasMessageContaining("is expected");
    }
  }

  @Test
  void theCacheOfKeysIsALocalDirectory() {
    assertThat(CuzkConf.of(Map.of("spark.cuzk.params.cache", "/k")).value(CuzkConf.PARAMS_CACHE))
        .isEqualTo("/k");
    for (String value : List.of("keys", "hdfs://nn/keys", "~other/keys")) {
      assertThatThrownBy(() -> CuzkConf.of(Map.of("spark.cuzk.params.cache", value)))
          .hasMessageContaining("spark.cuzk.params.cache=" + value)
          .hasMessageContaining("absolute path");
    }
  }

  @Test
  void aShapeIsReadBeforeAnythingRuns() {
    String good = "nodes=64,tree=8-0-0,layers=11,partitions=2,challenges=1";
    assertThat(CuzkConf.of(Map.of("spark.cuzk.shape", good)).value(CuzkConf.SHAPE)).isEqualTo(good);
    assertThatThrownBy(() -> CuzkConf.of(Map.of("spark.cuzk.shape", "nodes=64,layer=2")))
        .hasMessageContaining("no part 'layer'")
        .hasMessageContaining("layers");
  }

  @Test
  void aBackendOnTheClassPathHasItsName() {
    assertThat(CuzkConf.of(Map.of("spark.cuzk.backend", "faulty")).value(CuzkConf.BACKEND))
        .isEqualTo("faulty");
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
