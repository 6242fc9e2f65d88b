package io.cuzk.jobs.compare;

import java.util.random.RandomGenerator;

/**
 * Medians of bootstrap resamples, drawn without resampling: in a resample of n values, the k-th
 * smallest is the value of rank ⌈n·U⌉, where U is the k-th smallest of n uniform numbers, which is
 * Beta(k, n−k+1) distributed. The distribution is the bootstrap's own, at a cost that does not grow
 * with n.
 */
final class BootstrapMedian {
  private final Sample sample;
  private final RandomGenerator random;

  BootstrapMedian(Sample sample, RandomGenerator random) {
    if (sample.size() == 0) {
      throw new IllegalArgumentException("no values to draw from");
    }
    this.sample = sample;
    this.random = random;
  }

  /** The median of one further resample. */
  double next() {
    int n = sample.size();
    int k = (n + 1) / 2;
    double lower = gamma(k);
    double u = lower / (lower + gamma(n - k + 1));
    double value = at(u);
    if (n % 2 == 1) {
      return value;
    }
    // The (k+1)-th of n uniform numbers is the smallest of the n-k that lie above the k-th.
    double above = 1 - (1 - u) * Math.pow(1 - random.nextDouble(), 1.0 / (n - k));
    return (value + at(above)) / 2;
  }

  private double at(double u) {
    int n = sample.size();
    return sample.sorted()[Math.clamp((long) Math.ceil(n * u) - 1, 0, n - 1)];
  }

  /** Gamma(shape, 1) for shape of at least one, by Marsaglia and Tsang (2000). */
  private double gamma(int shape) {
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = random.nextGaussian();
      double root = 1 + c * x;
      if (root > 0) {
        double v = root * root * root;
        if (Math.log(1 - random.nextDouble()) < 0.5 * x * x + d - d * v + d * Math.log(v)) {
          return d * v;
        }
      }
    }
  }
}
