package io.cuzk.jobs.report;

import io.cuzk.jobs.Columns;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What every executor did when: lanes of tasks that do not overlap, each cut into equal slots that
 * hold the phase that took most of them. The size of the picture does not grow with the run.
 */
final class Timeline {
  static final int SLOTS = 500;

  /** In place of a phase: a task ran, and what it did is no phase. */
  static final int UNNAMED = -2;

  /** So many lanes fit on a page. */
  private static final int MOST_LANES = 64;

  /**
   * One lane.
   *
   * @param place host, executor and device
   * @param phases per slot an index into {@link #phases}, -1 where nothing ran, {@link #UNNAMED}
   * @param busySeconds of tasks
   * @param longestGapSeconds between tasks, and before the first and after the last one
   */
  record Lane(
      String place, int tasks, int[] phases, double busySeconds, double longestGapSeconds) {}

  private record Key(String sector, long partition, long attempt) {}

  /** A task and its rows of the phases. */
  private static final class Task {
    final String place;
    final long startNs;
    long endNs;
    final List<Integer> rows = new ArrayList<>();

    Task(String place, long startNs, long endNs) {
      this.place = place;
      this.startNs = startNs;
      this.endNs = endNs;
    }
  }

  private final Columns phases;
  private final List<Lane> lanes = new ArrayList<>();
  private long beginNs = Long.MAX_VALUE;
  private long endNs = Long.MIN_VALUE;
  private int hidden;

  private Timeline(Columns phases) {
    this.phases = phases;
  }

  /** The times of partitions whose proofs verified, in one session of a run. */
  static Timeline of(Columns proofs, Columns phases, String runId) {
    Timeline timeline = new Timeline(phases);
    timeline.lay(timeline.tasks(proofs, runId));
    return timeline;
  }

  private List<Task> tasks(Columns proofs, String runId) {
    Map<Key, Task> tasks = new HashMap<>();
    for (int row = 0; row < proofs.rows(); row++) {
      if (proofs.longs("verified")[row] != 1 || !runId.equals(proofs.text("run_id", row))) {
        continue;
      }
      long start = proofs.longs("started_at")[row];
      Task task =
          new Task(
              "%s executor %s: %s"
                  .formatted(
                      proofs.text("host", row),
                      proofs.text("executor_id", row),
                      proofs.text("device", row)),
              start,
              start + proofs.longs("wall_ns")[row]);
      tasks.put(
          new Key(
              proofs.text("sector", row),
              proofs.longs("partition_index")[row],
              proofs.longs("task_attempt")[row]),
          task);
    }
    Key key = null;
    Task task = null;
    for (int row = 0; row < phases.rows(); row++) {
      Key at =
          new Key(
              phases.text("sector", row),
              phases.longs("partition_index")[row],
              phases.longs("task_attempt")[row]);
      if (!at.equals(key)) {
        key = at;
        task = tasks.get(at);
      }
      // The wait for a task lies before it, where the lane may have proved another.
      if (task != null && !phases.text("phase", row).equals("queue.wait")) {
        task.rows.add(row);
        task.endNs =
            Math.max(
                task.endNs,
                task.startNs + phases.longs("start_ns")[row] + phases.longs("wall_ns")[row]);
      }
    }
    return new ArrayList<>(tasks.values());
  }

  private void lay(List<Task> tasks) {
    tasks.sort(Comparator.comparingLong(task -> task.startNs));
    Map<String, List<List<Task>>> byPlace = new TreeMap<>();
    for (Task task : tasks) {
      beginNs = Math.min(beginNs, task.startNs);
      endNs = Math.max(endNs, task.endNs);
      List<List<Task>> rows = byPlace.computeIfAbsent(task.place, place -> new ArrayList<>());
      List<Task> free =
          rows.stream().filter(row -> row.getLast().endNs <= task.startNs).findFirst().orElse(null);
      if (free == null) {
        free = new ArrayList<>();
        rows.add(free);
      }
      free.add(task);
    }
    byPlace.forEach(
        (place, rows) -> {
          for (List<Task> row : rows) {
            if (lanes.size() < MOST_LANES) {
              lanes.add(lane(place, row));
            } else {
              hidden++;
            }
          }
        });
  }

  private Lane lane(String place, List<Task> tasks) {
    // The last share is that of whole tasks.
    int names = phases.words("phase").size() + 1;
    double[][] shares = new double[SLOTS][];
    double busy = 0;
    double gap = 0;
    long former = beginNs;
    for (Task task : tasks) {
      busy += (task.endNs - task.startNs) * 1e-9;
      gap = Math.max(gap, (task.startNs - former) * 1e-9);
      former = task.endNs;
      spread(shares, task.startNs, task.endNs - task.startNs, names - 1, names);
      for (int row : task.rows) {
        long start = task.startNs + phases.longs("start_ns")[row];
        spread(shares, start, phases.longs("wall_ns")[row], phases.codes("phase")[row], names);
      }
    }
    gap = Math.max(gap, (endNs - former) * 1e-9);
    int[] slots = new int[SLOTS];
    for (int i = 0; i < SLOTS; i++) {
      slots[i] = most(shares[i]);
    }
    return new Lane(place, tasks.size(), slots, busy, gap);
  }

  private void spread(double[][] shares, long start, long wall, int phase, int names) {
    double slot = (double) Math.max(1, endNs - beginNs) / SLOTS;
    double from = (start - beginNs) / slot;
    double to = (start + wall - beginNs) / slot;
    for (int i = Math.max(0, (int) from); i < SLOTS && i < to; i++) {
      if (shares[i] == null) {
        shares[i] = new double[names];
      }
      shares[i][phase] += Math.min(to, i + 1) - Math.max(from, i);
    }
  }

  /** A slot that is empty for more than half is a gap, in a task or between tasks. */
  private static int most(double[] shares) {
    if (shares == null) {
      return -1;
    }
    int best = 0;
    double sum = 0;
    for (int p = 0; p < shares.length - 1; p++) {
      sum += shares[p];
      best = shares[p] > shares[best] ? p : best;
    }
    return sum >= 0.5 ? best : shares[shares.length - 1] >= 0.5 ? UNNAMED : -1;
  }

  List<Lane> lanes() {
    return lanes;
  }

  /** Lanes that were left out. */
  int hidden() {
    return hidden;
  }

  List<String> phases() {
    return phases.words("phase");
  }

  /** From the first task's begin to the last one's end. */
  double seconds() {
    return lanes.isEmpty() ? 0 : (endNs - beginNs) * 1e-9;
  }

  /** The share of that time in which the lanes that are shown were busy. */
  double busy() {
    return lanes.stream().mapToDouble(Lane::busySeconds).sum() / (lanes.size() * seconds());
  }
}
