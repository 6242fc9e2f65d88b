package io.cuzk.jobs.compare;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Which partition of one side goes with which of the other: the same partition of the same place in
 * the lists of runs. Where runs take turns, a pair was measured side by side, and a machine that
 * changes its speed changes both.
 *
 * @param partner by partition of the first side, the other side's; null where sides have no pairs
 */
record Pairing(int[] partner) {
  private static final Pairing NONE = new Pairing(null);

  /** With fewer pairs than this no difference could be shown, whatever the correction. */
  private static final int FEWEST = 12;

  /** From this correlation on a pair's ratio varies clearly less than two single values do. */
  private static final double TOGETHER = 0.5;

  /** So many values show a difference without being paired, and are compared faster. */
  static final int MOST = 20_000;

  /** Pairs all partitions of two sides, or none. */
  static Pairing of(Observations before, Observations after) {
    int n = before.size();
    if (before.keys() == null
        || after.keys() == null
        || n != after.size()
        || n < FEWEST
        || n > MOST) {
      return NONE;
    }
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < n; i++) {
      places.put(after.keys().get(i), i);
    }
    int[] partner = new int[n];
    boolean[] taken = new boolean[n];
    for (int i = 0; i < n; i++) {
      Integer at = places.get(before.keys().get(i));
      if (at == null || taken[at]) {
        return NONE;
      }
      partner[i] = at;
      taken[at] = true;
    }
    return new Pairing(partner);
  }

  /**
   * What a phase's values show: by the ratio within pairs where the two of a pair go up and down
   * together, as on a machine that changes its speed; else by ranks of all, which then show more.
   */
  Difference difference(Sample a, Sample b, double[] before, double[] after) {
    if (partner == null) {
      return Difference.of(a, b);
    }
    double[] x = new double[partner.length];
    double[] y = new double[partner.length];
    int n = 0;
    for (int i = 0; i < partner.length; i++) {
      if (before[i] > 0 && after[partner[i]] > 0) {
        x[n] = Math.log(before[i]);
        y[n++] = Math.log(after[partner[i]]);
      }
    }
    boolean whole = n >= FEWEST && n == a.size() && n == b.size();
    if (!whole || correlation(x, y, n) < TOGETHER) {
      return Difference.of(a, b);
    }
    double[] ratios = new double[n];
    for (int i = 0; i < n; i++) {
      ratios[i] = y[i] - x[i];
    }
    return Difference.paired(a, b, ratios);
  }

  /** Pearson's; 0 where a side does not vary. */
  private static double correlation(double[] x, double[] y, int n) {
    double meanX = Arrays.stream(x, 0, n).average().orElse(0);
    double meanY = Arrays.stream(y, 0, n).average().orElse(0);
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (int i = 0; i < n; i++) {
      xx += (x[i] - meanX) * (x[i] - meanX);
      yy += (y[i] - meanY) * (y[i] - meanY);
      xy += (x[i] - meanX) * (y[i] - meanY);
    }
    return xx == 0 || yy == 0 ? 0 : xy / Math.sqrt(xx * yy);
  }
}
