package io.cuzk.jobs.compare;

import java.util.Arrays;

/**
 * The one-sided signed-rank test of Wilcoxon: exact for few values without ties, else by the normal
 * approximation with corrections for ties and continuity. Zeros are left out.
 */
final class SignedRankTest {
  /** Up to this many values the distribution is counted out. */
  private static final int EXACT = 60;

  private SignedRankTest() {}

  /**
   * The probability that values symmetric about 0 show at least as much as these that they lie
   * above it; 1 where none is left.
   *
   * @param values the differences of pairs
   * @param shift subtracted from each
   */
  static double above(double[] values, double shift) {
    double[] sizes = new double[values.length];
    boolean[] positive = new boolean[values.length];
    int n = 0;
    for (double value : values) {
      double difference = value - shift;
      if (difference != 0) {
        sizes[n] = Math.abs(difference);
        positive[n++] = difference > 0;
      }
    }
    Integer[] order = new Integer[n];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (i, j) -> Double.compare(sizes[i], sizes[j]));
    double sum = 0;
    double tied = 0;
    for (int from = 0, to; from < n; from = to) {
      to = from;
      while (to < n && sizes[order[to]] == sizes[order[from]]) {
        to++;
      }
      double rank = (from + 1 + to) / 2.0;
      for (int i = from; i < to; i++) {
        sum += positive[order[i]] ? rank : 0;
      }
      double group = to - from;
      tied += group * group * group - group;
    }
    if (n == 0) {
      return 1;
    }
    return tied == 0 && n <= EXACT ? exact(n, (int) sum) : normal(n, sum, tied);
  }

  /** P(W ≥ w): the share of the subsets of 1 … n whose sum is as large. */
  private static double exact(int n, int w) {
    int most = n * (n + 1) / 2;
    double[] share = new double[most + 1];
    share[0] = 1;
    for (int rank = 1; rank <= n; rank++) {
      for (int s = rank * (rank + 1) / 2; s >= 0; s--) {
        share[s] = (share[s] + (s >= rank ? share[s - rank] : 0)) / 2;
      }
    }
    double tail = 0;
    for (int s = w; s <= most; s++) {
      tail += share[s];
    }
    return Math.min(1, tail);
  }

  private static double normal(double n, double w, double tied) {
    double variance = n * (n + 1) * (2 * n + 1) / 24 - tied / 48;
    if (variance <= 0) {
      return 1;
    }
    return RankTest.upperTail((w - 0.5 - n * (n + 1) / 4) / Math.sqrt(variance));
  }
}
