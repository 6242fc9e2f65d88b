package io.cuzk.submit;

import io.cuzk.InvalidInputException;
import io.cuzk.bench.ToyProofs;
import io.cuzk.jobs.CuzkConf;
import io.cuzk.jobs.compare.CompareSelfTest;
import io.cuzk.jobs.compare.RunComparison;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.ProverBackend;
import io.cuzk.prover.ProverBackends;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cuzk bench runs}. */
@Command(
    name = "runs",
    description = {
      "Makes runs of several variants in turn and compares them; or sees whether cuzk compare can",
      "be trusted on this machine: a slowdown of 10 % planted in one phase of small proofs must be",
      "named, pairs of equal runs must raise no alarm (exit code 5 when not)."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk bench runs --interleave synthesis=reference,synthesis=compiled --rounds 3 \\",
      "      --c1 c1/ --params params/ --out ab/",
      "  cuzk bench runs --interleave synthesis=compiled,synthesis=compiled+threads=1 …",
      "  cuzk bench runs --self-test-compare --json"
    })
final class BenchRunsCommand implements Callable<Integer> {
  private static final int MOST = 10_000;

  @Mixin private Common common;

  @Spec private CommandSpec spec;

  @Option(
      names = "--self-test-compare",
      description = "Plant a slower phase, compare; compare equal runs.")
  private boolean selfTest;

  @Option(
      names = "--proofs",
      paramLabel = "N",
      defaultValue = "120",
      description = "Self-test: proofs of each run (default: ${DEFAULT-VALUE}).")
  private int proofs;

  @Option(
      names = "--pairs",
      paramLabel = "N",
      defaultValue = "20",
      description = "Self-test: pairs of equal runs (default: ${DEFAULT-VALUE}).")
  private int pairs;

  @Option(
      names = "--interleave",
      paramLabel = "A,B",
      split = ",",
      description =
          "Variants to run in turn, the first one what the others are compared with: settings as"
              + " KEY=VALUE, several joined by +; keys of spark.cuzk. without that prefix.")
  private List<String> variants = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Runs of each variant (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--c1",
      paramLabel = "PATH",
      arity = "1..*",
      description = "C1 files, as prove's.")
  private List<String> inputs = new ArrayList<>();

  @Option(names = "--params", paramLabel = "D", description = "The parameters' directory.")
  private String parameters;

  @Option(names = "--out", paramLabel = "D", description = "Where the runs go: D/VARIANT/ROUND.")
  private Path out;

  @Option(names = "--miner", paramLabel = "M", description = "As prove's.")
  private String miner;

  @Option(names = "--master", paramLabel = "URL", description = "As prove's.")
  private String master;

  @Option(names = "--conf", paramLabel = "K=V", description = "A setting of all runs.")
  private List<String> settings = new ArrayList<>();

  @Override
  public Integer call() {
    if (selfTest == !variants.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "either --self-test-compare or --interleave A,B is expected");
    }
    return selfTest ? selfTest() : interleave(words -> SeparateJvm.prove(common, words));
  }

  private int selfTest() {
    if (proofs < 2 || proofs > MOST || pairs < 0 || pairs > MOST) {
      throw new ParameterException(
          spec.commandLine(),
          "--proofs: 2 to %d, --pairs: 0 to %d; found %d and %d"
              .formatted(MOST, MOST, proofs, pairs));
    }
    CompareSelfTest found;
    try (Workers workers = Workers.of(1);
        ProverBackend backend = ProverBackends.open("cpu", 0, workers);
        ToyProofs toy = ToyProofs.open(backend, workers);
        ProgressLines progress = ProgressLines.on(common.err())) {
      found = CompareSelfTest.run(toy, proofs, pairs, progress::advanced);
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("planted_phase", found.plantedPhase());
    object.put("named_phase", found.namedPhase());
    object.put("equal_pairs", found.equalPairs());
    object.put("false_alarms", found.falseAlarms());
    object.put("proofs", proofs);
    object.put("passed", found.passed());
    common.object(object);
    String named = found.namedPhase() == null ? "none" : found.namedPhase();
    common.say(
        "planted: 10 %% in %s; named: %s; %d pairs of equal runs, %d false alarms"
            .formatted(found.plantedPhase(), named, found.equalPairs(), found.falseAlarms()));
    if (!found.passed()) {
      common.note(
          ("cuzk: compare is not to be trusted here with runs of %d proofs: planted in %s, named"
               + " %s, %d false alarms in %d pairs; use a quieter machine or more proofs (--proofs"
               + " %d)")
              .formatted(
                  proofs,
                  found.plantedPhase(),
                  named,
                  found.falseAlarms(),
                  found.equalPairs(),
                  Math.min(MOST, 2 * proofs)));
    }
    return found.passed() ? ExitCode.GOOD : ExitCode.INFRASTRUCTURE;
  }

  /** Makes the runs by a function of the words after {@code cuzk}, and compares them. */
  int interleave(Maker maker) {
    List<InterleavedRuns.Variant> parsed = variants();
    if (inputs.isEmpty() || parameters == null || out == null) {
      throw new ParameterException(
          spec.commandLine(), "--interleave needs --c1, --params and --out");
    }
    InterleavedRuns plan = new InterleavedRuns(parsed, rounds, out);
    List<String> words = new ArrayList<>(List.of("prove", "--json"));
    inputs.forEach(input -> words.add("--c1=" + input));
    words.add("--params=" + parameters);
    if (miner != null) {
      words.add("--miner=" + miner);
    }
    if (master != null) {
      words.add("--master=" + master);
    }
    settings.forEach(setting -> words.add("--conf=" + setting));
    for (InterleavedRuns.Run run : plan.runs()) {
      common.note(
          "cuzk: round %d of %d, %s, in a JVM of its own …"
              .formatted(run.round(), rounds, run.variant().label()));
      maker.make(run.words(words));
    }
    List<String> sides = plan.sides(UnaryOperator.identity());
    RunComparison found = RunComparison.of(sides, List.of(), new Configuration());
    CompareReport report = new CompareReport(found);
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("rounds", rounds);
    object.put("variants", parsed.stream().map(InterleavedRuns.Variant::label).toList());
    object.put("runs", plan.runs().stream().map(run -> run.directory().toString()).toList());
    object.put("compare", sides);
    object.put("comparison", report.object());
    common.object(object);
    found.warnings().forEach(line -> common.note("warning: " + line));
    report.lines(common);
    common.say("compare again: cuzk compare " + String.join(" ", sides));
    return ExitCode.GOOD;
  }

  /** Makes a run of the words after {@code cuzk}; throws where it did not verify everything. */
  interface Maker {
    void make(List<String> words);
  }

  private List<InterleavedRuns.Variant> variants() {
    if (variants.size() < 2 || rounds < 1 || rounds > MOST) {
      throw new ParameterException(
          spec.commandLine(),
          "--interleave: two variants or more, --rounds: 1 to %d; found %s and %d"
              .formatted(MOST, variants, rounds));
    }
    try {
      List<InterleavedRuns.Variant> parsed =
          variants.stream()
              .map(text -> InterleavedRuns.Variant.parse(text, CuzkConf.PREFIX))
              .toList();
      for (InterleavedRuns.Variant variant : parsed) {
        Map<String, String> own = new TreeMap<>(variant.settings());
        own.keySet().removeIf(key -> !key.startsWith(CuzkConf.PREFIX));
        CuzkConf.of(own);
      }
      return parsed;
    } catch (InvalidInputException e) {
      throw new ParameterException(spec.commandLine(), "--interleave: " + e.getMessage(), e);
    }
  }
}
