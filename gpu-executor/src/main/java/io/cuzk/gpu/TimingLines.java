package io.cuzk.gpu;

import io.cuzk.prover.Phase;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The timing lines of the original, on stderr when {@value #SWITCH}=1 is in the environment, such
 * as {@code CUZK_TIMING: gpu_tid=0 tail_msm_ms=6 gpu_total_ms=34}: scripts that read those read
 * these.
 */
final class TimingLines {
  private static final String SWITCH = "CUZK_TIMING";

  /** Phases of a line, with what stands before and behind them. */
  private record Line(String before, List<String> phases, String behind) {}

  private static final String DEVICE = "gpu_tid=0 ";

  private static final List<Line> LINES =
      List.of(
          new Line("", List.of("split_vectors"), ""),
          new Line("", List.of("pre_lock_cpu"), ""),
          new Line("", List.of("mutex_wait"), ""),
          new Line(DEVICE, List.of("ntt_msm_h"), ""),
          new Line("", List.of("barrier_wait"), ""),
          new Line(DEVICE, List.of("batch_add"), ""),
          new Line("", List.of("b_g2_msm"), " num_circuits=1"),
          new Line(DEVICE, List.of("tail_msm", "gpu_total"), ""),
          new Line("", List.of("mutex_held"), ""),
          new Line("", List.of("async_dealloc"), ""));

  private TimingLines() {}

  /** Prints them, if they are wanted. */
  static void print(List<Phase> phases) {
    if ("1".equals(System.getenv(SWITCH))) {
      print(phases, System.err);
    }
  }

  /** One print of all lines, so that those of two proofs do not mix. */
  static void print(List<Phase> phases, PrintStream out) {
    Map<String, Long> nanos = new HashMap<>();
    phases.forEach(phase -> nanos.merge(phase.name(), phase.wallNanos(), Long::sum));
    StringBuilder text = new StringBuilder();
    for (Line line : LINES) {
      text.append(SWITCH).append(": ").append(line.before);
      for (int i = 0; i < line.phases.size(); i++) {
        String name = line.phases.get(i);
        text.append(i == 0 ? "" : " ")
            .append(name)
            .append("_ms=")
            .append(nanos.getOrDefault(name, 0L) / 1_000_000);
      }
      text.append(line.behind).append('\n');
    }
    out.print(text);
    out.flush();
  }
}
