package io.cuzk.notebooks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The way from one run's median partition to another's, phase by phase. Where the CPU proved on
 * both sides CPU time tells what it cost, else wall time does.
 */
public final class Waterfall {
  /** So many phases are steps of their own, those that changed most. */
  private static final int STEPS = 9;

  /**
   * One step.
   *
   * @param from seconds; 0 for the two totals
   */
  record Step(String name, double from, double to) {
    boolean whole() {
      return from == 0;
    }
  }

  private record Phase(String name, Medians.Change change) {
    double seconds() {
      // A phase that one side does not have took no time there.
      double before = Double.isNaN(change.before()) ? 0 : change.before();
      double after = Double.isNaN(change.after()) ? 0 : change.after();
      return after - before;
    }
  }

  private final String before;
  private final String after;
  private final boolean cpu;
  private final List<Phase> phases = new ArrayList<>();
  private final Medians.Change total;

  private Waterfall(Runs runs, String before, String after) {
    this.before = before;
    this.after = after;
    cpu =
        runs.sql("SELECT DISTINCT backend FROM tasks WHERE run IN (?, ?)", before, after)
            .texts("backend")
            .equals(List.of("cpu"));
    String column = cpu ? "cpu_s" : "wall_s";
    Map<String, double[]> of = phases(runs, column, before);
    Map<String, double[]> then = phases(runs, column, after);
    for (String name :
        runs.sql(
                """
                SELECT phase FROM phase_names WHERE NOT nested AND NOT ends_with(phase, '.wait')
                ORDER BY rank, start_ns
                """)
            .texts("phase")) {
      double[] none = {};
      phases.add(
          new Phase(
              name, Medians.change(of.getOrDefault(name, none), then.getOrDefault(name, none))));
    }
    phases.removeIf(
        phase -> Double.isNaN(phase.change.before()) && Double.isNaN(phase.change.after()));
    total = Medians.change(total(runs, column, before), total(runs, column, after));
  }

  /** From a run to another. */
  public static Waterfall between(Runs runs, String before, String after) {
    return new Waterfall(runs, before, after);
  }

  private static Map<String, double[]> phases(Runs runs, String column, String run) {
    return runs.groups(
        """
        SELECT phase, sum(%s) FROM steps WHERE run = ? AND NOT nested GROUP BY task, phase
        """
            .formatted(column),
        run);
  }

  private static double[] total(Runs runs, String column, String run) {
    // The write of the entry is a step, but lies after the proof's own time.
    return runs.sql(
            """
            WITH writes AS (SELECT task, sum(%1$s) AS s FROM steps WHERE phase = 'write' GROUP BY task)
            SELECT %1$s + coalesce(s, 0) AS s FROM tasks LEFT JOIN writes USING (task) WHERE run = ?
            """
                .formatted(column),
            run)
        .numbers("s");
  }

  /** What was compared. */
  String measure() {
    return cpu ? "CPU" : "wall";
  }

  /** The two totals with the phases between them, the largest changes first. */
  List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    double at = total.before();
    steps.add(new Step(before, 0, at));
    List<Phase> bySize = new ArrayList<>(phases);
    bySize.sort(Comparator.comparingDouble(phase -> -Math.abs(phase.seconds())));
    for (Phase phase : bySize.subList(0, Math.min(STEPS, bySize.size()))) {
      steps.add(new Step(phase.name, at, at + phase.seconds()));
      at += phase.seconds();
    }
    double rest = bySize.stream().skip(STEPS).mapToDouble(Phase::seconds).sum();
    if (bySize.size() > STEPS) {
      steps.add(new Step("other phases", at, at + rest));
    }
    steps.add(new Step("unexplained", at + rest, total.after()));
    steps.add(new Step(after, 0, total.after()));
    return steps;
  }

  /** Per phase: medians, change, its 95 % interval, what it says. */
  public Table table() {
    List<List<Object>> rows = new ArrayList<>();
    phases.forEach(phase -> rows.add(row(phase.name, phase.change)));
    rows.add(row("total", total));
    return Table.of(
        List.of("phase", before + " s", after + " s", "change %", "low %", "high %", "verdict"),
        rows);
  }

  private static List<Object> row(String name, Medians.Change change) {
    return List.of(
        name,
        change.before(),
        change.after(),
        100 * change.change(),
        100 * change.low(),
        100 * change.high(),
        change.verdict());
  }
}
