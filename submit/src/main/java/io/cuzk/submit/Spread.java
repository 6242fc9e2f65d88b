package io.cuzk.submit;

import java.util.Arrays;
import java.util.Locale;

/**
 * How far apart two samples are, beside how far apart they are in themselves.
 *
 * @param ratio median by median of the base
 * @param relative the larger range of the two, as a part of the base's median
 * @param several whether the base has more than one value
 * @param beyond whether the medians differ by more than that range
 */
record Spread(double ratio, double relative, boolean several, boolean beyond) {
  static Spread between(double[] base, double[] other) {
    double middle = median(base);
    double range = Math.max(range(base), range(other));
    boolean several = base.length > 1;
    return new Spread(
        median(other) / middle,
        range / middle,
        several,
        several && Math.abs(median(other) - middle) > range);
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** From the least to the greatest. */
  static double range(double[] values) {
    return Arrays.stream(values).max().orElseThrow() - Arrays.stream(values).min().orElseThrow();
  }

  /** Such as {@code cpu +3.1 %, within the spread of 4.0 %}. */
  String sentence(String name) {
    String against =
        several
            ? String.format(
                Locale.ROOT,
                "%s the spread of %.1f %%",
                beyond ? "more than" : "within",
                100 * relative)
            : "no spread is known from one iteration";
    return String.format(Locale.ROOT, "%s %+.1f %%, %s", name, 100 * (ratio - 1), against);
  }
}
