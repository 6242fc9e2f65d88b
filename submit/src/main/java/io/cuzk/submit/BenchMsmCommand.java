package io.cuzk.submit;

import io.cuzk.bench.Blst;
import io.cuzk.bench.DeviceBench;
import io.cuzk.bench.MsmBench;
import io.cuzk.bench.MsmInputs;
import io.cuzk.curve.Group;
import io.cuzk.field.Arithmetic;
import io.cuzk.prover.DeviceMeter;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cuzk bench msm}. */
@Command(
    name = "msm",
    description = {
      "Measures multi-scalar multiplication: distinct random points, random scalars of full size.",
      "Every sum is checked: against the points' known multiples, and blst's sum must be the same",
      "point. --windows measures each width of Pippenger's windows by itself."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk bench msm --size 20 --against-blst ~/blst",
      "  cuzk bench msm --size 16 --group g2 --threads 1,2",
      "  cuzk bench msm --size 12,14,16 --windows 8..17",
      "  cuzk bench msm --size 22,24 --backend cuda"
    })
final class BenchMsmCommand implements Callable<Integer> {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,2})(?:\\.\\.(\\d{1,2}))?");

  @Mixin private Common common;
  @Mixin private BenchOptions options;

  @Option(
      names = "--size",
      split = ",",
      paramLabel = "LOG2",
      defaultValue = "16",
      description =
          "log2 of the points, up to 24; on a device 27, of g2 26 (default: ${DEFAULT-VALUE}).")
  private List<Integer> sizes;

  @Option(
      names = "--group",
      paramLabel = "G",
      defaultValue = "g1",
      description = "g1 or g2 (default: ${DEFAULT-VALUE}).")
  private String group;

  @Option(
      names = "--windows",
      paramLabel = "A..B",
      description = "Widths in bits, 2 to 22, a row for each (default: what the prover takes).")
  private String windows;

  @Override
  public Integer call() {
    Group chosen =
        switch (group) {
          case "g1" -> Group.G1;
          case "g2" -> Group.G2;
          default -> null;
        };
    options.require(chosen != null, "--group: g1 or g2 expected, found " + group);
    // 2^27 points of G2 are more words than an array holds.
    options.sizes(sizes, 0, !options.isDevice() ? 24 : chosen == Group.G1 ? 27 : 26);
    int[] widths = widths();
    BenchReport report = new BenchReport(common);
    if (options.isDevice()) {
      options.require(windows == null, "--windows belongs to --backend cpu");
      return device(chosen, report);
    }
    try (ProgressLines progress = ProgressLines.on(common.err());
        Blst blst = options.openBlst()) {
      List<Arithmetic> arithmetics = options.arithmetics();
      for (int size : sizes) {
        MsmInputs inputs = MsmInputs.of(chosen, size, options.plan(progress));
        for (Arithmetic arithmetic : arithmetics) {
          for (int threads : options.threads()) {
            for (int width : widths) {
              report.add(
                  MsmBench.run(inputs, arithmetic, width, threads, options.plan(progress), blst));
            }
          }
        }
      }
    }
    report.show(options.iterations());
    return ExitCode.GOOD;
  }

  private int device(Group chosen, BenchReport report) {
    try (ProgressLines progress = ProgressLines.on(common.err());
        DeviceMeter meter = options.openMeter(Collections.max(sizes))) {
      DeviceBench bench = DeviceBench.on(meter, options.backend());
      report.limits(bench.limits());
      for (int size : sizes) {
        MsmInputs inputs = MsmInputs.of(chosen, size, options.plan(progress));
        report.add(bench.sum(inputs, options.plan(progress)));
      }
    }
    report.show(options.iterations());
    return ExitCode.GOOD;
  }

  private int[] widths() {
    if (windows == null) {
      return new int[] {MsmBench.CHOSEN};
    }
    Matcher range = RANGE.matcher(windows);
    options.require(
        range.matches(), "--windows: a range of bits such as 8..17 expected, found " + windows);
    int from = Integer.parseInt(range.group(1));
    int to = range.group(2) == null ? from : Integer.parseInt(range.group(2));
    options.require(
        from >= 2 && to <= 22 && from <= to,
        "--windows: a range within 2..22 expected, found " + windows);
    return IntStream.rangeClosed(from, to).toArray();
  }
}
