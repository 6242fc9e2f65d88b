package io.cuzk.notebooks;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Medians, quantiles and how sure their ratio is. NaN is left out everywhere. */
public final class Medians {
  private static final int RESAMPLES = 2000;
  private static final int DRAWN = 200;

  private Medians() {}

  /**
   * A change between two samples.
   *
   * @param before median
   * @param after median
   * @param change after / before - 1
   * @param low end of the 95 % interval of the change, by bootstrap; NaN for fewer than two values
   * @param high the other end
   */
  public record Change(double before, double after, double change, double low, double high) {
    /** In words; a change counts from 3 % on, as for {@code cuzk compare}. */
    public String verdict() {
      if (low > 0 && change > 0.03) {
        return "slower";
      }
      return high < 0 && change < -0.03 ? "faster" : "no difference shown";
    }
  }

  /** The value below which a part of the sample lies, interpolated; NaN of none. */
  public static double quantile(double[] values, double part) {
    return sortedQuantile(sorted(values), part);
  }

  /** The value in the middle. */
  public static double median(double[] values) {
    return quantile(values, 0.5);
  }

  /** How the median changed; the same samples give the same interval. */
  public static Change change(double[] before, double[] after) {
    double[] a = sorted(before);
    double[] b = sorted(after);
    double first = sortedQuantile(a, 0.5);
    double second = sortedQuantile(b, 0.5);
    double low = Double.NaN;
    double high = Double.NaN;
    if (a.length > 1 && b.length > 1) {
      SplittableRandom random = new SplittableRandom(1);
      double[] changes = new double[RESAMPLES];
      Arrays.setAll(changes, i -> resampled(b, random) / resampled(a, random) - 1);
      Arrays.sort(changes);
      low = sortedQuantile(changes, 0.025);
      high = sortedQuantile(changes, 0.975);
    }
    return new Change(first, second, second / first - 1, low, high);
  }

  /**
   * The median of a resample. Of a large sample it is not drawn value by value: the rank of a
   * resample's median is then normal about the middle, with half the root of the size.
   */
  private static double resampled(double[] values, RandomGenerator random) {
    if (values.length > DRAWN) {
      double part = 0.5 + random.nextGaussian() / (2 * Math.sqrt(values.length));
      return sortedQuantile(values, Math.clamp(part, 0, 1));
    }
    double[] drawn = new double[values.length];
    Arrays.setAll(drawn, i -> values[random.nextInt(values.length)]);
    Arrays.sort(drawn);
    return sortedQuantile(drawn, 0.5);
  }

  private static double[] sorted(double[] values) {
    return Arrays.stream(values).filter(value -> !Double.isNaN(value)).sorted().toArray();
  }

  private static double sortedQuantile(double[] values, double part) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double at = part * (values.length - 1);
    int below = (int) at;
    int above = Math.min(values.length - 1, below + 1);
    return values[below] + (at - below) * (values[above] - values[below]);
  }
}
