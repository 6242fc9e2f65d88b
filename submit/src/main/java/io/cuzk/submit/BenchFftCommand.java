package io.cuzk.submit;

import io.cuzk.bench.Blst;
import io.cuzk.bench.DeviceBench;
import io.cuzk.bench.FieldBench;
import io.cuzk.bench.Measurement;
import io.cuzk.bench.TransformBench;
import io.cuzk.field.Arithmetic;
import io.cuzk.prover.DeviceMeter;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cuzk bench fft}. */
@Command(
    name = "fft",
    description = {
      "Measures the number-theoretic transform over Fr.",
      "The rival is n/2·log2 n times blst_fr_mul, measured in the same run: the butterflies'",
      "multiplications alone."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk bench fft --size 20",
      "  cuzk bench fft --size 22 --threads 1,2 --against-blst ~/blst --json",
      "  cuzk bench fft --size 24,27 --backend cuda"
    })
final class BenchFftCommand implements Callable<Integer> {
  /** log2 of the arrays whose products are the rival. */
  private static final int PRODUCTS = 10;

  @Mixin private Common common;
  @Mixin private BenchOptions options;

  @Option(
      names = "--size",
      split = ",",
      paramLabel = "LOG2",
      defaultValue = "20",
      description = "log2 of the points (default: ${DEFAULT-VALUE}).")
  private List<Integer> sizes;

  @Override
  public Integer call() {
    BenchReport report = new BenchReport(common);
    options.sizes(sizes, 1, 27);
    if (options.isDevice()) {
      return device(report);
    }
    try (ProgressLines progress = ProgressLines.on(common.err());
        Blst blst = options.openBlst()) {
      for (Arithmetic arithmetic : options.arithmetics()) {
        Measurement multiplication = null;
        if (blst != null) {
          multiplication =
              FieldBench.run(
                  FieldBench.Field.FR, arithmetic, PRODUCTS, 1, options.plan(progress), blst);
          report.add(multiplication);
        }
        for (int size : sizes) {
          for (int threads : options.threads()) {
            report.add(
                TransformBench.run(
                    arithmetic, size, threads, options.plan(progress), multiplication));
          }
        }
      }
    }
    report.show(options.iterations());
    return ExitCode.GOOD;
  }

  private int device(BenchReport report) {
    try (ProgressLines progress = ProgressLines.on(common.err());
        DeviceMeter meter = options.openMeter(Collections.max(sizes))) {
      DeviceBench bench = DeviceBench.on(meter, options.backend());
      report.limits(bench.limits());
      for (int size : sizes) {
        report.add(bench.transform(size, options.plan(progress)));
      }
    }
    report.show(options.iterations());
    return ExitCode.GOOD;
  }
}
