package io.cuzk.submit;

import io.cuzk.bench.Plan;
import io.cuzk.bench.SynthesisBench;
import io.cuzk.bench.SynthesisVariant;
import io.cuzk.porep.SectorShape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cuzk bench synth}. */
@Command(
    name = "synth",
    description = {
      "Measures synthesis alone from a C1 file: no keys, no device, no Spark.",
      "Several variants run one after another, each in a JVM of its own, so that none is compiled"
          + " for",
      "the sake of another; what they make must have the same digests or the command fails."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk bench synth --c1 c1.json --variants array,inline1,inline2,inline4",
      "  cuzk bench synth --c1 c1.json --partition 0 --variants compiled --threads 2 --counters"
    })
final class BenchSynthCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private Common common;

  @Option(names = "--c1", required = true, paramLabel = "FILE", description = "The C1 file.")
  private Path file;

  @Option(
      names = "--partition",
      paramLabel = "all|K",
      defaultValue = "all",
      description = "Which partitions (default: ${DEFAULT-VALUE}).")
  private String partition;

  @Option(
      names = "--variants",
      split = ",",
      paramLabel = "V",
      defaultValue = "pooled,compiled",
      converter = Variant.class,
      description =
          "array, inline1, inline2, inline4, pooled, presized, compiled; the first is what the"
              + " others are compared with (default: ${DEFAULT-VALUE}).")
  private List<SynthesisVariant> variants;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "3",
      description = "Measured iterations (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Option(
      names = "--warmup",
      paramLabel = "W",
      defaultValue = "1",
      description = "Iterations before them (default: ${DEFAULT-VALUE}).")
  private int warmup;

  @Option(
      names = "--threads",
      paramLabel = "T",
      defaultValue = "1",
      description =
          "Cores to keep busy (default: ${DEFAULT-VALUE}): compiled inside a partition, the others"
              + " with a partition each.")
  private int threads;

  @Option(
      names = "--counters",
      description = "Read the kernel's counters: cycles, instructions, cache and branch misses.")
  private boolean counters;

  @Option(
      names = "--shape",
      paramLabel = "nodes=N,tree=8-8-0,…",
      converter = ShapeOverride.class,
      description =
          "What to take instead of what the file's sector size implies: nodes, tree, layers,"
              + " partitions, challenges.")
  private SectorShape shape;

  /** A name from the list. */
  static final class Variant implements ITypeConverter<SynthesisVariant> {
    @Override
    public SynthesisVariant convert(String label) {
      return SynthesisVariant.find(label)
          .orElseThrow(() -> VariantNames.unknown(label, SynthesisVariant.labels()));
    }
  }

  @Override
  public Integer call() {
    atLeast("--iterations", iterations, 1);
    atLeast("--warmup", warmup, 0);
    atLeast("--threads", threads, 1);
    OptionalInt only = partition();
    List<SynthesisVariant> distinct = new ArrayList<>(new LinkedHashSet<>(variants));
    List<Map<String, Object>> figures = new ArrayList<>();
    if (distinct.size() == 1) {
      SynthesisBench.Request request =
          new SynthesisBench.Request(file, Optional.ofNullable(shape), only, threads, counters);
      try (ProgressLines progress = ProgressLines.on(common.err())) {
        Plan plan = new Plan(warmup, iterations, progress::advanced);
        figures.add(SynthesisReport.object(SynthesisBench.run(request, distinct.getFirst(), plan)));
      }
    } else {
      for (SynthesisVariant variant : distinct) {
        common.note("cuzk: " + variant.label() + " in a JVM of its own …");
        figures.add(SeparateJvm.bench(common, words(variant)));
      }
    }
    new SynthesisReport(common, figures).show(file, threads, iterations, warmup);
    return ExitCode.GOOD;
  }

  private List<String> words(SynthesisVariant variant) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "bench",
                "synth",
                "--json",
                "--c1=" + file,
                "--partition=" + partition,
                "--variants=" + variant.label(),
                "--iterations=" + iterations,
                "--warmup=" + warmup,
                "--threads=" + threads));
    if (counters) {
      words.add("--counters");
    }
    if (shape != null) {
      words.add("--shape=" + shape.name());
    }
    return words;
  }

  private OptionalInt partition() {
    if (partition.equals("all")) {
      return OptionalInt.empty();
    }
    if (!partition.matches("\\d{1,3}")) {
      throw new ParameterException(
          spec.commandLine(), "--partition: 'all' or a number is expected, found " + partition);
    }
    return OptionalInt.of(Integer.parseInt(partition));
  }

  private void atLeast(String option, int value, int least) {
    if (value < least) {
      throw new ParameterException(
          spec.commandLine(), option + ": at least " + least + ", found " + value);
    }
  }
}
