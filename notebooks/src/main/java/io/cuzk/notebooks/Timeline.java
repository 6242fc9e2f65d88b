package io.cuzk.notebooks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What every executor and device of a run did when: tasks in lanes that do not overlap. Times are
 * seconds since the run's first task began.
 */
public final class Timeline {
  /** So many pieces fill a lane on a screen; more are drawn as the phase that takes most of one. */
  private static final int SLOTS = 700;

  /** A stretch of one phase in a lane; slots without one have no piece. */
  record Piece(int lane, String phase, double begin, double end) {}

  private record Step(String phase, double begin, double end) {}

  private static final class Task {
    private final String place;
    private final double begin;
    private final double end;
    private final List<Step> steps = new ArrayList<>();

    Task(String place, double begin, double end) {
      this.place = place;
      this.begin = begin;
      this.end = end;
    }
  }

  private final Runs runs;
  private final String run;
  private final Map<Long, Task> tasks = new LinkedHashMap<>();
  private final List<List<Task>> lanes = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> widths = new TreeMap<>();
  private double end;
  private boolean read;

  private Timeline(Runs runs, String run) {
    this.runs = runs;
    this.run = run;
  }

  /** The last session of a run. */
  public static Timeline of(Runs runs, String run) {
    Timeline timeline = new Timeline(runs, run);
    runs.each(
        "SELECT task, place, begin_s, end_s FROM tasks WHERE run = ? ORDER BY begin_s",
        row ->
            timeline.tasks.put(
                row.getLong(1), new Task(row.getString(2), row.getDouble(3), row.getDouble(4))),
        run);
    timeline.lay();
    return timeline;
  }

  /** The lanes with their phases, which are read when they are first asked for. */
  private List<List<Task>> lanes() {
    if (!read) {
      runs.each(
          """
          SELECT task, phase, begin_s, end_s FROM steps
          WHERE run = ? AND NOT nested AND phase <> 'queue.wait'
          """,
          row ->
              tasks
                  .get(row.getLong(1))
                  .steps
                  .add(new Step(row.getString(2), row.getDouble(3), row.getDouble(4))),
          run);
      tasks.values().forEach(task -> task.steps.sort(Comparator.comparingDouble(Step::begin)));
      read = true;
    }
    return lanes;
  }

  private void lay() {
    Map<String, List<List<Task>>> byPlace = new TreeMap<>();
    for (Task task : tasks.values()) {
      end = Math.max(end, task.end);
      List<List<Task>> rows = byPlace.computeIfAbsent(task.place, place -> new ArrayList<>());
      List<Task> free =
          rows.stream().filter(row -> row.getLast().end <= task.begin).findFirst().orElse(null);
      if (free == null) {
        free = new ArrayList<>();
        rows.add(free);
      }
      free.add(task);
    }
    byPlace.forEach(
        (place, rows) -> {
          widths.put(place, rows.size());
          for (int i = 0; i < rows.size(); i++) {
            lanes.add(rows.get(i));
            names.add(rows.size() == 1 ? place : place + " #" + (i + 1));
          }
        });
  }

  /** From the first task's begin to the last one's end. */
  public double seconds() {
    return end;
  }

  /** Task slots that were used. */
  int slots() {
    return lanes.size();
  }

  int executors() {
    return widths.size();
  }

  List<String> laneNames() {
    return names;
  }

  /** What is to be drawn, phase by phase in the order of a partition. */
  List<Piece> pieces(double from, double to) {
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < lanes.size(); i++) {
      List<Step> steps =
          lanes().get(i).stream()
              .flatMap(task -> task.steps.stream())
              .filter(step -> step.end > from && step.begin < to)
              .toList();
      if (steps.size() <= SLOTS) {
        for (Step step : steps) {
          pieces.add(new Piece(i, step.phase, Math.max(from, step.begin), Math.min(to, step.end)));
        }
      } else {
        pieces.addAll(slots(i, steps, from, to));
      }
    }
    return pieces;
  }

  private static List<Piece> slots(int lane, List<Step> steps, double from, double to) {
    double slot = (to - from) / SLOTS;
    List<Map<String, Double>> shares = new ArrayList<>();
    for (int i = 0; i < SLOTS; i++) {
      shares.add(new HashMap<>());
    }
    for (Step step : steps) {
      double begin = (step.begin - from) / slot;
      double end = (step.end - from) / slot;
      for (int i = Math.max(0, (int) begin); i < SLOTS && i < end; i++) {
        double part = Math.min(end, i + 1) - Math.max(begin, i);
        shares.get(i).merge(step.phase, part, Double::sum);
      }
    }
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < SLOTS; i++) {
      // A slot that is empty for more than half is a gap.
      if (shares.get(i).values().stream().mapToDouble(v -> v).sum() < 0.5) {
        continue;
      }
      String most =
          Collections.max(shares.get(i).entrySet(), Map.Entry.comparingByValue()).getKey();
      Piece former = pieces.isEmpty() ? null : pieces.getLast();
      boolean same =
          former != null && former.phase().equals(most) && former.end() == from + i * slot;
      if (same) {
        pieces.removeLast();
      }
      pieces.add(
          new Piece(lane, most, same ? former.begin() : from + i * slot, from + (i + 1) * slot));
    }
    return pieces;
  }

  /** Per lane: how many tasks, how busy, the longest gap and where it begins. */
  public Table gaps() {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < lanes.size(); i++) {
      double busy = 0;
      double former = 0;
      double gap = 0;
      double at = 0;
      int gaps = 0;
      for (Task task : lanes.get(i)) {
        busy += task.end - task.begin;
        double idle = task.begin - former;
        gaps += idle > 0.01 * end ? 1 : 0;
        if (idle > gap) {
          gap = idle;
          at = former;
        }
        former = task.end;
      }
      if (end - former > gap) {
        gap = end - former;
        at = former;
      }
      gaps += end - former > 0.01 * end ? 1 : 0;
      rows.add(List.of(names.get(i), lanes.get(i).size(), 100 * busy / end, gap, at, gaps));
    }
    return Table.of(
        List.of("lane", "tasks", "busy %", "longest gap s", "it begins at s", "gaps over 1 %"),
        rows);
  }

  /**
   * How much of an executor's work was done at the same time: phases running at once, on average
   * while any ran; and how much of the time two or more ran. One task at a time has 1 and 0.
   */
  public Table overlap() {
    Map<String, List<double[]>> events = new TreeMap<>();
    for (List<Task> lane : lanes()) {
      for (Task task : lane) {
        List<double[]> of = events.computeIfAbsent(task.place, place -> new ArrayList<>());
        for (Step step : task.steps) {
          of.add(new double[] {step.begin, 1});
          of.add(new double[] {step.end, -1});
        }
      }
    }
    List<List<Object>> rows = new ArrayList<>();
    events.forEach(
        (place, list) -> {
          // At the same moment ends come before begins: phases that touch do not overlap.
          list.sort(
              Comparator.comparingDouble((double[] event) -> event[0])
                  .thenComparingDouble(event -> event[1]));
          double any = 0;
          double several = 0;
          double sum = 0;
          double former = 0;
          int running = 0;
          for (double[] event : list) {
            double span = event[0] - former;
            any += running > 0 ? span : 0;
            several += running > 1 ? span : 0;
            sum += running * span;
            running += (int) event[1];
            former = event[0];
          }
          rows.add(
              List.of(
                  place,
                  widths.get(place),
                  any == 0 ? 0.0 : sum / any,
                  any == 0 ? 0.0 : 100 * several / any,
                  100 * any / end));
        });
    return Table.of(
        List.of("executor", "tasks at once", "phases at once", "overlapped %", "of the run busy %"),
        rows);
  }

  /**
   * The chain of work that ends last: the tasks of the lane that finished last, phase by phase, and
   * its waits between them. Only what shortens this chain shortens the run.
   */
  public Table criticalPath() {
    List<Task> last =
        lanes().stream()
            .max(Comparator.comparingDouble(lane -> lane.getLast().end))
            .orElseThrow(() -> new IllegalArgumentException("the run has no verified proof"));
    Map<String, Double> seconds = new LinkedHashMap<>();
    double idle = 0;
    double former = 0;
    for (Task task : last) {
      idle += Math.max(0, task.begin - former);
      former = task.begin;
      for (Step step : task.steps) {
        // Phases of one task may overlap: each moment counts once.
        double from = Math.max(step.begin, former);
        idle += Math.max(0, from - former);
        double own = Math.max(0, step.end - from);
        seconds.merge(step.phase, own, Double::sum);
        former = Math.max(former, step.end);
      }
      idle += Math.max(0, task.end - former);
      former = Math.max(former, task.end);
    }
    List<List<Object>> rows = new ArrayList<>();
    seconds.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .forEach(
            entry ->
                rows.add(List.of(entry.getKey(), entry.getValue(), 100 * entry.getValue() / end)));
    rows.add(List.of("between phases and tasks", idle, 100 * idle / end));
    return Table.of(List.of("on the critical path", "seconds", "of the run %"), rows);
  }
}
