package io.cuzk.jobs.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The statistics against published figures, commons-math and counting. */
class StatisticsTest {
  /** Hollander and Wolfe (1973), page 69: permeability of membranes; R's ?wilcox.test. */
  private static final double[] TERM = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};

  private static final double[] EARLY = {1.15, 0.88, 0.90, 0.74, 1.21};

  @Test
  void aPartIsTakenOutOfASample() {
    Sample all = Sample.of(new double[] {3, 1, 2, 2, Double.NaN, 5, 2});
    assertThat(all.without(Sample.of(new double[] {2, 5, 2})).sorted()).containsExactly(1, 2, 3);
    assertThat(all.without(Sample.of(new double[0])).sorted()).isEqualTo(all.sorted());
    assertThat(all.without(all).size()).isZero();
    assertThatThrownBy(() -> all.without(Sample.of(new double[] {4})))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theMedianOfTheRestIsFoundWithoutTakingOut() {
    SplittableRandom random = new SplittableRandom(5);
    for (int n = 1; n < 60; n++) {
      double[] all = random.doubles(n).map(value -> Math.rint(9 * value)).toArray();
      Sample part = Sample.of(Arrays.copyOf(all, random.nextInt(n)));
      Sample whole = Sample.of(all);
      assertThat(whole.medianWithout(part)).isEqualTo(whole.without(part).median());
      assertThat(whole.medianWithout(whole)).isNaN();
    }
  }

  @Test
  void largeSamplesAreSortedToo() {
    SplittableRandom random = new SplittableRandom(6);
    double[] values = new double[20_000];
    Arrays.setAll(
        values, i -> (random.nextInt(4) - 1) * Math.exp(20 * random.nextGaussian()) + i % 2 / 1e9);
    values[7] = Double.NaN;
    values[9] = Double.NEGATIVE_INFINITY;
    values[11] = Double.POSITIVE_INFINITY;
    double[] expected = values.clone();
    Arrays.sort(expected);
    assertThat(Sample.of(values).sorted()).isEqualTo(Arrays.copyOf(expected, 19_999));
    double[] same = new double[5000];
    Arrays.fill(same, 3);
    assertThat(Sample.of(same).sorted()).isEqualTo(same);
  }

  @Test
  void rankTestGivesThePublishedProbability() {
    // R: wilcox.test(x, y, alternative = "g"): W = 35, p-value = 0.1272
    assertThat(RankTest.larger(Sample.of(EARLY), Sample.of(TERM))).isEqualTo(0.1272, within(5e-5));
  }

  @Test
  void exactRankTestCountsOrders() {
    double[] a = {1, 4, 6, 7.5};
    double[] b = {3, 5, 8, 9, 10};
    assertThat(RankTest.larger(Sample.of(a), Sample.of(b)))
        .isEqualTo(byCounting(a, b), within(1e-12));
    assertThat(RankTest.larger(Sample.of(b), Sample.of(a)))
        .isEqualTo(byCounting(b, a), within(1e-12));
  }

  /** The share of all splits of the values that have at least as many pairs b > a. */
  private static double byCounting(double[] a, double[] b) {
    double[] all = new double[a.length + b.length];
    System.arraycopy(a, 0, all, 0, a.length);
    System.arraycopy(b, 0, all, a.length, b.length);
    int least = pairs(all, (1 << all.length) - (1 << a.length));
    int count = 0;
    int extreme = 0;
    for (int inB = 0; inB < 1 << all.length; inB++) {
      if (Integer.bitCount(inB) == b.length) {
        count++;
        extreme += pairs(all, inB) >= least ? 1 : 0;
      }
    }
    return (double) extreme / count;
  }

  private static int pairs(double[] all, int inB) {
    int pairs = 0;
    for (int i = 0; i < all.length; i++) {
      for (int j = 0; j < all.length; j++) {
        if ((inB >> j & 1) == 1 && (inB >> i & 1) == 0 && all[j] > all[i]) {
          pairs++;
        }
      }
    }
    return pairs;
  }

  @Test
  void signedRankTestGivesThePublishedProbability() {
    // Hollander and Wolfe (1973), page 29: depression before and after; R's ?wilcox.test:
    // paired, alternative = "greater": V = 40, p-value = 0.01953
    double[] x = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    double[] y = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    double[] differences = new double[x.length];
    Arrays.setAll(differences, i -> x[i] - y[i]);
    assertThat(SignedRankTest.above(differences, 0)).isEqualTo(0.01953, within(5e-6));
  }

  @Test
  void exactSignedRankTestCountsSigns() {
    double[] values = {0.3, -1, 2, 4, -5.5, 6, 7, 8.5};
    double sum = 1 + 3 + 4 + 6 + 7 + 8;
    int extreme = 0;
    for (int signs = 0; signs < 256; signs++) {
      int of = 0;
      for (int rank = 1; rank <= 8; rank++) {
        of += (signs >> rank - 1 & 1) * rank;
      }
      extreme += of >= sum ? 1 : 0;
    }
    assertThat(SignedRankTest.above(values, 0)).isEqualTo(extreme / 256.0, within(1e-12));
    double[] shifted = Arrays.stream(values).map(value -> value + 3).toArray();
    assertThat(SignedRankTest.above(shifted, 3)).isEqualTo(extreme / 256.0, within(1e-12));
    assertThat(SignedRankTest.above(new double[] {2, 2}, 2)).isEqualTo(1);
  }

  @Test
  void manySignedRanksAreNearlyNormal() {
    SplittableRandom random = new SplittableRandom(8);
    double[] values = random.doubles(60).map(value -> value - 0.4).toArray();
    double[] more = Arrays.copyOf(values, 61);
    more[60] = 1e-9; // one more than is counted out, of the lowest rank
    assertThat(SignedRankTest.above(more, 0))
        .isEqualTo(SignedRankTest.above(values, 0), within(0.003));
    double[] ties = {1, 1, -1, 2, 2, 2, -2, 3};
    // Ranks 2 2 -2 5.5 5.5 5.5 -5.5 8 : W = 28.5, variance 8*9*17/24 - (24 + 60) / 48
    double z = (28.5 - 0.5 - 18) / Math.sqrt(51 - 84 / 48.0);
    assertThat(SignedRankTest.above(ties, 0))
        .isEqualTo(1 - new NormalDistribution().cumulativeProbability(z), within(1e-9));
  }

  @Test
  void rankTestWithTiesGivesThePublishedProbability() {
    // scipy.stats.mannwhitneyu([1,2,2,3,4], [2,3,3,5,6,7], alternative="less",
    // method="asymptotic"): U = 6, variance 5*6/12*(12 - 54/110)
    double z = (24 - 0.5 - 15) / Math.sqrt(2.5 * (12 - (24 + 24 + 6 * 0) / 110.0));
    double[] a = {1, 2, 2, 3, 4};
    double[] b = {2, 3, 3, 5, 6, 7};
    assertThat(RankTest.larger(Sample.of(a), Sample.of(b)))
        .isEqualTo(1 - new NormalDistribution().cumulativeProbability(z), within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-3, -0.5, 0, 0.3, 1.96, 3.9, 4.1, 6, 8, 12})
  void normalTailIsThatOfCommonsMath(double z) {
    double expected = new NormalDistribution().cumulativeProbability(-z);
    assertThat(RankTest.upperTail(z) / expected).isEqualTo(1, within(1e-9));
  }

  @Test
  void holmGivesTheKnownCorrection() {
    assertThat(Holm.adjust(new double[] {0.01, 0.04, 0.03, 0.005}))
        .containsExactly(new double[] {0.03, 0.06, 0.06, 0.02}, within(1e-12));
    assertThat(Holm.adjust(new double[] {0.9, 0.8})).containsExactly(1, 1);
    assertThat(Holm.adjust(new double[0])).isEmpty();
  }

  @Test
  void bootstrapMediansHaveTheBinomialsDistribution() {
    // The median of a resample of n = 7 is at most the r-th value if 4 of 7 draws are.
    double[] values = {1, 2, 3, 4, 5, 6, 7};
    BootstrapMedian bootstrap = new BootstrapMedian(Sample.of(values), new SplittableRandom(1));
    int draws = 200_000;
    int[] atMost = new int[8];
    for (int i = 0; i < draws; i++) {
      double median = bootstrap.next();
      for (int r = 1; r <= 7; r++) {
        atMost[r] += median <= r ? 1 : 0;
      }
    }
    for (int r = 1; r <= 7; r++) {
      double expected = 1 - new BinomialDistribution(7, r / 7.0).cumulativeProbability(3);
      assertThat((double) atMost[r] / draws).as("rank " + r).isEqualTo(expected, within(0.005));
    }
  }

  @Test
  void bootstrapOfAnEvenCountIsThatOfResampling() {
    SplittableRandom random = new SplittableRandom(2);
    double[] values = random.doubles(12).map(Math::exp).toArray();
    int draws = 100_000;
    double[] fast = new double[draws];
    double[] slow = new double[draws];
    BootstrapMedian bootstrap = new BootstrapMedian(Sample.of(values), random);
    for (int i = 0; i < draws; i++) {
      fast[i] = bootstrap.next();
      slow[i] = Sample.of(random.ints(12, 0, 12).mapToDouble(at -> values[at]).toArray()).median();
    }
    Arrays.sort(fast);
    Arrays.sort(slow);
    for (double q : new double[] {0.025, 0.25, 0.5, 0.75, 0.975}) {
      int at = (int) (q * draws);
      assertThat(fast[at]).as("quantile " + q).isEqualTo(slow[at], within(0.02));
    }
  }

  @Test
  void quantilesAndSpreadAreThoseOfR() {
    // R: quantile(c(2,4,4,5,7,9), type = 7)
    Sample sample = Sample.of(new double[] {9, 4, Double.NaN, 2, 7, 4, 5});
    assertThat(sample.size()).isEqualTo(6);
    assertThat(sample.median()).isEqualTo(4.5);
    assertThat(sample.quantile(0.25)).isEqualTo(4);
    assertThat(sample.quantile(0.75)).isEqualTo(6.5);
    assertThat(sample.spread()).isEqualTo(2.5);
  }
}
