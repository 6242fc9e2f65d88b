package io.cuzk.jobs.report;

import io.cuzk.jobs.compare.Comparison;
import io.cuzk.jobs.compare.PhaseDifference;
import io.cuzk.jobs.compare.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The way from another run's median partition to this one's, phase by phase, largest first. */
final class Waterfall {
  private static final int STEPS = 10;
  private static final String SLOWER = "#c0392b";
  private static final String FASTER = "#2e8b57";
  private static final String WHOLE = "#5b6675";

  /** Of steps that are no finding. */
  private static final String PALE_SLOWER = "#e6b3ad";

  private static final String PALE_FASTER = "#acd3bc";

  private record Step(String name, double from, double to, String note) {}

  private final List<Step> steps = new ArrayList<>();
  private final boolean cpu;
  private double low = Double.MAX_VALUE;
  private double high = -Double.MAX_VALUE;

  Waterfall(Comparison comparison, String before, String after) {
    PhaseDifference total = comparison.total();
    cpu = total.byCpu();
    double first = total.judged().beforeMedian();
    double last = total.judged().afterMedian();
    List<PhaseDifference> rows =
        new ArrayList<>(
            comparison.phases().stream()
                .filter(row -> !row.nested() && !row.phase().endsWith(".wait"))
                .toList());
    rows.sort(Comparator.comparingDouble(row -> -Math.abs(seconds(row))));
    step(before, 0, first, "");
    double at = first;
    double rest = 0;
    for (int i = 0; i < rows.size(); i++) {
      PhaseDifference row = rows.get(i);
      if (i < STEPS) {
        step(row.phase(), at, at + seconds(row), row.verdict().text());
        at += seconds(row);
      } else {
        rest += seconds(row);
      }
    }
    if (rest != 0) {
      step("other phases", at, at + rest, "");
    }
    at += rest;
    step("unexplained", at, last, "");
    step(after, 0, last, "");
    low = Math.max(0, low - 0.2 * (high - low));
    high = Math.max(high, low + 1e-9);
  }

  private double seconds(PhaseDifference row) {
    return (cpu ? row.cpu() : row.wall()).seconds();
  }

  private void step(String name, double from, double to, String note) {
    steps.add(new Step(name, from, to, note));
    for (double end : from == 0 ? new double[] {to} : new double[] {from, to}) {
      low = Math.min(low, end);
      high = Math.max(high, end);
    }
  }

  Markup markup() {
    Markup page = new Markup();
    page.add(
        "<p>Medians of a partition's %s time; a pale step is no difference shown."
            + " The axis begins at %s.</p>",
        cpu ? "CPU" : "wall", Figures.seconds(low));
    page.add("<div class=\"rows\" id=\"waterfall\">");
    for (Step step : steps) {
      boolean whole = step.from() == 0;
      double left = place(Math.min(step.from(), step.to()));
      double right = place(Math.max(step.from(), step.to()));
      String value = whole ? Figures.seconds(step.to()) : Figures.signed(step.to() - step.from());
      boolean slower = step.to() > step.from();
      boolean shown = !step.note().isEmpty() && !step.note().equals(Verdict.NO_DIFFERENCE.text());
      String colour =
          whole ? WHOLE : slower ? (shown ? SLOWER : PALE_SLOWER) : shown ? FASTER : PALE_FASTER;
      page.add("<div class=\"label\">%s</div><div>", step.name());
      page.add(
          new Strip(step.name() + ": " + value, 18)
              .bar(left, right, colour, step.name() + ": " + value + " " + step.note())
              .end());
      page.add(
          "</div><div class=\"value\">%s <small>%s</small></div>", value, shown ? step.note() : "");
    }
    return page.add("</div>\n");
  }

  private double place(double seconds) {
    return Math.clamp((seconds - low) / (high - low), 0, 1);
  }
}
