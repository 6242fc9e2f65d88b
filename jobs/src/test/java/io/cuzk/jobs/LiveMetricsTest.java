package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.InvalidInputException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/**
 * What Prometheus is told of a real session's tasks, and that the dashboard asks for nothing else.
 */
class LiveMetricsTest {
  /** A line of the exposition format: name, labels, value. */
  private static final Pattern LINE =
      Pattern.compile("([a-z_]+)(\\{(?:[a-z]+=\"[^\"]*\",?)+})? (\\d+\\.\\d{3})");

  private static String get(String address) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://" + address + "/metrics")).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Test
  void tasksOfASessionAreCounted() throws Exception {
    List<String> notes = new ArrayList<>();
    SparkSession spark =
        SparkSessions.openToProve(
            "live",
            "local[2]",
            Map.of("spark.cuzk.metrics.prometheus", "0", "spark.cuzk.selftest", "never"));
    try (LiveMetrics live =
        LiveMetrics.open(
            CuzkConf.of(spark.sparkContext().conf()),
            spark,
            new Progress() {
              @Override
              public void stage(String name, int total) {
                notes.add(name + " " + total);
              }

              @Override
              public void advanced(int done) {
                notes.add("done " + done);
              }

              @Override
              public void note(String line) {
                notes.add(line);
              }
            })) {
      String address = live.address();
      live.stage("proving partitions", 7);
      JavaSparkContext.fromSparkContext(spark.sparkContext())
          .parallelize(List.of(1, 2, 3, 4, 5), 5)
          .count();
      live.advanced(5);
      spark.sparkContext().listenerBus().waitUntilEmpty();
      // By the plugin's own way from an executor, which is in this process, to the driver.
      ExecutorSide.proved(List.of(phase("msm.h", 2_000_000_000L, 3_500_000_000L)));
      ExecutorSide.proved(
          List.of(
              phase("msm.h", 1_250_000_000L, 2_000_000_000L),
              phase("queue.wait", 7_000_000L, null)));
      String text = awaited(address, "phase=\"queue.wait\"");
      for (String line : text.lines().toList()) {
        assertThat(line.startsWith("# ") || LINE.matcher(line).matches()).as(line).isTrue();
      }
      assertThat(text)
          .contains(
              "# TYPE cuzk_tasks_ended_total counter",
              "cuzk_stage_steps{stage=\"proving partitions\"} 7.000",
              "cuzk_stage_steps_done{stage=\"proving partitions\"} 5.000",
              "result=\"success\"} 5.000",
              "cuzk_phases_total" + where("msm.h") + " 2.000",
              "cuzk_phase_seconds_total" + where("msm.h") + " 3.250",
              "cuzk_phase_cpu_seconds_total" + where("msm.h") + " 5.500",
              "cuzk_phase_seconds_total" + where("queue.wait") + " 0.007",
              "cuzk_phase_cpu_seconds_total" + where("queue.wait") + " 0.000",
              "result=\"failure\"} 0.000");
      assertThat(notes)
          .contains(
              "metrics for Prometheus at http://" + address + "/metrics",
              "proving partitions 7",
              "done 5");
      live.close();
      assertThatThrownBy(() -> get(address)).isInstanceOf(ConnectException.class);
      dashboardAsksOnlyForWhatThereIs(text);
    } finally {
      spark.stop();
    }
  }

  private static PhaseRecord phase(String name, long wallNanos, Long cpuNanos) {
    return new PhaseRecord(
        1, "id", "s-t01000-1", 0, 0, name, 0, wallNanos, cpuNanos, "cpu", "a", "h", "0");
  }

  private static String where(String phase) {
    return "{executor=\"driver\",host=\"%s\",phase=\"%s\"}"
        .formatted(SparkEnv.get().blockManager().blockManagerId().host(), phase);
  }

  /** Messages to the driver take their time. */
  private static String awaited(String address, String expected) throws Exception {
    String text = get(address);
    for (int i = 0; i < 600 && !text.contains(expected); i++) {
      Thread.sleep(50);
      text = get(address);
    }
    return text;
  }

  private static void dashboardAsksOnlyForWhatThereIs(String text) throws Exception {
    JsonNode dashboard =
        new ObjectMapper().readTree(Path.of("..", "submit", "conf", "grafana.json").toFile());
    int asked = 0;
    for (JsonNode panel : dashboard.path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        Matcher name = Pattern.compile("cuzk_[a-z_]+").matcher(target.path("expr").asText());
        while (name.find()) {
          asked++;
          assertThat(text).contains("# TYPE " + name.group() + " ");
        }
      }
    }
    assertThat(asked).isGreaterThan(5);
  }

  @Test
  void addressesAreReadAndBadOnesRefused() {
    assertThat(value("off")).isEqualTo("Optional.empty");
    assertThat(value("9100")).contains("127.0.0.1:9100");
    assertThat(value("0.0.0.0:9100")).contains("0.0.0.0:9100");
    for (String bad : new String[] {"on", "70000", "host:", ":1", "a b:1"}) {
      assertThatThrownBy(() -> value(bad))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("HOST:PORT");
    }
  }

  private static String value(String written) {
    return CuzkConf.of(Map.of("spark.cuzk.metrics.prometheus", written))
        .value(CuzkConf.METRICS_PROMETHEUS)
        .toString();
  }
}
