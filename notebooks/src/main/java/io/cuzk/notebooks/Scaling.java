package io.cuzk.notebooks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * How throughput grows with executors, over several runs. The run on the fewest executors is what
 * the others are measured by.
 */
public final class Scaling {
  private record Measured(
      String run, int executors, int slots, int partitions, double seconds, double[] tasks) {
    double perHour() {
      return partitions / seconds * 3600;
    }
  }

  private final Runs runs;
  private final List<Measured> measured = new ArrayList<>();

  private Scaling(Runs runs) {
    this.runs = runs;
    for (String run : runs.names()) {
      Timeline timeline = Timeline.of(runs, run);
      double[] tasks =
          runs.sql(
                  "SELECT end_s - begin_s AS s FROM tasks WHERE run = ? ORDER BY begin_s, task",
                  run)
              .numbers("s");
      measured.add(
          new Measured(
              run,
              timeline.executors(),
              timeline.slots(),
              tasks.length,
              timeline.seconds(),
              tasks));
    }
    measured.sort(Comparator.comparingInt(Measured::executors).thenComparingInt(Measured::slots));
  }

  /** Of all runs that are open. */
  public static Scaling of(Runs runs) {
    return new Scaling(runs);
  }

  /**
   * Seconds until tasks of the given durations are done, each started on the first free slot.
   *
   * @param durations seconds, in the order in which they start
   */
  static double makespan(double[] durations, int slots) {
    PriorityQueue<Double> free = new PriorityQueue<>();
    double end = 0;
    for (double duration : durations) {
      double begin = free.size() < slots ? 0 : free.remove();
      end = Math.max(end, begin + duration);
      free.add(begin + duration);
    }
    return end;
  }

  /** Partitions an hour if slots were added to the smallest run and nothing else changed. */
  private double predicted(Measured at) {
    double[] base = measured.getFirst().tasks;
    double[] tasks = new double[at.partitions];
    for (int i = 0; i < tasks.length; i++) {
      tasks[i] = base[i % base.length];
    }
    return at.partitions / makespan(tasks, at.slots) * 3600;
  }

  private double efficiency(Measured at) {
    Measured base = measured.getFirst();
    return at.perHour() / base.perHour() * base.slots / at.slots;
  }

  /** A row for every run. */
  public Table table() {
    List<List<Object>> rows = new ArrayList<>();
    for (Measured at : measured) {
      double[] queue =
          runs.sql("SELECT queue_s FROM tasks WHERE run = ?", at.run).numbers("queue_s");
      rows.add(
          List.of(
              at.run,
              at.executors,
              at.slots,
              at.partitions,
              at.seconds,
              at.perHour(),
              predicted(at),
              100 * efficiency(at),
              Medians.median(at.tasks),
              Medians.median(queue),
              Medians.quantile(queue, 1)));
    }
    return Table.of(
        List.of(
            "run",
            "executors",
            "task slots",
            "partitions",
            "seconds",
            "partitions an hour",
            "predicted",
            "efficiency %",
            "task s (median)",
            "queue s (median)",
            "queue s (last)"),
        rows);
  }

  /**
   * What {@code cuzk simulate} predicted, beside what was measured on as many task slots. Empty if
   * no output of it is open.
   */
  public Table simulated() {
    List<List<Object>> rows = new ArrayList<>();
    for (Simulations.Cluster cluster : runs.simulations()) {
      double[] same =
          measured.stream()
              .filter(at -> at.slots == cluster.places())
              .mapToDouble(Measured::perHour)
              .toArray();
      double beside = Medians.median(same);
      rows.add(
          Arrays.asList(
              cluster.from(),
              cluster.hosts(),
              cluster.places(),
              cluster.partitions(),
              cluster.perHour(),
              same.length == 0 ? null : beside,
              same.length == 0 ? null : 100 * (cluster.perHour() / beside - 1),
              cluster.bottleneck()));
    }
    return Table.of(
        List.of(
            "simulated from",
            "hosts",
            "task slots",
            "partitions",
            "partitions an hour",
            "measured",
            "off by %",
            "bottleneck"),
        rows);
  }

  /**
   * Task slots against partitions an hour: measured, predicted, in proportion, and a line for each
   * run that was simulated from.
   */
  public Map<String, double[][]> throughput() {
    Measured base = measured.getFirst();
    Map<String, double[][]> lines = new LinkedHashMap<>();
    double[] slots = measured.stream().mapToDouble(Measured::slots).toArray();
    lines.put(
        "measured",
        new double[][] {slots, measured.stream().mapToDouble(Measured::perHour).toArray()});
    lines.put(
        "predicted from " + base.run,
        new double[][] {slots, measured.stream().mapToDouble(this::predicted).toArray()});
    lines.put(
        "in proportion",
        new double[][] {
          slots,
          measured.stream().mapToDouble(at -> base.perHour() * at.slots / base.slots).toArray()
        });
    Map<String, List<Simulations.Cluster>> simulated = new TreeMap<>();
    for (Simulations.Cluster cluster : runs.simulations()) {
      simulated.computeIfAbsent(cluster.from(), from -> new ArrayList<>()).add(cluster);
    }
    simulated.forEach(
        (from, clusters) -> {
          clusters.sort(Comparator.comparingInt(Simulations.Cluster::places));
          lines.put(
              "cuzk simulate, from " + from.replaceAll(".*/(?=[^/])", ""),
              new double[][] {
                clusters.stream().mapToDouble(Simulations.Cluster::places).toArray(),
                clusters.stream().mapToDouble(Simulations.Cluster::perHour).toArray()
              });
        });
    return lines;
  }

  /** Per run the efficiency in percent, in the order of {@link #table}. */
  public double[] efficiency() {
    return measured.stream().mapToDouble(at -> 100 * efficiency(at)).toArray();
  }

  /** The runs, the smallest first. */
  public List<String> names() {
    return measured.stream().map(Measured::run).toList();
  }
}
