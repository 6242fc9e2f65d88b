package io.cuzk.jobs.compare;

import java.util.Arrays;

/**
 * Measured values of one kind, sorted. Immutable.
 *
 * @param sorted ascending, without NaN
 */
record Sample(double[] sorted) {
  /** A sample of values in any order; NaN stands for a missing one and is left out. */
  static Sample of(double[] values) {
    double[] sorted = Arrays.stream(values).filter(value -> !Double.isNaN(value)).toArray();
    Arrays.sort(sorted);
    return new Sample(sorted);
  }

  /**
   * The values that are left when those of a part of this sample are taken out.
   *
   * @throws IllegalArgumentException if the part has a value that this has not
   */
  Sample without(Sample part) {
    double[] rest = new double[sorted.length - part.sorted.length];
    int next = 0;
    int kept = 0;
    for (double value : sorted) {
      if (next < part.sorted.length && part.sorted[next] == value) {
        next++;
      } else if (kept < rest.length) {
        rest[kept++] = value;
      } else {
        throw new IllegalArgumentException("not a part of this sample: " + part.sorted[next]);
      }
    }
    return new Sample(rest);
  }

  int size() {
    return sorted.length;
  }

  double median() {
    return quantile(0.5);
  }

  /** Half of the values lie within this distance of each other: upper less lower quartile. */
  double spread() {
    return quantile(0.75) - quantile(0.25);
  }

  /** Interpolated linearly between ranks, so that 0.5 is the median; NaN of an empty sample. */
  double quantile(double q) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double rank = q * (sorted.length - 1);
    int below = (int) rank;
    double part = rank - below;
    return part == 0 ? sorted[below] : sorted[below] * (1 - part) + sorted[below + 1] * part;
  }

  Sample times(double factor) {
    double[] scaled = new double[sorted.length];
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = sorted[i] * factor;
    }
    return new Sample(scaled);
  }
}
