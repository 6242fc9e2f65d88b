package io.cuzk.submit;

import io.cuzk.bench.Blst;
import io.cuzk.bench.FieldBench;
import io.cuzk.field.Arithmetic;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cuzk bench field}. */
@Command(
    name = "field",
    description = {
      "Measures multiplications in Fp and in Fr.",
      "Throughput over arrays of independent elements, in lanes eight a step, each thread on its"
          + " own",
      "arrays. blst multiplies the same arrays, a call a pair; what empty calls take is measured",
      "and subtracted."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk bench field",
      "  cuzk bench field --provider lanes,scalar --against-blst ~/blst --json"
    })
final class BenchFieldCommand implements Callable<Integer> {
  @Mixin private Common common;
  @Mixin private BenchOptions options;

  @Option(
      names = "--size",
      split = ",",
      paramLabel = "LOG2",
      defaultValue = "10",
      description = "log2 of the elements of an array (default: ${DEFAULT-VALUE}).")
  private List<Integer> sizes;

  @Override
  public Integer call() {
    BenchReport report = new BenchReport(common);
    options.sizes(sizes, 0, 20);
    try (ProgressLines progress = ProgressLines.on(common.err());
        Blst blst = options.openBlst()) {
      for (FieldBench.Field field : FieldBench.Field.values()) {
        for (Arithmetic arithmetic : options.arithmetics()) {
          for (int size : sizes) {
            for (int threads : options.threads()) {
              report.add(
                  FieldBench.run(field, arithmetic, size, threads, options.plan(progress), blst));
            }
          }
        }
      }
    }
    report.show(options.iterations());
    return ExitCode.GOOD;
  }
}
