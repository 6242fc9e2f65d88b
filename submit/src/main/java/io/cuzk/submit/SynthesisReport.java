package io.cuzk.submit;

import io.cuzk.ProofFailedException;
import io.cuzk.bench.PartitionDigests;
import io.cuzk.bench.SynthesisFigures;
import io.cuzk.jobs.Machine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measured variants of synthesis, side by side, for people and as JSON. */
final class SynthesisReport {
  private static final List<String> HEADER =
      List.of(
          "variant",
          "synth avg s",
          "min",
          "median",
          "spread",
          "CPU s",
          "process CPU s",
          "wall s",
          "rows/s",
          "allocated MB",
          "GC s",
          "peak MB",
          "assignment MB");

  private final Common common;
  private final List<Map<String, Object>> variants;

  SynthesisReport(Common common, List<Map<String, Object>> variants) {
    this.common = common;
    this.variants = variants;
  }

  /** A variant as it stands in the JSON. */
  static Map<String, Object> object(SynthesisFigures figures) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("variant", figures.variant().label());
    object.put("rows", figures.rows());
    object.put("prepare_s", figures.prepareSeconds());
    object.put("wall_s", figures.wall());
    object.put("synth_s", figures.synth());
    object.put("synth_cpu_s", figures.synthCpu());
    object.put("process_cpu_s", figures.processCpu());
    object.put("synth", summary(figures.synth()));
    object.put("synth_cpu", summary(figures.synthCpu()));
    object.put("wall", summary(figures.wall()));
    object.put("constraints_per_s", figures.rows() / Spread.median(figures.synth()));
    object.put("peak_bytes", figures.peakBytes());
    object.put("assignment_bytes", figures.assignmentBytes());
    object.put("rows_checked", figures.checkedRows());
    object.put("allocated_bytes", figures.allocatedBytes());
    object.put("gc_s", figures.gcSeconds());
    object.put("counters", figures.counters());
    object.put("counters_unavailable", figures.counterFaults());
    object.put(
        "partitions", figures.partitions().stream().map(SynthesisReport::partition).toList());
    return object;
  }

  private static Map<String, Object> partition(PartitionDigests digests) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("partition", digests.partition());
    object.put("rows", digests.rows());
    object.put("witness_sha256", digests.witness());
    object.put("aux_sha256", digests.aux());
    object.put("eval_a_sha256", digests.evalA());
    object.put("eval_b_sha256", digests.evalB());
    return object;
  }

  private static Map<String, Object> summary(double[] values) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("avg", Arrays.stream(values).average().orElseThrow());
    object.put("min", Arrays.stream(values).min().orElseThrow());
    object.put("median", Spread.median(values));
    object.put("spread", Spread.range(values));
    return object;
  }

  /**
   * Prints everything.
   *
   * @throws ProofFailedException if the variants do not agree about what was synthesised
   */
  void show(Path file, int threads, int iterations, int warmup) {
    requireAgreement();
    Machine machine = Machine.current();
    List<Map<String, Object>> verdicts = new ArrayList<>();
    for (Map<String, Object> variant : variants.subList(1, variants.size())) {
      verdicts.add(verdict(variants.getFirst(), variant));
    }
    common.say(machine.cpuModel() + ", " + machine.cores() + " cores; " + machine.java());
    common.say(
        "%s: %d partitions, %s rows, %s, %d iterations after %d"
            .formatted(
                file,
                ((List<?>) variants.getFirst().get("partitions")).size(),
                String.format(Locale.ROOT, "%,d", longOf(variants.getFirst(), "rows")),
                BenchReport.threads(threads),
                iterations,
                warmup));
    common.table(HEADER, variants.stream().map(SynthesisReport::cells).toList());
    variants.forEach(this::more);
    for (Object partition : (List<?>) variants.getFirst().get("partitions")) {
      Map<?, ?> digests = (Map<?, ?>) partition;
      common.say(
          "partition %s: SHA-256 of witness %s, a %s, b %s"
              .formatted(
                  digests.get("partition"),
                  digests.get("witness_sha256"),
                  digests.get("eval_a_sha256"),
                  digests.get("eval_b_sha256")));
    }
    verdicts.forEach(verdict -> common.say(verdict.get("verdict").toString()));
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("cpu", machine.cpuModel());
    object.put("cores", machine.cores());
    object.put("jdk", machine.java());
    object.put("c1", file.toString());
    object.put("threads", threads);
    object.put("iterations", iterations);
    object.put("warmup", warmup);
    object.put("variants", variants);
    object.put("digests_agree", true);
    object.put("verdicts", verdicts);
    common.object(object);
  }

  private void requireAgreement() {
    Object expected = variants.getFirst().get("partitions");
    for (Map<String, Object> variant : variants) {
      if (!expected.equals(variant.get("partitions"))) {
        throw new ProofFailedException(
            "the variants do not agree: %s made %s, %s made %s"
                .formatted(
                    variants.getFirst().get("variant"),
                    expected,
                    variant.get("variant"),
                    variant.get("partitions")));
      }
    }
  }

  private static List<String> cells(Map<String, Object> variant) {
    double[] synth = doubles(variant, "synth_s");
    return List.of(
        variant.get("variant").toString(),
        seconds(Arrays.stream(synth).average().orElseThrow()),
        seconds(Arrays.stream(synth).min().orElseThrow()),
        seconds(Spread.median(synth)),
        seconds(Spread.range(synth)),
        seconds(Spread.median(doubles(variant, "synth_cpu_s"))),
        seconds(Spread.median(doubles(variant, "process_cpu_s"))),
        seconds(Spread.median(doubles(variant, "wall_s"))),
        String.format(Locale.ROOT, "%,.0f", longOf(variant, "rows") / Spread.median(synth)),
        megabytes(longOf(variant, "allocated_bytes")),
        seconds(((Number) variant.get("gc_s")).doubleValue()),
        megabytes(longOf(variant, "peak_bytes")),
        megabytes(longOf(variant, "assignment_bytes")));
  }

  private void more(Map<String, Object> variant) {
    double prepared = ((Number) variant.get("prepare_s")).doubleValue();
    if (prepared >= 0.01) {
      common.say("%s: %s s once to compile".formatted(variant.get("variant"), seconds(prepared)));
    }
    if (longOf(variant, "rows_checked") > 0) {
      common.say(
          "%s: satisfied, %,d rows evaluated again from the matrices"
              .formatted(variant.get("variant"), longOf(variant, "rows_checked")));
    }
    if (variant.get("counters") instanceof Map<?, ?> counters) {
      List<String> parts = new ArrayList<>();
      counters.forEach(
          (name, count) -> {
            double value = ((Number) count).doubleValue();
            parts.add(name + String.format(Locale.ROOT, value < 100 ? " %.2f" : " %,.0f", value));
          });
      ((Map<?, ?>) variant.get("counters_unavailable"))
          .forEach((name, reason) -> parts.add("no " + name + " (" + reason + ")"));
      common.say(variant.get("variant") + ": " + String.join(", ", parts));
    }
  }

  /** Whether medians differ by more than either variant's iterations do among themselves. */
  private static Map<String, Object> verdict(
      Map<String, Object> first, Map<String, Object> variant) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("variant", variant.get("variant"));
    object.put("against", first.get("variant"));
    List<String> parts = new ArrayList<>();
    for (String what : List.of("synth_s", "synth_cpu_s", "process_cpu_s")) {
      Spread spread = Spread.between(doubles(first, what), doubles(variant, what));
      String name = what.substring(0, what.length() - 2);
      object.put(name + "_ratio", spread.ratio());
      object.put(name + "_beyond_spread", spread.beyond());
      parts.add(spread.sentence(name.replace('_', ' ')));
    }
    object.put(
        "verdict",
        "%s against %s: %s"
            .formatted(variant.get("variant"), first.get("variant"), String.join("; ", parts)));
    return object;
  }

  private static double[] doubles(Map<String, Object> variant, String key) {
    Object value = variant.get(key);
    return value instanceof double[] array
        ? array
        : ((List<?>) value).stream().mapToDouble(x -> ((Number) x).doubleValue()).toArray();
  }

  private static long longOf(Map<String, Object> variant, String key) {
    return ((Number) variant.get(key)).longValue();
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%,.1f", bytes * 1e-6);
  }
}
