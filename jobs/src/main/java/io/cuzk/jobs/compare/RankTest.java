package io.cuzk.jobs.compare;

/**
 * The one-sided rank test of Wilcoxon, Mann and Whitney: exact for small samples without ties, else
 * by the normal approximation with corrections for ties and continuity.
 */
final class RankTest {
  /** Up to this many values together the distribution is counted out. */
  private static final int EXACT = 60;

  private RankTest() {}

  /**
   * The probability that values of one distribution show at least as much as these that b's are the
   * larger ones; 1 where a sample is empty.
   */
  static double larger(Sample a, Sample b) {
    int n = a.size();
    int m = b.size();
    if (n == 0 || m == 0) {
      return 1;
    }
    double u = 0;
    double tied = 0;
    double[] x = a.sorted();
    double[] y = b.sorted();
    int i = 0;
    int j = 0;
    while (i < n || j < m) {
      double value = j == m || (i < n && x[i] <= y[j]) ? x[i] : y[j];
      int fromA = i;
      int fromB = j;
      while (i < n && x[i] == value) {
        i++;
      }
      while (j < m && y[j] == value) {
        j++;
      }
      double inA = i - fromA;
      double inB = j - fromB;
      u += inB * (fromA + inA / 2);
      double group = inA + inB;
      tied += group * group * group - group;
    }
    return tied == 0 && n + m <= EXACT ? exact(n, m, (int) u) : normal(n, m, u, tied);
  }

  /** P(U ≥ u), with the number of orders for each U by Mann and Whitney's recurrence. */
  private static double exact(int n, int m, int u) {
    double[][] orders = new double[m + 1][n * m + 1];
    for (int j = 0; j <= m; j++) {
      orders[j][0] = 1;
    }
    // orders[j] after step i: the shares of i values of a with j of b, each step's last value
    // being one of b (which beats all i of a) or one of a.
    for (int i = 1; i <= n; i++) {
      double[][] next = new double[m + 1][n * m + 1];
      next[0][0] = 1;
      for (int j = 1; j <= m; j++) {
        for (int s = 0; s <= i * j; s++) {
          double lastOfB = s >= i ? next[j - 1][s - i] * j : 0;
          next[j][s] = (lastOfB + orders[j][s] * i) / (i + j);
        }
      }
      orders = next;
    }
    double tail = 0;
    for (int s = u; s <= n * m; s++) {
      tail += orders[m][s];
    }
    return Math.min(1, tail);
  }

  private static double normal(double n, double m, double u, double tied) {
    double all = n + m;
    double variance = n * m / 12 * (all + 1 - tied / (all * (all - 1)));
    if (variance <= 0) {
      return 1;
    }
    return upperTail((u - 0.5 - n * m / 2) / Math.sqrt(variance));
  }

  /** 1 − Φ(z), by the series below 4 and the continued fraction above; 1e-10 of the value. */
  static double upperTail(double z) {
    if (z < 0) {
      return 1 - upperTail(-z);
    }
    double density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
    if (z < 4) {
      double term = z;
      double sum = z;
      for (int k = 1; term > 1e-17 * sum; k++) {
        term *= z * z / (2 * k + 1);
        sum += term;
      }
      return 0.5 - density * sum;
    }
    double fraction = z;
    for (int k = 60; k >= 1; k--) {
      fraction = z + k / fraction;
    }
    return density / fraction;
  }
}
