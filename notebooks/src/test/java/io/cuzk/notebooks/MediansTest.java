package io.cuzk.notebooks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MediansTest {
  @Test
  void quantilesInterpolate() {
    // numpy.quantile([1, 2, 4, 8], [0, 0.25, 0.5, 0.9, 1])
    double[] values = {8, 1, Double.NaN, 4, 2};
    assertThat(Medians.quantile(values, 0)).isEqualTo(1);
    assertThat(Medians.quantile(values, 0.25)).isEqualTo(1.75);
    assertThat(Medians.median(values)).isEqualTo(3);
    assertThat(Medians.quantile(values, 0.9))
        .isEqualTo(6.8, org.assertj.core.api.Assertions.within(1e-12));
    assertThat(Medians.quantile(values, 1)).isEqualTo(8);
    assertThat(Medians.median(new double[0])).isNaN();
  }

  @Test
  void aChangeIsSeenAndNoneIsNot() {
    Random random = new Random(7);
    double[] before = sample(random, 1.0);
    assertThat(Medians.change(before, sample(random, 1.1)).verdict()).isEqualTo("slower");
    assertThat(Medians.change(before, sample(random, 0.9)).verdict()).isEqualTo("faster");
    assertThat(Medians.change(before, sample(random, 1.0)).verdict())
        .isEqualTo("no difference shown");
    assertThat(Medians.change(new double[] {1}, new double[] {9}).verdict())
        .isEqualTo("no difference shown");
  }

  private static double[] sample(Random random, double middle) {
    double[] values = new double[60];
    Arrays.setAll(values, i -> middle * (1 + 0.02 * random.nextGaussian()));
    return values;
  }
}
