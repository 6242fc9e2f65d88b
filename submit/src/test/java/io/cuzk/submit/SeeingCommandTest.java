package io.cuzk.submit;

import static io.cuzk.submit.Captured.cuzk;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cuzk compare}, {@code cuzk report} and {@code cuzk bench runs}. */
class SeeingCommandTest {
  private static final Path SAMPLE = Path.of("..", "notebooks", "sample", "run");

  @TempDir private Path temp;

  private Path copy(String name) throws IOException {
    Path to = temp.resolve(name);
    try (Stream<Path> files = Files.walk(SAMPLE)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(SAMPLE.relativize(file).toString()));
      }
    }
    return to;
  }

  private Path bench(String name, double factor) throws IOException {
    StringBuilder samples = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      samples.append(i == 0 ? "" : ",").append(factor * (1 + i % 5 / 100.0 + i / 1e4));
    }
    return Files.writeString(
        temp.resolve(name),
        """
        {"cpu":"a CPU","jdk":"25","rows":[{"work":"msm_g1","provider":"lanes","size":20,
         "threads":2,"cpu_s":%s,"wall_s":1,"cpu_samples_s":[%s]}]}
        """
            .formatted(factor, samples));
  }

  @Test
  void exceededBudgetsEndWithSix() throws IOException {
    Path a = bench("a.json", 1);
    Path b = bench("b.json", 1.1);
    Captured slower = cuzk("compare", a, b, "--budget", "msm_g1=+3%", "--json");
    assertThat(slower.code()).isEqualTo(6);
    JsonNode json = slower.json();
    assertThat(json.path("exceeded").asBoolean()).isTrue();
    assertThat(json.at("/phases/0/verdict").asText()).isEqualTo("slower");
    assertThat(json.at("/phases/0/change").asDouble()).isBetween(0.09, 0.11);
    assertThat(json.at("/phases/0/cpu/low").asDouble()).isPositive();
    assertThat(json.at("/totals/0/culprit").asText()).isEqualTo("msm_g1.lanes.20.x2");
    assertThat(json.at("/budgets/0/exceeded").asBoolean()).isTrue();
    Captured kept = cuzk("compare", a, b, "--budget", "msm_g1=+20%");
    assertThat(kept.code()).isZero();
    assertThat(kept.out()).contains("kept, +10.0 %").contains("slower: msm_g1.lanes.20.x2");
    assertThat(cuzk("compare", a, a, "--budget", "msm_g1=+3%").code()).isZero();
  }

  @Test
  void whatCannotBeComparedIsAnError() throws IOException {
    Path a = bench("a.json", 1);
    assertThat(cuzk("compare", a).code()).isEqualTo(2);
    Captured form = cuzk("compare", a, a, "--budget", "msm_g1=3");
    assertThat(form.code()).isEqualTo(2);
    assertThat(form.err()).contains("phase=+N%");
    Captured phase = cuzk("compare", a, a, "--budget", "msm_g2=+3%");
    assertThat(phase.code()).isEqualTo(3);
    assertThat(phase.err()).contains("did you mean msm_g1?");
    Captured run = cuzk("compare", temp, SAMPLE);
    assertThat(run.code()).isEqualTo(3);
    assertThat(run.err()).contains("no run.json");
    assertThat(cuzk("compare", a, SAMPLE).code()).isEqualTo(3);
  }

  @Test
  void realRunsAreComparedAndReported() throws IOException {
    Path run = copy("run");
    Captured same = cuzk("compare", SAMPLE, run, "--json");
    assertThat(same.code()).as(same.err()).isZero();
    for (JsonNode phase : same.json().path("phases")) {
      assertThat(phase.path("verdict").asText()).isEqualTo("no difference shown");
    }
    assertThat(same.json().at("/totals/0/unexplained_cpu_s").asDouble()).isZero();
    Captured report = cuzk("report", run, "--against", SAMPLE);
    assertThat(report.code()).as(report.err()).isZero();
    assertThat(report.out()).contains("3 of 3 sectors verified", "msm.h", "report.html");
    assertThat(run.resolve("report.html")).content().contains("<svg", "id=\"waterfall\"");
    Captured json = cuzk("report", run, "--json");
    assertThat(json.json().path("report").asText()).endsWith("run/report.html");
    assertThat(json.json().path("partitions_per_hour").asDouble()).isPositive();
    assertThat(cuzk("report", temp).code()).isEqualTo(3);
  }

  @Test
  void selfTestOfCompareCounts() {
    Captured ran =
        cuzk("bench", "runs", "--self-test-compare", "--proofs=2", "--pairs=1", "--json");
    assertThat(ran.code()).as(ran.err()).isZero();
    JsonNode json = ran.json();
    assertThat(json.path("planted_phase").asText()).isEqualTo("synthesis.witness");
    assertThat(json.has("named_phase")).isTrue();
    assertThat(json.path("equal_pairs").asInt()).isEqualTo(1);
    assertThat(json.path("false_alarms").asInt()).isZero();
    assertThat(cuzk("bench", "runs").code()).isEqualTo(2);
    assertThat(cuzk("bench", "runs", "--self-test-compare", "--proofs=1").code()).isEqualTo(2);
  }
}
