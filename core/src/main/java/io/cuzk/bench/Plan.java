package io.cuzk.bench;

import io.cuzk.groth16.Progress;

/**
 * How often something is measured.
 *
 * @param warmup runs that are not counted
 * @param iterations runs whose median is taken
 * @param progress hears of every run
 */
public record Plan(int warmup, int iterations, Progress progress) {
  /** Checks the numbers. */
  public Plan {
    if (warmup < 0 || iterations < 1) {
      throw new IllegalArgumentException(
          "at least one run is measured, found %d after %d of warm-up"
              .formatted(iterations, warmup));
    }
  }
}
