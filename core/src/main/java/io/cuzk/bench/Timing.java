package io.cuzk.bench;

import io.cuzk.parallel.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Medians over the runs of one work.
 *
 * @param cpuNanos CPU time of the calling thread and of the pool's threads in one run
 * @param wallNanos time on the clock of one run
 */
public record Timing(double cpuNanos, double wallNanos) {
  /**
   * Runs several works in turn, so that whatever else the machine does falls on all of them, and
   * takes the medians of each.
   *
   * @param workers the pool that the works run on
   */
  static List<Timing> interleaved(
      Plan plan, String what, Workers workers, List<? extends Runnable> works) {
    int runs = plan.warmup() + plan.iterations();
    double[][] cpu = new double[works.size()][plan.iterations()];
    double[][] wall = new double[works.size()][plan.iterations()];
    for (int i = 0; i < runs; i++) {
      for (int w = 0; w < works.size(); w++) {
        long cpuBefore = workers.cpuNanos() + Workers.threadCpuNanos();
        long before = System.nanoTime();
        works.get(w).run();
        long after = System.nanoTime();
        long cpuAfter = workers.cpuNanos() + Workers.threadCpuNanos();
        int k = i - plan.warmup();
        if (k >= 0) {
          cpu[w][k] = cpuAfter - cpuBefore;
          wall[w][k] = after - before;
        }
      }
      plan.progress().advanced(what, i + 1, runs);
    }
    List<Timing> timings = new ArrayList<>();
    for (int w = 0; w < works.size(); w++) {
      timings.add(new Timing(median(cpu[w]), median(wall[w])));
    }
    return timings;
  }

  /** The middle value, or the mean of the two in the middle. */
  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
