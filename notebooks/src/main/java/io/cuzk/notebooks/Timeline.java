package io.cuzk.notebooks;

import java.util.ArrayList;
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

  private final List<List<Task>> lanes = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> widths = new TreeMap<>();
  private double end;

  private Timeline() {}

  /** The last session of a run. */
  public static Timeline of(Runs runs, String run) {
    Map<Long, Task> tasks = new LinkedHashMap<>();
    for (List<Object> row :
        runs.sql(
                "SELECT task, place, begin_s, end_s FROM tasks WHERE run = ? ORDER BY begin_s", run)
            .rows()) {
      tasks.put((Long) row.get(0), new Task((String) row.get(1), real(row, 2), real(row, 3)));
    }
    for (List<Object> row :
        runs.sql(
                """
                SELECT task, phase, begin_s, end_s FROM steps
                WHERE run = ? AND NOT nested AND phase <> 'queue.wait' ORDER BY begin_s
                """,
                run)
            .rows()) {
      tasks
          .get((Long) row.get(0))
          .steps
          .add(new Step((String) row.get(1), real(row, 2), real(row, 3)));
    }
    Timeline timeline = new Timeline();
    timeline.lay(tasks.values());
    return timeline;
  }

  private static double real(List<Object> row, int at) {
    return ((Number) row.get(at)).doubleValue();
  }

  private void lay(Iterable<Task> tasks) {
    Map<String, List<List<Task>>> byPlace = new TreeMap<>();
    for (Task task : tasks) {
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
  int lanes() {
    return lanes.size();
  }

  int executors() {
    return widths.size();
  }

  List<String> laneNames() {
    return names;
  }

  /** What is to be drawn, phase by phase in the order of a partition. */
  List<Piece> pieces() {
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < lanes.size(); i++) {
      List<Step> steps = lanes.get(i).stream().flatMap(task -> task.steps.stream()).toList();
      if (steps.size() <= SLOTS) {
        for (Step step : steps) {
          pieces.add(new Piece(i, step.phase, step.begin, step.end));
        }
      } else {
        pieces.addAll(slots(i, steps));
      }
    }
    return pieces;
  }

  private List<Piece> slots(int lane, List<Step> steps) {
    double slot = end / SLOTS;
    List<Map<String, Double>> shares = new ArrayList<>();
    for (int i = 0; i < SLOTS; i++) {
      shares.add(new HashMap<>());
    }
    for (Step step : steps) {
      double to = step.end / slot;
      for (int i = Math.max(0, (int) (step.begin / slot)); i < SLOTS && i < to; i++) {
        double part = Math.min(to, i + 1) - Math.max(step.begin / slot, i);
        shares.get(i).merge(step.phase, part, Double::sum);
      }
    }
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < SLOTS; i++) {
      int at = i;
      // A slot that is empty for more than half is a gap.
      if (shares.get(i).values().stream().mapToDouble(v -> v).sum() >= 0.5) {
        shares.get(i).entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .ifPresent(
                most -> pieces.add(new Piece(lane, most.getKey(), at * slot, (at + 1) * slot)));
      }
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
    for (List<Task> lane : lanes) {
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
        lanes.stream()
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
