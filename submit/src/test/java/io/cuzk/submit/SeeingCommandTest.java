package io.cuzk.submit;

import static io.cuzk.submit.Captured.cuzk;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.jobs.compare.CompareSelfTest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code cuzk compare}, {@code cuzk report} and {@code cuzk bench runs}. */
class SeeingCommandTest {
  private static final Path SAMPLE = Path.of("..", "notebooks", "sample", "run");

  @TempDir private Path temp;

  private Path copy(String name) {
    Path to = temp.resolve(name);
    try (Stream<Path> files = Files.walk(SAMPLE)) {
      for (Path file : files.toList()) {
        if (Files.isRegularFile(file)) {
          Path place = to.resolve(SAMPLE.relativize(file).toString());
          Files.createDirectories(place.getParent());
          Files.copy(file, place);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
    // Two proofs show nothing, however different: the planted phase is not named, and it says so.
    assertThat(ran.code()).as(ran.err()).isEqualTo(5);
    assertThat(ran.err()).contains("named none", "quieter machine or more proofs");
    assertThat(ran.json().path("passed").asBoolean()).isFalse();
    JsonNode json = ran.json();
    assertThat(json.path("planted_phase").asText()).isEqualTo("synthesis.witness");
    assertThat(json.path("named_phase").isNull()).isTrue();
    assertThat(json.path("equal_pairs").asInt()).isEqualTo(1);
    assertThat(json.path("false_alarms").asInt()).isZero();
    assertThat(cuzk("bench", "runs").code()).isEqualTo(2);
    assertThat(cuzk("bench", "runs", "--self-test-compare", "--proofs=1").code()).isEqualTo(2);
  }

  @Test
  void selfTestPassesOnlyWithoutAFalseAlarmAndWithTheRightName() {
    assertThat(new CompareSelfTest("a", "a", null, 20, 0).passed()).isTrue();
    assertThat(new CompareSelfTest("a", "a", null, 20, 1).passed()).isFalse();
    assertThat(new CompareSelfTest("a", "b", null, 20, 0).passed()).isFalse();
    assertThat(new CompareSelfTest("a", null, null, 20, 0).passed()).isFalse();
  }

  @Test
  void interleavedRunsAlternate() {
    List<InterleavedRuns.Variant> variants =
        Stream.of("synthesis=reference", "synthesis=compiled+threads=1")
            .map(text -> InterleavedRuns.Variant.parse(text, "spark.cuzk."))
            .toList();
    InterleavedRuns plan = new InterleavedRuns(variants, 3, temp);
    assertThat(plan.runs().stream().map(run -> temp.relativize(run.directory()).toString()))
        .containsExactly(
            "synthesis-reference/1",
            "synthesis-compiled-threads-1/1",
            "synthesis-compiled-threads-1/2",
            "synthesis-reference/2",
            "synthesis-reference/3",
            "synthesis-compiled-threads-1/3");
    assertThat(plan.sides(side -> temp.relativize(Path.of(side)).toString()))
        .containsExactly(
            "synthesis-reference/1,synthesis-reference/2,synthesis-reference/3",
            "synthesis-compiled-threads-1/1,synthesis-compiled-threads-1/2,"
                + "synthesis-compiled-threads-1/3");
    assertThat(plan.runs().get(1).words(List.of("prove")))
        .containsExactly(
            "prove",
            "--out=" + temp.resolve("synthesis-compiled-threads-1/1"),
            "--conf=spark.cuzk.synthesis=compiled",
            "--conf=spark.cuzk.threads=1");
  }

  @Test
  void interleavingNeedsVariantsThatThereAre() throws IOException {
    Object[] rest = {"--c1", SAMPLE, "--params", temp, "--out", temp.resolve("ab")};
    assertThat(runs("synthesis=reference", rest).err()).contains("two variants or more");
    assertThat(runs("synthesis=reference,synthesis=fast", rest).err()).contains("one of compiled");
    assertThat(runs("synthesis=reference,syntesis=compiled", rest).err())
        .contains("did you mean spark.cuzk.synthesis?");
    assertThat(runs("synthesis=reference,compiled", rest).err()).contains("expected KEY=VALUE");
    assertThat(runs("synthesis=reference,synthesis=compiled").err()).contains("needs --c1");
    Files.createDirectories(temp.resolve("ab/synthesis-compiled/2"));
    Captured there = runs("synthesis=reference,synthesis=compiled", rest);
    assertThat(there.code()).isEqualTo(3);
    assertThat(there.err()).contains("ab/synthesis-compiled/2 is already there");
  }

  @Test
  void interleavedRunsAreCompared() throws IOException {
    BenchRunsCommand command = new BenchRunsCommand();
    StringWriter out = new StringWriter();
    CommandLine line = new CommandLine(command);
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(new StringWriter()));
    line.parseArgs(
        "--interleave=synthesis=reference,synthesis=compiled",
        "--rounds=2",
        "--c1=c1",
        "--params=p",
        "--miner=1000",
        "--out=" + temp.resolve("ab"),
        "--json");
    List<String> made = new ArrayList<>();
    int code =
        command.interleave(
            words -> {
              assertThat(words).startsWith("prove", "--json", "--c1=c1", "--params=p");
              assertThat(words).contains("--miner=1000");
              String directory = words.get(words.size() - 2).substring("--out=".length());
              made.add(words.getLast());
              copy(temp.relativize(Path.of(directory)).toString());
            });
    assertThat(code).isZero();
    assertThat(made)
        .containsExactly(
            "--conf=spark.cuzk.synthesis=reference",
            "--conf=spark.cuzk.synthesis=compiled",
            "--conf=spark.cuzk.synthesis=compiled",
            "--conf=spark.cuzk.synthesis=reference");
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.path("runs")).hasSize(4);
    assertThat(json.at("/compare/1").asText())
        .isEqualTo(
            temp.resolve("ab/synthesis-compiled/1")
                + ","
                + temp.resolve("ab/synthesis-compiled/2"));
    // Two runs of three partitions on each side.
    assertThat(json.at("/comparison/phases/0/cpu/before_count").asInt()).isEqualTo(6);
    assertThat(json.at("/comparison/totals/0/verdict").asText()).isEqualTo("no difference shown");
  }

  private static Captured runs(String variants, Object... rest) {
    List<Object> words = new ArrayList<>(List.of("bench", "runs", "--interleave", variants));
    words.addAll(List.of(rest));
    return cuzk(words.toArray());
  }
}
