package io.cuzk.jobs.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One side against the baseline.
 *
 * @param name the other side, as it was typed
 * @param phases in the order in which they happen
 * @param total of a partition's task, its waits left out
 * @param executors of both sides, where a side has more than one
 */
public record Comparison(
    String name,
    List<PhaseDifference> phases,
    PhaseDifference total,
    List<ExecutorShare> executors) {
  /** The name of a partition's whole time. */
  public static final String TOTAL = "total";

  /** Phases that wait: their wall time counts, and they are an effect, never the cause. */
  private static final Set<String> WAITS = Set.of("queue.wait", "device.wait");

  static Comparison of(Subject before, Subject after) {
    Observations a = before.observations();
    Observations b = after.observations();
    Samples ofA = Samples.of(a);
    Samples ofB = Samples.of(b);
    Pairing pairing = Pairing.of(a, b);
    Set<String> names = new LinkedHashSet<>(a.phases());
    names.addAll(b.phases());
    List<PhaseDifference> raw =
        new ArrayList<>(
            List.copyOf(names).parallelStream()
                .map(
                    name ->
                        difference(
                            name,
                            nested(a, name) && nested(b, name),
                            a.onCpu() && b.onCpu(),
                            pairing.difference(
                                ofA.cpu(name),
                                ofB.cpu(name),
                                a.row(a.cpu(), name),
                                b.row(b.cpu(), name)),
                            pairing.difference(
                                ofA.wall(name),
                                ofB.wall(name),
                                a.row(a.wall(), name),
                                b.row(b.wall(), name))))
                .toList());
    raw.add(
        difference(
            TOTAL,
            false,
            a.onCpu() && b.onCpu(),
            pairing.difference(ofA.totalCpu(), ofB.totalCpu(), a.totalCpu(), b.totalCpu()),
            pairing.difference(ofA.totalWall(), ofB.totalWall(), a.totalWall(), b.totalWall())));
    List<PhaseDifference> corrected = corrected(raw);
    List<ExecutorShare> executors = new ArrayList<>(ExecutorShare.of(before, ofA));
    executors.addAll(ExecutorShare.of(after, ofB));
    return new Comparison(
        after.name(),
        List.copyOf(corrected.subList(0, corrected.size() - 1)),
        corrected.getLast(),
        executors);
  }

  /** True too where the side does not have the phase. */
  private static boolean nested(Observations side, String phase) {
    int at = side.phases().indexOf(phase);
    return at < 0 || side.nested()[at];
  }

  static PhaseDifference difference(
      String name, boolean nested, boolean onCpu, Difference cpu, Difference wall) {
    // Where a device works, the CPU's time says nothing unless it is most of the time.
    boolean byCpu =
        cpu.known()
            && !WAITS.contains(name)
            && (onCpu || !wall.known() || 2 * cpu.beforeMedian() >= wall.beforeMedian());
    return new PhaseDifference(name, nested, byCpu, cpu, wall, cpu.p(), wall.p());
  }

  /** All tests of the comparison, of CPU and of wall times, are one family. */
  private static List<PhaseDifference> corrected(List<PhaseDifference> raw) {
    List<Double> tests = new ArrayList<>();
    for (PhaseDifference row : raw) {
      if (row.cpu().known()) {
        tests.add(row.pCpu());
      }
      if (row.wall().known()) {
        tests.add(row.pWall());
      }
    }
    double[] adjusted = Holm.adjust(tests.stream().mapToDouble(p -> p).toArray());
    List<PhaseDifference> corrected = new ArrayList<>();
    int next = 0;
    for (PhaseDifference row : raw) {
      corrected.add(
          new PhaseDifference(
              row.phase(),
              row.nested(),
              row.byCpu(),
              row.cpu(),
              row.wall(),
              row.cpu().known() ? adjusted[next++] : 1,
              row.wall().known() ? adjusted[next++] : 1));
    }
    return corrected;
  }

  /** Seconds of a partition's change that its outermost phases sum up to, by CPU or wall time. */
  public double explained(boolean cpu) {
    double sum = 0;
    for (PhaseDifference row : phases) {
      if (!row.nested() && !WAITS.contains(row.phase())) {
        sum += (cpu ? row.cpu() : row.wall()).seconds();
      }
    }
    return sum;
  }

  /** Whether the partitions' whole times are known, as they are in a run. */
  public boolean hasTotal() {
    return total.judged().known();
  }

  /**
   * How many values a side would need, both having as many, so that the largest of differences
   * could be shown; 0 if what there is can.
   */
  public int neededValues() {
    int tests = 2 * phases.size() + 2;
    for (PhaseDifference row : phases) {
      int n = row.judged().beforeCount();
      int m = row.judged().afterCount();
      double least = row.judged().paired() ? Math.pow(2, -n) : 1 / orders(n, m);
      if (2 * least * tests < PhaseDifference.LEVEL) {
        return 0;
      }
    }
    int needed = 2;
    while (2 / orders(needed, needed) * tests >= PhaseDifference.LEVEL) {
      needed++;
    }
    return needed;
  }

  /** (n + m)! / (n! m!). */
  private static double orders(int n, int m) {
    double orders = 1;
    for (int i = 1; i <= m; i++) {
      orders *= (double) (n + i) / i;
    }
    return orders;
  }

  /** The phase that became slower by the most seconds, of those that did work. */
  public Optional<PhaseDifference> culprit() {
    return phases.stream()
        .filter(row -> row.verdict() == Verdict.SLOWER && !WAITS.contains(row.phase()))
        .max(Comparator.comparingDouble(row -> row.judged().seconds()));
  }
}
