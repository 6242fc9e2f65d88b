package io.cuzk.jobs.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs with drawn times: a planted slowdown is named, nothing else is. */
class RunComparisonTest {
  private static final double NOISE = 0.05;

  @TempDir private Path temp;

  private static RunComparison compare(Object... runs) {
    return RunComparison.of(
        java.util.Arrays.stream(runs).map(Object::toString).toList(),
        List.of(),
        new Configuration());
  }

  private static PhaseDifference phase(Comparison one, String name) {
    return one.phases().stream().filter(row -> row.phase().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void plantedSlowdownIsNamedAndNothingElse() {
    Path a = new SyntheticRun(1, NOISE).write(temp.resolve("a"), 30);
    for (String slow : List.of("synthesis.witness", "msm.h", "verify")) {
      Path b = new SyntheticRun(2, NOISE).slower(slow, 1.1).write(temp.resolve(slow), 30);
      RunComparison found = compare(a, b);
      Comparison one = found.comparisons().getFirst();
      assertThat(one.culprit()).get().extracting(PhaseDifference::phase).isEqualTo(slow);
      for (PhaseDifference row : one.phases()) {
        assertThat(row.verdict())
            .as(row.phase())
            .isEqualTo(row.phase().equals(slow) ? Verdict.SLOWER : Verdict.NO_DIFFERENCE);
      }
      Difference judged = phase(one, slow).judged();
      assertThat(judged.low()).isPositive().isLessThan(judged.change());
      assertThat(judged.high()).isGreaterThan(judged.change());
      assertThat(found.warnings()).isEmpty();
    }
  }

  /** On a machine that is now fast, now slow: pairs were measured side by side. */
  @Test
  void pairsShowWhatTheMachinesSpeedHides() {
    SplittableRandom random = new SplittableRandom(9);
    double[] speed = random.doubles(40, 1, 2.5).toArray();
    Path a =
        new SyntheticRun(10, NOISE)
            .factor((phase, partition) -> speed[partition])
            .write(temp.resolve("a"), 40);
    Path same =
        new SyntheticRun(11, NOISE)
            .factor((phase, partition) -> speed[partition])
            .write(temp.resolve("same"), 40);
    SyntheticRun slower =
        new SyntheticRun(12, NOISE)
            .factor((phase, partition) -> (phase.equals("msm.h") ? 1.1 : 1) * speed[partition]);
    Path b = slower.write(temp.resolve("b"), 40);
    Comparison found = compare(a, b).comparisons().getFirst();
    assertThat(phase(found, "msm.h").judged().paired()).isTrue();
    assertThat(found.culprit()).get().extracting(PhaseDifference::phase).isEqualTo("msm.h");
    assertThat(phase(found, "msm.h").judged().change()).isEqualTo(0.1, within(0.03));
    assertThat(compare(a, same).comparisons().getFirst().phases())
        .allMatch(row -> row.verdict() == Verdict.NO_DIFFERENCE);

    Comparison unpaired = compare(a, slower.write(temp.resolve("c"), 39)).comparisons().getFirst();
    assertThat(phase(unpaired, "msm.h").judged().paired()).isFalse();
    assertThat(unpaired.culprit()).isEmpty();
  }

  /** A run's place in the list is part of what makes a pair. */
  @Test
  void listedRunsArePairedOneByOne() {
    String before =
        new SyntheticRun(20, NOISE).write(temp.resolve("a1"), 6)
            + ","
            + new SyntheticRun(21, NOISE)
                .factor((phase, partition) -> 2)
                .write(temp.resolve("a2"), 6);
    String after =
        new SyntheticRun(22, NOISE).write(temp.resolve("b1"), 6)
            + ","
            + new SyntheticRun(23, NOISE)
                .factor((phase, partition) -> phase.equals("quotient") ? 2.4 : 2)
                .write(temp.resolve("b2"), 6);
    Comparison found = compare(before, after).comparisons().getFirst();
    assertThat(phase(found, "msm.h").judged().paired()).isTrue();
    assertThat(phase(found, "msm.h").judged().change()).isEqualTo(0, within(0.1));
    assertThat(phase(found, "msm.h").judged().high()).isLessThan(0.15);
  }

  @Test
  void tooFewMeasurementsAreSaidToShowNothing() {
    Path a = new SyntheticRun(30, NOISE).write(temp.resolve("a"), 2);
    Path b = new SyntheticRun(31, NOISE).slower("msm.h", 9).write(temp.resolve("b"), 2);
    RunComparison found = compare(a, b);
    assertThat(found.comparisons().getFirst().culprit()).isEmpty();
    assertThat(found.warnings())
        .anyMatch(line -> line.contains("no difference, however large; compare 7 or more"));
    Path c = new SyntheticRun(32, NOISE).write(temp.resolve("c"), 7);
    Path d = new SyntheticRun(33, NOISE).slower("msm.h", 9).write(temp.resolve("d"), 7);
    assertThat(compare(c, d).warnings()).isEmpty();
    assertThat(compare(c, d).comparisons().getFirst().culprit()).isPresent();
  }

  @Test
  void fasterIsFaster() {
    Path a = new SyntheticRun(3, NOISE).write(temp.resolve("a"), 30);
    Path b = new SyntheticRun(4, NOISE).slower("quotient", 0.85).write(temp.resolve("b"), 30);
    Comparison one = compare(a, b).comparisons().getFirst();
    assertThat(phase(one, "quotient").verdict()).isEqualTo(Verdict.FASTER);
    assertThat(one.culprit()).isEmpty();
  }

  @Test
  void twentyPairsOfEqualRunsRaiseNoAlarm() {
    for (int i = 0; i < 20; i++) {
      Path a = new SyntheticRun(100 + i, NOISE).write(temp.resolve("a" + i), 20);
      Path b = new SyntheticRun(200 + i, NOISE).write(temp.resolve("b" + i), 20);
      Comparison one = compare(a, b).comparisons().getFirst();
      assertThat(one.phases()).allMatch(row -> row.verdict() == Verdict.NO_DIFFERENCE);
      assertThat(one.phases()).allMatch(row -> row.wallVerdict() == Verdict.NO_DIFFERENCE);
      assertThat(one.total().verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
    }
  }

  @Test
  void lessThanTheMinimumEffectIsNoFindingHoweverManyMeasurements() {
    Path a = new SyntheticRun(5, NOISE).write(temp.resolve("a"), 3000);
    Path b = new SyntheticRun(6, NOISE).slower("msm.h", 1.02).write(temp.resolve("b"), 3000);
    Comparison one = compare(a, b).comparisons().getFirst();
    assertThat(phase(one, "msm.h").judged().low()).isPositive();
    assertThat(one.phases()).allMatch(row -> row.verdict() == Verdict.NO_DIFFERENCE);
  }

  @Test
  void phasesExplainTheTotal() {
    Path a = new SyntheticRun(7, 0).write(temp.resolve("a"), 10);
    Path b = new SyntheticRun(8, 0).slower("msm.h", 1.5).write(temp.resolve("b"), 10);
    Comparison one = compare(a, b).comparisons().getFirst();
    double planted = SyntheticRun.TYPICAL.get("msm.h") * 0.5;
    assertThat(one.explained(false)).isEqualTo(planted, within(1e-6));
    assertThat(one.total().wall().seconds()).isEqualTo(planted, within(1e-6));
    assertThat(one.total().cpu().seconds()).isEqualTo(1.8 * planted, within(1e-6));
    assertThat(one.phases()).noneMatch(PhaseDifference::nested);
  }

  @Test
  void attemptsThatFailedDoNotCount() {
    Path a = new SyntheticRun(9, 0).write(temp.resolve("a"), 10);
    Path b = new SyntheticRun(9, 0).withFailedAttempts().write(temp.resolve("b"), 10);
    Comparison one = compare(a, b).comparisons().getFirst();
    assertThat(phase(one, "msm.h").judged().change()).isEqualTo(0, within(1e-9));
    assertThat(phase(one, "msm.h").judged().afterCount()).isEqualTo(10);
  }

  @Test
  void slowExecutorIsSeen() {
    Path a = new SyntheticRun(10, NOISE).executors(3).write(temp.resolve("a"), 60);
    Path b =
        new SyntheticRun(11, NOISE)
            .executors(3)
            .factor((phase, partition) -> phase.equals("quotient") && partition % 3 == 1 ? 3 : 1)
            .write(temp.resolve("b"), 60);
    List<ExecutorShare> shares = compare(a, b).comparisons().getFirst().executors();
    assertThat(shares).hasSize(6);
    assertThat(shares.stream().filter(row -> row.difference().verdict() == Verdict.SLOWER))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.place()).isEqualTo("host executor 1: device");
              assertThat(row.side()).isEqualTo(b.toString());
              assertThat(row.phase()).isEqualTo("quotient");
              assertThat(row.partitions()).isEqualTo(20);
            });
  }

  @Test
  void deviceWorkIsJudgedByTheClock() {
    Path a = new SyntheticRun(12, NOISE).backend("cuda").write(temp.resolve("a"), 20);
    Path b = new SyntheticRun(13, NOISE).backend("cuda").write(temp.resolve("b"), 20);
    Comparison one = compare(a, b).comparisons().getFirst();
    assertThat(phase(one, "queue.wait").byCpu()).isFalse();
    assertThat(phase(one, "msm.h").byCpu()).as("CPU time is most of it").isTrue();
  }

  @Test
  void otherCircuitsAndKeysAreRefusedOtherHardwareIsNamed() {
    Path a = new SyntheticRun(14, NOISE).write(temp.resolve("a"), 8);
    Path key = new SyntheticRun(14, NOISE).key("11").write(temp.resolve("key"), 5);
    assertThatThrownBy(() -> compare(a, key))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("circuits or keys differ")
        .hasMessageContaining("key 00")
        .hasMessageContaining("key 11");
    Path cpu = new SyntheticRun(14, NOISE).cpuOfDriver("another").write(temp.resolve("cpu"), 8);
    assertThat(compare(a, cpu).warnings())
        .singleElement()
        .asString()
        .contains("hardware cpu_model: a CPU in", "another in");
    Path executors =
        new SyntheticRun(14, NOISE)
            .executors(3)
            .cpuOfExecutors("another")
            .write(temp.resolve("executors"), 8);
    assertThat(compare(a, executors).warnings())
        .singleElement()
        .asString()
        .contains(
            "executors' hardware: a CPU, 2 cores, device device in",
            "another, 2 cores, device device in");
  }

  @Test
  void severalRunsCountAsOne() {
    Path a = new SyntheticRun(15, NOISE).write(temp.resolve("a"), 7);
    Path b = new SyntheticRun(16, NOISE).write(temp.resolve("b"), 8);
    Comparison one = compare(a + "," + b, a).comparisons().getFirst();
    assertThat(phase(one, "msm.a").judged().beforeCount()).isEqualTo(15);
    assertThat(phase(one, "msm.a").judged().afterCount()).isEqualTo(7);
  }

  @Test
  void budgetsOfPhasesGroupsAndTheTotal() {
    String a = new SyntheticRun(17, NOISE).write(temp.resolve("a"), 30).toString();
    String b =
        new SyntheticRun(18, NOISE)
            .slower("synthesis.witness", 1.2)
            .write(temp.resolve("b"), 30)
            .toString();
    List<Budget> budgets =
        List.of(
            Budget.parse("synthesis=+3%"),
            Budget.parse("synthesis.evaluate=3%"),
            Budget.parse("msm = +5 %"),
            Budget.parse("total=+3%"),
            Budget.parse("msm.h=-10%"));
    RunComparison found = RunComparison.of(List.of(a, b), budgets, new Configuration());
    assertThat(found.budgets())
        .extracting(Budget.Outcome::exceeded)
        .containsExactly(true, false, false, false, true);
    assertThat(found.exceeded()).isTrue();
    assertThatThrownBy(
            () ->
                RunComparison.of(
                    List.of(a, b), List.of(Budget.parse("syntesis=+3%")), new Configuration()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("did you mean synthesis?");
    for (String bad : List.of("msm", "msm=3", "=+3%", "msm=+x%")) {
      assertThatThrownBy(() -> Budget.parse(bad)).hasMessageContaining("phase=+N%");
    }
  }

  @Test
  void whatIsNoRunIsRefused() throws IOException {
    Path a = new SyntheticRun(19, NOISE).write(temp.resolve("a"), 5);
    assertThatThrownBy(() -> compare(a, temp.resolve("none")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("no run.json");
    Path broken = new SyntheticRun(19, NOISE).write(temp.resolve("broken"), 5);
    Files.write(broken.resolve("phases/part-00000.snappy.parquet"), new byte[300]);
    assertThatThrownBy(() -> compare(a, broken))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("broken/phases/part-00000")
        .hasMessageContaining("no whole Parquet file");
    Path later = new SyntheticRun(19, NOISE).write(temp.resolve("later"), 5);
    Path record = later.resolve("run.json");
    Files.writeString(
        record, Files.readString(record).replace("\"schema_version\":1", "\"schema_version\":9"));
    assertThatThrownBy(() -> compare(a, later)).hasMessageContaining("schema_version is 9");
  }

  @Test
  void aRunWhoseSectorsAllFailedIsNamed() {
    Path failed = new SyntheticRun(21, NOISE).write(temp.resolve("failed"), 0);
    Path run = new SyntheticRun(22, NOISE).write(temp.resolve("run"), 5);
    assertThatThrownBy(() -> compare(failed, run))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("no proof verified in " + failed + ": there is nothing to compare");
  }

  @Test
  void benchOutputsAreComparedByRow() throws IOException {
    Path a = Files.writeString(temp.resolve("a.json"), bench("[1.0,1.1,0.9,1.05,0.95,1.02]"));
    Path b = Files.writeString(temp.resolve("b.json"), bench("[1.4,1.5,1.3,1.45,1.35,1.42]"));
    Comparison one = compare(a, b).comparisons().getFirst();
    PhaseDifference row = phase(one, "msm_g1.lanes.20.x2");
    assertThat(row.verdict()).isEqualTo(Verdict.SLOWER);
    assertThat(phase(one, "ntt.lanes.20.x2").verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
    assertThat(one.hasTotal()).isFalse();
    Path run = new SyntheticRun(20, NOISE).write(temp.resolve("run"), 5);
    assertThatThrownBy(() -> compare(a, run)).hasMessageContaining("cannot be compared");
    Path other = Files.writeString(temp.resolve("c.json"), "{\"rows\":[]}");
    assertThatThrownBy(() -> compare(a, other)).hasMessageContaining("neither rows nor variants");
    Path text = Files.writeString(temp.resolve("d.json"), "no JSON");
    assertThatThrownBy(() -> compare(a, text)).hasMessageContaining("is no JSON");
  }

  private static String bench(String samples) {
    return """
    {"cpu":"a CPU","jdk":"25","rows":[
     {"work":"msm_g1","provider":"lanes","size":20,"threads":2,"cpu_s":1.0,"wall_s":0.6,
      "cpu_samples_s":%s},
     {"work":"ntt","provider":"lanes","size":20,"threads":2,"cpu_s":1.0,"wall_s":0.6}]}
    """
        .formatted(samples);
  }
}
