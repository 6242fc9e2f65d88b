package io.cuzk.submit;

import io.cuzk.bench.ToyProofs;
import io.cuzk.jobs.compare.CompareSelfTest;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.ProverBackend;
import io.cuzk.prover.ProverBackends;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
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
      "Sees whether cuzk compare can be trusted on this machine: a slowdown of 10 % planted in one",
      "phase of small proofs must be named, pairs of equal runs must raise no alarm."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk bench runs --self-test-compare",
      "  cuzk bench runs --self-test-compare --json"
    })
final class BenchRunsCommand implements Callable<Integer> {
  private static final int MOST = 10_000;

  @Mixin private Common common;

  @Spec private CommandSpec spec;

  @Option(
      names = "--self-test-compare",
      required = true,
      description = "Plant a slower phase, compare; compare equal runs.")
  private boolean selfTest;

  @Option(
      names = "--proofs",
      paramLabel = "N",
      defaultValue = "40",
      description = "Proofs of each run (default: ${DEFAULT-VALUE}).")
  private int proofs;

  @Option(
      names = "--pairs",
      paramLabel = "N",
      defaultValue = "20",
      description = "Pairs of equal runs (default: ${DEFAULT-VALUE}).")
  private int pairs;

  @Override
  public Integer call() {
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
    common.object(object);
    common.say(
        "planted: 10 %% in %s; named: %s; %d pairs of equal runs, %d false alarms"
            .formatted(
                found.plantedPhase(),
                found.namedPhase() == null ? "none" : found.namedPhase(),
                found.equalPairs(),
                found.falseAlarms()));
    return ExitCode.GOOD;
  }
}
