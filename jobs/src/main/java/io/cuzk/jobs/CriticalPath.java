package io.cuzk.jobs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * The chain of tasks that ends a run: the task that ended last, before it the one whose end gave it
 * its place on that executor, and so on. Only what shortens this chain shortens the run.
 *
 * @param executor of the chain
 * @param tasks in it
 * @param seconds from the first task's begin of the whole run to the chain's end
 * @param phases by name, the longest first: seconds of the chain, each moment counted once
 * @param elsewhereSeconds of the chain in no phase: between tasks, before the first, in Spark
 */
public record CriticalPath(
    String executor,
    int tasks,
    double seconds,
    Map<String, Double> phases,
    double elsewhereSeconds) {

  private record Key(String sector, long partition, long attempt) {
    static Key of(Columns rows, int row) {
      return new Key(
          rows.text("sector", row),
          rows.longs("partition_index")[row],
          rows.longs("task_attempt")[row]);
    }
  }

  private record Step(String phase, long begin, long end) {}

  private static final class Task {
    private final String executor;
    private final long begin;
    private final List<Step> steps = new ArrayList<>();
    private long end;

    Task(String executor, long begin, long end) {
      this.executor = executor;
      this.begin = begin;
      this.end = end;
    }

    void add(Step step) {
      steps.add(step);
      end = Math.max(end, step.end());
    }
  }

  /**
   * Of the proofs of a run's last session.
   *
   * @return nothing if that session proved nothing
   * @throws io.cuzk.InvalidInputException if the run has not ended
   */
  public static Optional<CriticalPath> read(String directory, Configuration hadoop) {
    RunData run = RunData.open(directory, hadoop);
    String runId = run.record().path("run_id").asText();
    Columns proofs =
        run.read(
            RunData.PROOFS,
            "run_id",
            "sector",
            "partition_index",
            "task_attempt",
            "started_at",
            "wall_ns",
            "executor_id");
    Map<Key, Task> tasks = new HashMap<>();
    for (int row = 0; row < proofs.rows(); row++) {
      if (runId.equals(proofs.text("run_id", row))) {
        long begin = proofs.longs("started_at")[row];
        tasks.put(
            Key.of(proofs, row),
            new Task(proofs.text("executor_id", row), begin, begin + proofs.longs("wall_ns")[row]));
      }
    }
    Columns phases =
        run.read(
            RunData.PHASES,
            "run_id",
            "sector",
            "partition_index",
            "task_attempt",
            "phase",
            "start_ns",
            "wall_ns");
    for (int row = 0; row < phases.rows(); row++) {
      String phase = phases.text("phase", row);
      // The wait for a task lies before it, where its place may have been another's.
      if (!runId.equals(phases.text("run_id", row)) || phase.equals("queue.wait")) {
        continue;
      }
      Task task = tasks.get(Key.of(phases, row));
      if (task != null) {
        long begin = task.begin + phases.longs("start_ns")[row];
        task.add(new Step(phase, begin, begin + phases.longs("wall_ns")[row]));
      }
    }
    return tasks.isEmpty() ? Optional.empty() : Optional.of(of(tasks.values()));
  }

  private static CriticalPath of(Iterable<Task> tasks) {
    List<Task> byEnd = new ArrayList<>();
    tasks.forEach(byEnd::add);
    byEnd.sort(Comparator.comparingLong((Task task) -> task.end).reversed());
    long origin = byEnd.stream().mapToLong(task -> task.begin).min().orElseThrow();
    Deque<Task> chain = new ArrayDeque<>();
    for (Task task : byEnd) {
      Task next = chain.peekFirst();
      if (next == null || task.executor.equals(next.executor) && task.end <= next.begin) {
        chain.addFirst(task);
      }
    }
    Map<String, Long> spent = new HashMap<>();
    long covered = 0;
    long former = origin;
    for (Task task : chain) {
      task.steps.sort(Comparator.comparingLong(Step::begin).thenComparingLong(Step::end));
      for (Step step : task.steps) {
        // Phases of one task may overlap or hold others: each moment counts once.
        long own = Math.max(0, step.end() - Math.max(step.begin(), former));
        spent.merge(step.phase(), own, Long::sum);
        covered += own;
        former = Math.max(former, step.end());
      }
    }
    Map<String, Double> phases = new LinkedHashMap<>();
    spent.entrySet().stream()
        .filter(each -> each.getValue() > 0)
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(each -> phases.put(each.getKey(), each.getValue() * 1e-9));
    long whole = chain.getLast().end - origin;
    return new CriticalPath(
        chain.getLast().executor, chain.size(), whole * 1e-9, phases, (whole - covered) * 1e-9);
  }

  /** For {@code run.json} and {@code --json}. */
  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("executor", executor);
    json.put("tasks", tasks);
    json.put("seconds", seconds);
    json.put("phases", phases);
    json.put("elsewhere_s", elsewhereSeconds);
    return json;
  }
}
