package io.cuzk.jobs.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * One executor of a side that has several, against the side's others.
 *
 * @param side the run, as it was typed
 * @param place host, executor and device
 * @param partitions proved there
 * @param difference of all other executors' partitions to this one's
 * @param phase the one that differs most, of those with 2 % of the time
 * @param phaseChange by how much, relatively
 */
public record ExecutorShare(
    String side,
    String place,
    int partitions,
    PhaseDifference difference,
    String phase,
    double phaseChange) {
  private static final double NOTABLE = 0.02;

  static List<ExecutorShare> of(Subject side) {
    Observations all = side.observations();
    List<ExecutorShare> shares = new ArrayList<>();
    if (all.executors().size() < 2) {
      return shares;
    }
    for (int e = 0; e < all.executors().size(); e++) {
      int own = e;
      shares.add(of(side, own, i -> all.executor()[i] == own));
    }
    return shares;
  }

  private static ExecutorShare of(Subject side, int executor, IntPredicate own) {
    Observations all = side.observations();
    PhaseDifference raw =
        Comparison.difference(
            Comparison.TOTAL,
            false,
            all.onCpu(),
            Difference.of(where(all.totalCpu(), own.negate()), where(all.totalCpu(), own)),
            Difference.of(where(all.totalWall(), own.negate()), where(all.totalWall(), own)));
    int family = 2 * all.executors().size();
    PhaseDifference corrected =
        new PhaseDifference(
            raw.phase(),
            false,
            raw.byCpu(),
            raw.cpu(),
            raw.wall(),
            Math.min(1, raw.pCpu() * family),
            Math.min(1, raw.pWall() * family));
    String phase = "";
    double most = 0;
    double total = Sample.of(raw.byCpu() ? all.totalCpu() : all.totalWall()).median();
    for (int p = 0; p < all.phases().size(); p++) {
      double[] row = (raw.byCpu() ? all.cpu() : all.wall())[p];
      double rest = Sample.of(where(row, own.negate())).median();
      double change = Sample.of(where(row, own)).median() / rest - 1;
      if (rest > NOTABLE * total && Math.abs(change) > Math.abs(most)) {
        phase = all.phases().get(p);
        most = change;
      }
    }
    int partitions = Sample.of(where(all.totalWall(), own)).size();
    return new ExecutorShare(
        side.name(), all.executors().get(executor), partitions, corrected, phase, most);
  }

  private static double[] where(double[] row, IntPredicate own) {
    double[] kept = new double[row.length];
    int count = 0;
    for (int i = 0; i < row.length; i++) {
      if (own.test(i)) {
        kept[count++] = row[i];
      }
    }
    return Arrays.copyOf(kept, count);
  }
}
