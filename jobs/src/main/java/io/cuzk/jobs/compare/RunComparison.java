package io.cuzk.jobs.compare;

import io.cuzk.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Runs, or outputs of bench, against the first of them.
 *
 * @param baseline the first, as it was typed
 * @param warnings what differs besides the times, and what is not known
 */
public record RunComparison(
    String baseline,
    List<Comparison> comparisons,
    List<Budget.Outcome> budgets,
    List<String> warnings) {
  /**
   * Reads and compares. Nothing is started; a million phases take about a second of CPU time.
   *
   * @param names each a run directory or a file of {@code bench --json}, or several of one kind
   *     joined by commas
   * @throws InvalidInputException if one cannot be read, circuits or keys differ, or a budget names
   *     an unknown phase
   */
  public static RunComparison of(List<String> names, List<Budget> budgets, Configuration hadoop) {
    if (names.size() < 2) {
      throw new InvalidInputException("two runs are needed to compare, found " + names);
    }
    List<Subject> sides = names.parallelStream().map(name -> Subject.read(name, hadoop)).toList();
    Subject before = sides.getFirst();
    List<String> warnings = new ArrayList<>(before.notes());
    List<Comparison> comparisons = new ArrayList<>();
    List<Budget.Outcome> outcomes = new ArrayList<>();
    for (Subject after : sides.subList(1, sides.size())) {
      before.requireComparable(after);
      warnings.addAll(after.notes());
      warnings.addAll(before.differences(after));
      Comparison comparison = Comparison.of(before, after);
      comparisons.add(comparison);
      if (comparison.neededValues() > 0) {
        warnings.add(
            after.name()
                + ": so few measurements of a phase show no difference, however large; compare"
                + " %d or more partitions a side, or several runs joined by commas"
                    .formatted(comparison.neededValues()));
      }
      budgets.forEach(budget -> outcomes.add(budget.check(before, after)));
    }
    return new RunComparison(before.name(), comparisons, outcomes, warnings);
  }

  /** Whether a budget was exceeded. */
  public boolean exceeded() {
    return budgets.stream().anyMatch(Budget.Outcome::exceeded);
  }
}
