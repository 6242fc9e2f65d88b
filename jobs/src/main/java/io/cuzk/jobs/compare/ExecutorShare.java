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

  /** A row of values by executor, sorted once however many executors there are. */
  private static final class Split {
    private final Sample all;
    private final double[][] own;

    Split(double[] row, Observations of) {
      all = Sample.of(row);
      int[] counts = new int[of.executors().size()];
      for (int executor : of.executor()) {
        counts[executor]++;
      }
      own = new double[counts.length][];
      Arrays.setAll(own, e -> new double[counts[e]]);
      for (int i = 0; i < row.length; i++) {
        int executor = of.executor()[i];
        own[executor][--counts[executor]] = row[i];
      }
    }

    Sample own(int executor) {
      return Sample.of(own[executor]);
    }

    Difference difference(int executor) {
      Sample mine = own(executor);
      return Difference.of(all.without(mine), mine);
    }
  }

  static List<ExecutorShare> of(Subject side) {
    Observations all = side.observations();
    if (all.executors().size() < 2) {
      return List.of();
    }
    Split cpu = new Split(all.totalCpu(), all);
    Split wall = new Split(all.totalWall(), all);
    List<Split> cpus = Arrays.stream(all.cpu()).map(row -> new Split(row, all)).toList();
    List<Split> walls = Arrays.stream(all.wall()).map(row -> new Split(row, all)).toList();
    return IntStream.range(0, all.executors().size())
        .parallel()
        .mapToObj(executor -> of(side, executor, cpu, wall, cpus, walls))
        .toList();
  }

  private static ExecutorShare of(
      Subject side, int executor, Split cpu, Split wall, List<Split> cpus, List<Split> walls) {
    Observations all = side.observations();
    PhaseDifference raw =
        Comparison.difference(
            Comparison.TOTAL,
            false,
            all.onCpu(),
            cpu.difference(executor),
            wall.difference(executor));
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
    double total = (raw.byCpu() ? cpu : wall).all.median();
    for (int p = 0; p < all.phases().size(); p++) {
      Split row = (raw.byCpu() ? cpus : walls).get(p);
      Sample mine = row.own(executor);
      double rest = row.all.without(mine).median();
      double change = mine.median() / rest - 1;
      if (rest > NOTABLE * total && Math.abs(change) > Math.abs(most)) {
        phase = all.phases().get(p);
        most = change;
      }
    }
    return new ExecutorShare(
        side.name(),
        all.executors().get(executor),
        wall.own(executor).size(),
        corrected,
        phase,
        most);
  }
}
