package io.cuzk.bench;

import io.cuzk.groth16.Progress;

/**
 * How often something is measured.
 *
 * @param warmup runs that are not counted; unless 0, they go on for two seconds at least
 * @param iterations runs whose median is taken
 * @param progress hears of every run
 */
public record Plan(int warmup, int iterations, Progress progress) {
  static final long LEAST_WARMUP_NANOS = 2_000_000_000L;

  /** Checks the numbers. */
  public Plan {
    if (warmup < 0 || iterations < 1) {
      throw new IllegalArgumentException(
          "at least one run is measured, found %d after %d of warm-up"
              .formatted(iterations, warmup));
    }
  }
}
