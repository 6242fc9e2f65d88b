package io.cuzk.jobs.compare;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Holm's correction of several tests' probabilities, for the chance of any false alarm. */
final class Holm {
  private Holm() {}

  /** The corrected probabilities, in the order given. */
  static double[] adjust(double[] p) {
    int[] order =
        IntStream.range(0, p.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> p[i]))
            .mapToInt(i -> i)
            .toArray();
    double[] adjusted = new double[p.length];
    double least = 0;
    for (int rank = 0; rank < order.length; rank++) {
      least = Math.max(least, Math.min(1, p[order[rank]] * (p.length - rank)));
      adjusted[order[rank]] = least;
    }
    return adjusted;
  }
}
