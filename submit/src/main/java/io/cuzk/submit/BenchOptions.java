package io.cuzk.submit;

import io.cuzk.InvalidInputException;
import io.cuzk.bench.Blst;
import io.cuzk.bench.Plan;
import io.cuzk.field.Arithmetic;
import io.cuzk.prover.DeviceMeter;
import io.cuzk.prover.ProverBackendProvider;
import io.cuzk.prover.ProverBackends;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every bench takes: on how many threads, how often, beside whom. */
final class BenchOptions {
  private static final List<String> PROVIDERS = List.of("lanes", "scalar");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "T",
      defaultValue = "1",
      description = "Threads; several, as 1,2, make several rows (default: ${DEFAULT-VALUE}).")
  private List<Integer> threads;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description = "Runs whose median is shown (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Option(
      names = "--warmup",
      paramLabel = "W",
      defaultValue = "2",
      description = {
        "Runs before them (default: ${DEFAULT-VALUE}); short works are run for two seconds",
        "at least, unless 0."
      })
  private int warmup;

  @Option(
      names = "--provider",
      split = ",",
      paramLabel = "P",
      description = "lanes or scalar, or both (default: what proving takes on this machine).")
  private List<String> providers;

  @Option(
      names = "--backend",
      paramLabel = "B",
      defaultValue = "cpu",
      description = {
        "cpu, cuda, or sim for tiny sizes (default: ${DEFAULT-VALUE}). A device's limits are",
        "measured in the same run."
      })
  private String backend;

  @Option(
      names = "--against-blst",
      paramLabel = "DIR",
      description = {
        "A checkout of blst, built with ./build.sh -shared: its functions run on the same inputs",
        "in the same run, on one thread."
      })
  private Path blst;

  List<Integer> threads() {
    for (int count : threads) {
      require(count >= 1 && count <= 1024, "--threads: 1 to 1024 expected, found " + count);
    }
    return threads;
  }

  Plan plan(ProgressLines progress) {
    require(iterations >= 1, "--iterations: at least 1 expected, found " + iterations);
    require(warmup >= 0, "--warmup: at least 0 expected, found " + warmup);
    return new Plan(warmup, iterations, progress::advanced);
  }

  int iterations() {
    return iterations;
  }

  String backend() {
    return backend;
  }

  /** The rival, or null. The caller closes it. */
  Blst openBlst() {
    return blst == null ? null : Blst.open(blst);
  }

  /** Whether a device is to be measured, and not the CPU. */
  boolean isDevice() {
    return !backend.equals("cpu");
  }

  /**
   * Opens the device to measure; a backend that cannot run is an error with its reason.
   *
   * @param logSize log2 of the largest size
   */
  DeviceMeter openMeter(int logSize) {
    ProverBackendProvider provider = ProverBackends.choose(backend);
    require(
        providers == null && blst == null, "--provider and --against-blst belong to --backend cpu");
    ProverBackends.requireInReach(provider, "2^" + logSize, 1L << logSize);
    return provider
        .meter(0)
        .orElseThrow(
            () ->
                new InvalidInputException(
                    "--backend %s has no device to measure: cpu or cuda".formatted(backend)));
  }

  /** The arithmetics to measure; none is a silent stand-in for another. */
  List<Arithmetic> arithmetics() {
    if (isDevice()) {
      ProverBackends.choose(backend);
      throw new InvalidInputException(
          "--backend %s: this bench measures arithmetic on the CPU; fft, msm and prove run there"
              .formatted(backend));
    }
    return providers == null
        ? List.of(Arithmetic.current())
        : providerNames().stream().map(Arithmetic::named).toList();
  }

  /** The names that were given; empty if none. */
  List<String> providerNames() {
    if (providers == null) {
      return List.of();
    }
    for (String name : providers) {
      require(
          PROVIDERS.contains(name),
          "--provider: "
              + name
              + " is none; there are "
              + String.join(", ", PROVIDERS)
              + io.cuzk.jobs.NearestName.hint(name, PROVIDERS));
    }
    return providers;
  }

  void require(boolean condition, String message) {
    if (!condition) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  /** Checks sizes given as log2. */
  List<Integer> sizes(List<Integer> logs, int from, int to) {
    for (int log : logs) {
      require(
          log >= from && log <= to,
          "--size: the log2 of a size is expected, %d to %d, found %d".formatted(from, to, log));
    }
    return logs;
  }
}
