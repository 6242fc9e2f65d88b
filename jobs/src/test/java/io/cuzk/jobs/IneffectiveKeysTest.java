package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.fault.FaultyBackend;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

/** Keys that do nothing with the backend and the parameters of a run. */
class IneffectiveKeysTest {
  private static final String PINNING = "spark.cuzk.cuda.pinning";
  private static final String TIMEOUT = "spark.cuzk.device.timeout";
  private static final String CACHE = "spark.cuzk.params.cache";

  private static void check(
      SparkConf spark, String backend, String parameters, String key, String value) {
    IneffectiveKeys.refuse(CuzkConf.of(Map.of(key, value)), spark, backend, parameters);
  }

  private static void refused(String backend, String parameters, String key, String value) {
    assertThatThrownBy(() -> check(new SparkConf(false), backend, parameters, key, value))
        .isInstanceOfSatisfying(
            InvalidInputException.class,
            e -> org.assertj.core.api.Assertions.assertThat(e.exitCode()).isEqualTo(2))
        .hasMessageContaining(key + ": ");
  }

  private static void taken(String backend, String parameters, String key, String value) {
    assertThatCode(() -> check(new SparkConf(false), backend, parameters, key, value))
        .doesNotThrowAnyException();
  }

  @Test
  void whatIsOnlyForDevicesIsRefusedOnTheCpu() {
    refused("cpu", "/p", PINNING, "ring"); // the default, but somebody meant something by it
    refused(FaultyBackend.NAME, "/p", PINNING, "none");
    refused("cpu", "/p", TIMEOUT, "5min");
    taken(FaultyBackend.NAME, "/p", TIMEOUT, "5min");
    taken("cpu", "/p", "spark.cuzk.threads", "2");
    SparkConf assigned = new SparkConf(false).set("spark.task.resource.gpu.amount", "1");
    assertThatCode(() -> check(assigned, "cpu", "/p", TIMEOUT, "5min")).doesNotThrowAnyException();
  }

  @Test
  void aCacheIsOnlyForParametersThatAreFetched() {
    refused("cpu", "/p", CACHE, "/cache");
    taken("cpu", "hdfs://nn/p", CACHE, "/cache");
  }
}
