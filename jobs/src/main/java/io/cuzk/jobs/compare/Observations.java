package io.cuzk.jobs.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measured durations of one run or of several of the same kind: a value per phase and partition.
 *
 * @param phases names, in the order in which they happen
 * @param cpu seconds by phase and partition; NaN where not measured
 * @param wall seconds by phase and partition
 * @param nested whether a phase lies within others, whose time holds its own
 * @param totalCpu seconds by partition; NaN where not known
 * @param totalWall seconds by partition
 * @param executor by partition, an index into executors
 * @param executors where partitions were proved: host, executor, device
 * @param keys by partition, what it shares with the other runs' same one; null where there is none
 * @param onCpu whether the proving was done by the CPU, whose time then says what it cost
 */
record Observations(
    List<String> phases,
    double[][] cpu,
    double[][] wall,
    boolean[] nested,
    double[] totalCpu,
    double[] totalWall,
    int[] executor,
    List<String> executors,
    List<String> keys,
    boolean onCpu) {
  int size() {
    return totalWall.length;
  }

  /** A phase's row of a matrix; all NaN if it never happened. */
  double[] row(double[][] of, String phase) {
    int at = phases.indexOf(phase);
    return at < 0 ? filled(size()) : of[at];
  }

  /** The phases of a name: itself, or what it is a prefix of up to a dot, outermost only. */
  List<String> group(String name) {
    if (phases.contains(name)) {
      return List.of(name);
    }
    List<String> found = new ArrayList<>();
    for (int i = 0; i < phases.size(); i++) {
      if (!nested[i] && phases.get(i).startsWith(name + ".")) {
        found.add(phases.get(i));
      }
    }
    return found;
  }

  /** By partition the sum over phases; NaN where none was measured. */
  double[] sum(double[][] of, List<String> names) {
    double[] sum = filled(size());
    for (String name : names) {
      double[] row = row(of, name);
      for (int i = 0; i < sum.length; i++) {
        if (!Double.isNaN(row[i])) {
          sum[i] = (Double.isNaN(sum[i]) ? 0 : sum[i]) + row[i];
        }
      }
    }
    return sum;
  }

  /** Several runs of the same kind as one. */
  static Observations pool(List<Observations> runs) {
    if (runs.size() == 1) {
      return runs.getFirst();
    }
    Map<String, Boolean> nested = new LinkedHashMap<>();
    Map<String, Integer> executors = new LinkedHashMap<>();
    int size = 0;
    for (Observations run : runs) {
      for (int i = 0; i < run.phases.size(); i++) {
        nested.merge(run.phases.get(i), run.nested[i], Boolean::logicalAnd);
      }
      run.executors.forEach(name -> executors.putIfAbsent(name, executors.size()));
      size += run.size();
    }
    List<String> phases = List.copyOf(nested.keySet());
    double[][] cpu = new double[phases.size()][size];
    double[][] wall = new double[phases.size()][size];
    double[] totalCpu = new double[size];
    double[] totalWall = new double[size];
    int[] executor = new int[size];
    int at = 0;
    for (Observations run : runs) {
      int n = run.size();
      for (int p = 0; p < phases.size(); p++) {
        System.arraycopy(run.row(run.cpu, phases.get(p)), 0, cpu[p], at, n);
        System.arraycopy(run.row(run.wall, phases.get(p)), 0, wall[p], at, n);
      }
      System.arraycopy(run.totalCpu, 0, totalCpu, at, n);
      System.arraycopy(run.totalWall, 0, totalWall, at, n);
      for (int i = 0; i < n; i++) {
        executor[at + i] = executors.get(run.executors.get(run.executor[i]));
      }
      at += n;
    }
    boolean[] within = new boolean[phases.size()];
    for (int p = 0; p < within.length; p++) {
      within[p] = nested.get(phases.get(p));
    }
    return new Observations(
        phases,
        cpu,
        wall,
        within,
        totalCpu,
        totalWall,
        executor,
        List.copyOf(executors.keySet()),
        keys(runs),
        runs.stream().allMatch(Observations::onCpu));
  }

  /** A partition's key is that within its run, and the run's place in the list. */
  private static List<String> keys(List<Observations> runs) {
    List<String> keys = new ArrayList<>();
    for (int k = 0; k < runs.size(); k++) {
      if (runs.get(k).keys == null) {
        return null;
      }
      for (String key : runs.get(k).keys) {
        keys.add(k + " " + key);
      }
    }
    return keys;
  }

  static double[] filled(int size) {
    double[] row = new double[size];
    Arrays.fill(row, Double.NaN);
    return row;
  }
}
