package io.cuzk.submit;

import io.cuzk.parallel.Workers;
import io.cuzk.prover.ProverBackend;
import io.cuzk.prover.ProverBackends;
import io.cuzk.prover.SelfTest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cuzk self-test}. */
@Command(
    name = "self-test",
    description = {
      "Proves and verifies the built-in known-answer circuit.",
      "The proof must have the bytes that are written in the program. Exit code 4 if it has not."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk self-test",
      "  cuzk self-test --backend cpu --json",
      "  cuzk self-test --backend sim"
    })
final class SelfTestCommand implements Callable<Integer> {
  @Mixin private Common common;

  @Option(
      names = "--backend",
      paramLabel = "B",
      defaultValue = "auto",
      description = {
        "auto (default), cpu, cuda, or sim: CUDA's kernels on a simulator of the device, which"
            + " takes",
        "half a minute of CPU time. A named one that is not there is an error."
      })
  private String backend;

  @Override
  public Integer call() {
    try (Workers workers = Workers.of(Runtime.getRuntime().availableProcessors());
        ProgressLines progress = ProgressLines.on(common.err());
        ProverBackend opened = ProverBackends.open(backend, 0, workers)) {
      opened.reportTo(progress::advanced);
      SelfTest.Result result = SelfTest.run(opened, workers);
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("backend", result.backend());
      object.put("device", result.device());
      object.put("verified", 1);
      object.put("known_answer", true);
      object.put("proof", result.proof());
      object.put("wall_s", result.wallNanos() / 1_000_000 / 1e3);
      common.object(object);
      common.say(
          "self-test: backend %s on %s made the known proof, and it verifies (%.1f s)"
              .formatted(result.backend(), result.device(), result.wallNanos() * 1e-9));
      return ExitCode.GOOD;
    }
  }
}
