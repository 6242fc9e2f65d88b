package io.cuzk.submit;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.compare.Budget;
import io.cuzk.jobs.compare.RunComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cuzk compare}. */
@Command(
    name = "compare",
    description = {
      "Compares runs with the first: per phase medians, interval of the difference, verdict.",
      "CPU time gives the verdict where the CPU did the work, wall time stands beside it."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk compare before/ after/",
      "  cuzk compare a1,a2,a3 b1,b2,b3          several runs as one",
      "  cuzk compare before/ after/ --budget synthesis=+3%% --budget total=+2%%",
      "  cuzk compare before.json after.json      outputs of cuzk bench … --json",
      "",
      "Exit code 6: a budget is exceeded. Circuits and keys must be the same on all sides."
    })
final class CompareCommand implements Callable<Integer> {
  @Mixin private Common common;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "RUN",
      arity = "2..*",
      description =
          "Run directories or bench outputs; several of one kind joined by commas count as one.")
  private List<String> runs;

  @Option(
      names = "--budget",
      paramLabel = "PHASE=+N%",
      split = ",",
      description =
          "How much slower a phase may become: a phase, the first part of several (synthesis,"
              + " msm), or total. Repeatable.")
  private List<String> budgets = new ArrayList<>();

  @Override
  public Integer call() {
    List<Budget> limits;
    try {
      limits = budgets.stream().map(Budget::parse).toList();
    } catch (InvalidInputException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    RunComparison found = RunComparison.of(runs, limits, new Configuration());
    found.warnings().forEach(line -> common.note("warning: " + line));
    CompareReport report = new CompareReport(found);
    common.object(report.object());
    report.lines(common);
    return found.exceeded() ? ExitCode.BUDGET_EXCEEDED : ExitCode.GOOD;
  }
}
