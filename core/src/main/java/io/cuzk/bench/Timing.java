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
 * @param cpuSamples CPU time of each run, in nanoseconds, in their order
 * @param wallSamples time on the clock of each run
 */
public record Timing(double cpuNanos, double wallNanos, double[] cpuSamples, double[] wallSamples) {
  /**
   * Runs several works in turn, so that whatever else the machine does falls on all of them, and
   * takes the medians of each.
   *
   * @param workers the pool that the works run on
   */
  static List<Timing> interleaved(
      Plan plan, String what, Workers workers, List<? extends Runnable> works) {
    double[][] cpu = new double[works.size()][plan.iterations()];
    double[][] wall = new double[works.size()][plan.iterations()];
    warmUp(plan, what, works);
    for (int i = 0; i < plan.iterations(); i++) {
      for (int w = 0; w < works.size(); w++) {
        long cpuBefore = workers.cpuNanos() + Workers.threadCpuNanos();
        long before = System.nanoTime();
        works.get(w).run();
        long after = System.nanoTime();
        wall[w][i] = after - before;
        cpu[w][i] = workers.cpuNanos() + Workers.threadCpuNanos() - cpuBefore;
      }
      plan.progress().advanced(what, i + 1, plan.iterations());
    }
    List<Timing> timings = new ArrayList<>();
    for (int w = 0; w < works.size(); w++) {
      timings.add(new Timing(median(cpu[w]), median(wall[w]), cpu[w], wall[w]));
    }
    return timings;
  }

  /** As many runs as planned, and short works until HotSpot has had time to compile them. */
  private static void warmUp(Plan plan, String what, List<? extends Runnable> works) {
    long begun = System.nanoTime();
    for (int i = 0;
        i < plan.warmup()
            || (plan.warmup() > 0 && System.nanoTime() - begun < Plan.LEAST_WARMUP_NANOS);
        i++) {
      works.forEach(Runnable::run);
      plan.progress().advanced(what + ", warm-up", Math.min(i + 1, plan.warmup()), plan.warmup());
    }
  }

  /** The middle value, or the mean of the two in the middle. */
  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
