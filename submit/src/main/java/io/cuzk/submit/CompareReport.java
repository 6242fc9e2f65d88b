package io.cuzk.submit;

import io.cuzk.jobs.compare.Budget;
import io.cuzk.jobs.compare.Comparison;
import io.cuzk.jobs.compare.Difference;
import io.cuzk.jobs.compare.ExecutorShare;
import io.cuzk.jobs.compare.PhaseDifference;
import io.cuzk.jobs.compare.RunComparison;
import io.cuzk.jobs.compare.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a comparison found, for people and as JSON. */
final class CompareReport {
  private static final List<String> HEADER =
      List.of(
          "phase",
          "by",
          "values",
          "before s",
          "after s",
          "± %",
          "change",
          "95 % interval",
          "wall",
          "verdict");

  private final RunComparison found;

  CompareReport(RunComparison found) {
    this.found = found;
  }

  void lines(Common common) {
    for (Comparison one : found.comparisons()) {
      common.say("%s against %s, medians of a partition:".formatted(one.name(), found.baseline()));
      List<List<String>> rows = new ArrayList<>();
      one.phases().forEach(row -> rows.add(cells(row)));
      if (one.hasTotal()) {
        rows.add(cells(one.total()));
      }
      common.table(HEADER, rows);
      if (one.hasTotal()) {
        common.say(explained(one));
      }
      one.executors().forEach(share -> common.say(line(share)));
      common.say(
          one.culprit()
              .map(row -> "slower: %s, %s".formatted(row.phase(), change(row.judged())))
              .orElse("no phase shown to be slower by more than 3 %"));
    }
    found.budgets().forEach(outcome -> common.say(line(outcome)));
  }

  private static List<String> cells(PhaseDifference row) {
    Difference judged = row.judged();
    double spread = Math.max(judged.beforeSpread(), judged.afterSpread());
    return List.of(
        (row.nested() ? "  " : "") + row.phase(),
        (row.byCpu() ? "cpu" : "wall") + (judged.paired() ? ", pairs" : ""),
        judged.beforeCount() + "/" + judged.afterCount(),
        seconds(judged.beforeMedian()),
        seconds(judged.afterMedian()),
        several(judged) ? "%.1f".formatted(100 * spread / judged.beforeMedian()) : "",
        percent(judged.change()),
        Double.isNaN(judged.low()) ? "" : percent(judged.low()) + " … " + percent(judged.high()),
        row.byCpu() ? percent(row.wall().change()) : "",
        row.verdict().text()
            + (row.byCpu() && row.wallVerdict() != row.verdict()
                ? " (wall: " + row.wallVerdict().text() + ")"
                : ""));
  }

  private static boolean several(Difference judged) {
    return judged.beforeMedian() > 0 && judged.beforeCount() > 1 && judged.afterCount() > 1;
  }

  private static String explained(Comparison one) {
    boolean cpu = one.total().byCpu();
    double all = one.total().judged().seconds();
    double explained = one.explained(cpu);
    return "total %s s of %s time a partition: the phases explain %s s, %s s unexplained"
        .formatted(signed(all), cpu ? "CPU" : "wall", signed(explained), signed(all - explained));
  }

  private static String line(ExecutorShare share) {
    PhaseDifference row = share.difference();
    return "%s, %s: %d partitions, %s against the others (%s)%s"
        .formatted(
            share.side(),
            share.place(),
            share.partitions(),
            percent(row.judged().change()),
            row.verdict().text(),
            share.phase().isEmpty()
                ? ""
                : ", most in %s: %s".formatted(share.phase(), percent(share.phaseChange())));
  }

  private static String line(Budget.Outcome outcome) {
    return "budget %s %s for %s: %s%s"
        .formatted(
            outcome.budget().phase(),
            percent(outcome.budget().limit()),
            outcome.name(),
            outcome.exceeded() ? "EXCEEDED, " : "kept, ",
            change(outcome.found().judged()));
  }

  private static String change(Difference judged) {
    return "%s (%s s to %s s%s)"
        .formatted(
            percent(judged.change()),
            seconds(judged.beforeMedian()),
            seconds(judged.afterMedian()),
            Double.isNaN(judged.low())
                ? ""
                : ", 95 %% interval %s … %s"
                    .formatted(percent(judged.low()), percent(judged.high())));
  }

  private static String percent(double part) {
    return Double.isNaN(part) ? "" : String.format(Locale.ROOT, "%+.1f %%", 100 * part);
  }

  private static String signed(double seconds) {
    return (seconds < 0 ? "-" : "+") + seconds(Math.abs(seconds));
  }

  private static String seconds(double value) {
    if (Double.isNaN(value)) {
      return "";
    }
    int decimals = value >= 100 ? 1 : value >= 10 ? 2 : value >= 0.1 ? 3 : 5;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  Map<String, Object> object() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("baseline", found.baseline());
    object.put("runs", found.comparisons().stream().map(Comparison::name).toList());
    object.put("minimum_effect", Difference.MINIMUM_EFFECT);
    List<Object> phases = new ArrayList<>();
    List<Object> totals = new ArrayList<>();
    List<Object> executors = new ArrayList<>();
    for (Comparison one : found.comparisons()) {
      one.phases().forEach(row -> phases.add(object(one.name(), row)));
      Map<String, Object> total = object(one.name(), one.total());
      for (boolean cpu : new boolean[] {true, false}) {
        double all = (cpu ? one.total().cpu() : one.total().wall()).seconds();
        String unit = cpu ? "_cpu_s" : "_wall_s";
        total.put("change" + unit, one.hasTotal() ? all : null);
        total.put("explained" + unit, one.explained(cpu));
        total.put("unexplained" + unit, one.hasTotal() ? all - one.explained(cpu) : null);
      }
      total.put("slower", names(one, Verdict.SLOWER));
      total.put("faster", names(one, Verdict.FASTER));
      total.put("culprit", one.culprit().map(PhaseDifference::phase).orElse(null));
      totals.add(total);
      one.executors().forEach(share -> executors.add(object(share)));
    }
    object.put("phases", phases);
    object.put("totals", totals);
    object.put("executors", executors);
    object.put("budgets", found.budgets().stream().map(CompareReport::object).toList());
    object.put("exceeded", found.exceeded());
    object.put("warnings", found.warnings());
    return object;
  }

  private static List<String> names(Comparison one, Verdict verdict) {
    return one.phases().stream()
        .filter(row -> row.verdict() == verdict)
        .map(PhaseDifference::phase)
        .toList();
  }

  private static Map<String, Object> object(String run, PhaseDifference row) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("run", run);
    object.put("phase", row.phase());
    object.put("nested", row.nested());
    object.put("verdict", row.verdict().text());
    object.put("by", row.byCpu() ? "cpu" : "wall");
    object.put("change", number(row.judged().change()));
    object.put("cpu", object(row.cpu(), row.pCpu()));
    Map<String, Object> wall = object(row.wall(), row.pWall());
    wall.put("verdict", row.wallVerdict().text());
    object.put("wall", wall);
    return object;
  }

  private static Map<String, Object> object(Difference difference, double p) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("before_count", difference.beforeCount());
    object.put("after_count", difference.afterCount());
    object.put("before_median_s", number(difference.beforeMedian()));
    object.put("after_median_s", number(difference.afterMedian()));
    object.put("before_spread_s", number(difference.beforeSpread()));
    object.put("after_spread_s", number(difference.afterSpread()));
    object.put("change", number(difference.change()));
    object.put("low", number(difference.low()));
    object.put("high", number(difference.high()));
    object.put("p_corrected", p);
    object.put("paired", difference.paired());
    return object;
  }

  private static Map<String, Object> object(ExecutorShare share) {
    Map<String, Object> object = object(share.side(), share.difference());
    object.put("executor", share.place());
    object.put("partitions", share.partitions());
    object.put("differs_most", share.phase().isEmpty() ? null : share.phase());
    object.put("differs_by", share.phaseChange());
    return object;
  }

  private static Map<String, Object> object(Budget.Outcome outcome) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("run", outcome.name());
    object.put("phase", outcome.budget().phase());
    object.put("limit", outcome.budget().limit());
    object.put("change", number(outcome.found().judged().change()));
    object.put("by", outcome.found().byCpu() ? "cpu" : "wall");
    object.put("exceeded", outcome.exceeded());
    return object;
  }

  /** JSON has no NaN. */
  private static Double number(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
