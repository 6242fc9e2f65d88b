package io.cuzk.jobs.compare;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

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

  static List<ExecutorShare> of(Subject side, Samples samples) {
    Observations all = side.observations();
    if (all.executors().size() < 2) {
      return List.of();
    }
    int[][] members = members(all);
    return IntStream.range(0, members.length)
        .parallel()
        .mapToObj(executor -> of(side, samples, executor, members[executor]))
        .toList();
  }

  /** The partitions of every executor. */
  private static int[][] members(Observations all) {
    int[] counts = new int[all.executors().size()];
    for (int executor : all.executor()) {
      counts[executor]++;
    }
    int[][] members = new int[counts.length][];
    Arrays.setAll(members, e -> new int[counts[e]]);
    for (int i = all.executor().length - 1; i >= 0; i--) {
      int executor = all.executor()[i];
      members[executor][--counts[executor]] = i;
    }
    return members;
  }

  private static Sample own(double[] row, int[] members) {
    double[] own = new double[members.length];
    for (int i = 0; i < own.length; i++) {
      own[i] = row[members[i]];
    }
    return Sample.of(own);
  }

  private static Difference difference(Sample all, double[] row, int[] members) {
    Sample mine = own(row, members);
    return Difference.of(all.without(mine), mine);
  }

  private static ExecutorShare of(Subject side, Samples samples, int executor, int[] members) {
    Observations all = side.observations();
    PhaseDifference raw =
        Comparison.difference(
            Comparison.TOTAL,
            false,
            all.onCpu(),
            difference(samples.totalCpu(), all.totalCpu(), members),
            difference(samples.totalWall(), all.totalWall(), members));
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
    double total = (raw.byCpu() ? samples.totalCpu() : samples.totalWall()).median();
    for (int p = 0; p < all.phases().size(); p++) {
      Sample mine = own((raw.byCpu() ? all.cpu() : all.wall())[p], members);
      double rest = (raw.byCpu() ? samples.cpu() : samples.wall()).get(p).medianWithout(mine);
      double change = mine.median() / rest - 1;
      if (rest > NOTABLE * total && Math.abs(change) > Math.abs(most)) {
        phase = all.phases().get(p);
        most = change;
      }
    }
    return new ExecutorShare(
        side.name(), all.executors().get(executor), members.length, corrected, phase, most);
  }
}
