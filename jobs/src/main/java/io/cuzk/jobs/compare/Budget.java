package io.cuzk.jobs.compare;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.NearestName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much slower a phase may become.
 *
 * @param phase a phase, the first part of several ({@code synthesis}), or {@code total}
 * @param limit relative: 0.03 for +3 %
 */
public record Budget(String phase, double limit) {
  private static final Pattern FORM =
      Pattern.compile("(\\S+?)\\s*=\\s*([+-]?\\d+(?:\\.\\d+)?)\\s*%");

  /**
   * Reads {@code synthesis=+3%}.
   *
   * @throws InvalidInputException if it has another form
   */
  public static Budget parse(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw new InvalidInputException(
          "budget " + text + ": expected phase=+N%, for example synthesis=+3%");
    }
    return new Budget(matcher.group(1), Double.parseDouble(matcher.group(2)) / 100);
  }

  /**
   * How one side keeps a budget.
   *
   * @param name the side, as it was typed
   * @param exceeded whether the median is above the limit, and the interval, where there is one,
   *     above no change
   */
  public record Outcome(String name, Budget budget, PhaseDifference found, boolean exceeded) {}

  Outcome check(Subject before, Subject after) {
    PhaseDifference found = find(before.observations(), after.observations());
    Difference judged = found.judged();
    if (!judged.known()) {
      throw new InvalidInputException(
          "budget %s: %s has %d measurements of it, %s has %d; it cannot be checked"
              .formatted(
                  phase, before.name(), judged.beforeCount(), after.name(), judged.afterCount()));
    }
    boolean sure = limit < 0 || Double.isNaN(judged.low()) || judged.low() > 0;
    return new Outcome(after.name(), this, found, judged.change() > limit && sure);
  }

  private PhaseDifference find(Observations a, Observations b) {
    boolean onCpu = a.onCpu() && b.onCpu();
    if (phase.equals(Comparison.TOTAL)) {
      return Comparison.difference(
          phase,
          false,
          onCpu,
          Difference.of(a.totalCpu(), b.totalCpu()),
          Difference.of(a.totalWall(), b.totalWall()));
    }
    List<String> ofA = a.group(phase);
    List<String> ofB = b.group(phase);
    if (ofA.isEmpty() && ofB.isEmpty()) {
      Set<String> known = new LinkedHashSet<>(a.phases());
      known.addAll(b.phases());
      for (String name : new ArrayList<>(known)) {
        known.add(name.substring(0, Math.max(0, name.indexOf('.'))));
      }
      known.remove("");
      known.add(Comparison.TOTAL);
      throw new InvalidInputException(
          "budget %s: no such phase%s (there are %s)"
              .formatted(phase, NearestName.hint(phase, known), String.join(", ", known)));
    }
    return Comparison.difference(
        phase,
        false,
        onCpu,
        Difference.of(a.sum(a.cpu(), ofA), b.sum(b.cpu(), ofB)),
        Difference.of(a.sum(a.wall(), ofA), b.sum(b.wall(), ofB)));
  }
}
