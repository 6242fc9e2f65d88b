package io.cuzk.jobs.compare;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * What two samples of durations show.
 *
 * @param before seconds, of the baseline
 * @param after seconds
 * @param change relative difference of the medians, of pairs the median ratio's; NaN where the
 *     baseline's median is no positive number
 * @param low lower end of the change's 95 % bootstrap interval; NaN where a sample has one value
 * @param high upper end
 * @param slower probability of such ranks if after is slower by at most the minimum effect
 * @param faster probability of such ranks if after is faster by at most the minimum effect
 * @param paired whether change, interval and probabilities are of ratios within pairs
 */
public record Difference(
    Sample before,
    Sample after,
    double change,
    double low,
    double high,
    double slower,
    double faster,
    boolean paired) {
  /** Relative differences up to this one are no finding. */
  public static final double MINIMUM_EFFECT = 0.03;

  private static final int RESAMPLES = 4000;
  private static final long SEED = 0x63757a6bL;

  /** Compares; NaN stands for a missing value. The same values give the same result. */
  static Difference of(double[] before, double[] after) {
    return of(Sample.of(before), Sample.of(after));
  }

  /** Compares samples. */
  static Difference of(Sample a, Sample b) {
    if (a.size() == 0 || b.size() == 0 || !(a.median() > 0)) {
      return new Difference(a, b, Double.NaN, Double.NaN, Double.NaN, 1, 1, false);
    }
    double change = b.median() / a.median() - 1;
    double low = Double.NaN;
    double high = Double.NaN;
    if (a.size() > 1 && b.size() > 1) {
      SplittableRandom random = new SplittableRandom(SEED);
      BootstrapMedian one = new BootstrapMedian(a, random);
      BootstrapMedian other = new BootstrapMedian(b, random);
      double[] changes = new double[RESAMPLES];
      for (int i = 0; i < RESAMPLES; i++) {
        changes[i] = other.next() / one.next() - 1;
      }
      Arrays.sort(changes);
      low = changes[RESAMPLES / 40];
      high = changes[RESAMPLES - 1 - RESAMPLES / 40];
    }
    return new Difference(
        a,
        b,
        change,
        low,
        high,
        RankTest.larger(a.times(1 + MINIMUM_EFFECT), b),
        RankTest.larger(b, a.times(1 - MINIMUM_EFFECT)),
        false);
  }

  /**
   * Compares pairs, by the ratio within each.
   *
   * @param ratios ln(after / before); at least one
   */
  static Difference paired(Sample a, Sample b, double[] ratios) {
    Sample sorted = Sample.of(ratios);
    double low = Double.NaN;
    double high = Double.NaN;
    if (ratios.length > 1) {
      BootstrapMedian median = new BootstrapMedian(sorted, new SplittableRandom(SEED));
      double[] medians = new double[RESAMPLES];
      Arrays.setAll(medians, i -> median.next());
      Arrays.sort(medians);
      low = Math.expm1(medians[RESAMPLES / 40]);
      high = Math.expm1(medians[RESAMPLES - 1 - RESAMPLES / 40]);
    }
    double[] negated = Arrays.stream(ratios).map(ratio -> -ratio).toArray();
    return new Difference(
        a,
        b,
        Math.expm1(sorted.median()),
        low,
        high,
        SignedRankTest.above(ratios, Math.log1p(MINIMUM_EFFECT)),
        SignedRankTest.above(negated, -Math.log1p(-MINIMUM_EFFECT)),
        true);
  }

  /** The two-sided probability. */
  double p() {
    return Math.min(1, 2 * Math.min(slower, faster));
  }

  boolean known() {
    return before.size() > 0 && after.size() > 0 && !Double.isNaN(change);
  }

  /** Median, in seconds. */
  public double beforeMedian() {
    return before.median();
  }

  /** Median, in seconds. */
  public double afterMedian() {
    return after.median();
  }

  /** Interquartile range, in seconds. */
  public double beforeSpread() {
    return before.spread();
  }

  /** Interquartile range, in seconds. */
  public double afterSpread() {
    return after.spread();
  }

  /** Number of values. */
  public int beforeCount() {
    return before.size();
  }

  /** Number of values. */
  public int afterCount() {
    return after.size();
  }

  /** Difference of the medians in seconds; an absent side counts nothing. */
  public double seconds() {
    double from = before.size() == 0 ? 0 : before.median();
    double to = after.size() == 0 ? 0 : after.median();
    return to - from;
  }
}
