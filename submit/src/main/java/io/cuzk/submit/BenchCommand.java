package io.cuzk.submit;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cuzk bench}. */
@Command(
    name = "bench",
    description = {
      "Measures the arithmetic and the prover, beside blst in the same run where it is given.",
      "Figures are medians after warm-up; CPU time is that of all threads of the work."
    },
    subcommands = {
      BenchFieldCommand.class,
      BenchFftCommand.class,
      BenchMsmCommand.class,
      BenchProveCommand.class,
      BenchSynthCommand.class,
      BenchRunsCommand.class
    },
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk bench field --against-blst ~/blst",
      "  cuzk bench fft --size 22 --threads 1,2",
      "  cuzk bench msm --size 20 --group g1 --against-blst ~/blst --json",
      "  cuzk bench prove --sector-size 2KiB"
    })
final class BenchCommand implements Runnable {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "what to measure is expected: one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
