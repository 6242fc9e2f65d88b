package io.cuzk.bench;

import io.cuzk.InfrastructureException;
import io.cuzk.field.Arithmetic;
import io.cuzk.field.Fr;
import io.cuzk.field.FrTransform;
import io.cuzk.field.FrVector;
import io.cuzk.parallel.Workers;
import java.util.List;
import java.util.Map;

/**
 * The number-theoretic transform of 2^k points, from coefficients in the transform's own order to
 * values in natural order, without a scaling: n/2·k butterflies of a multiplication each.
 *
 * <p>The rival is blst's multiplication in Fr, measured in the same run: that many of them are what
 * a transform by blst takes at least.
 */
public final class TransformBench {
  /** Bytes of an element and of its share of the tables, at most. */
  private static final long BYTES = 96;

  /** Elements moved between layouts at a time. */
  private static final int BLOCK = 1 << 12;

  /** Values that are compared with the polynomial's. */
  private static final int[] CHECKED = {1, 5};

  private TransformBench() {}

  /**
   * Measures; values are checked against the polynomial's at points of the domain.
   *
   * @param multiplication what {@link FieldBench} measured for Fr in this run, or null
   * @throws InfrastructureException if a value is wrong
   */
  public static Measurement run(
      Arithmetic arithmetic, int logSize, int threads, Plan plan, Measurement multiplication) {
    int n = 1 << logSize;
    Heap.require("a transform of 2^" + logSize + " points", BYTES * n);
    try (Workers workers = Workers.of(threads)) {
      FrTransform transform = arithmetic.transform(logSize);
      FrVector v = arithmetic.allocate(n);
      check(transform, v, workers);
      String what = "ntt " + arithmetic.name() + " 2^" + logSize + " x" + threads;
      Timing timing =
          Timing.interleaved(
                  plan, what, workers, List.of(() -> transform.forward(v, null, null, workers)))
              .getFirst();
      return new Measurement(
          "ntt",
          arithmetic.name(),
          logSize,
          threads,
          "butterfly",
          0.5 * n * logSize,
          timing,
          multiplication == null || multiplication.rival() == null
              ? null
              : new Measurement.Rival(
                  "n/2 log2 n " + multiplication.rival().name(),
                  multiplication.rival().unitNanos()),
          Map.of());
    }
  }

  /** Fills v with random coefficients, transforms it, and evaluates the polynomial by Horner. */
  private static void check(FrTransform transform, FrVector v, Workers workers) {
    int n = (int) v.size();
    RandomElements random = new RandomElements(transform.logSize());
    int points = CHECKED.length;
    long[] xs = new long[points * Fr.WORDS];
    for (int p = 0; p < points; p++) {
      long[] root = new long[Fr.WORDS];
      FrTransform.root(transform.logSize(), root, 0);
      Fr.pow(xs, p * Fr.WORDS, root, 0, java.math.BigInteger.valueOf(CHECKED[p] % n));
    }
    long[] sums = new long[points * Fr.WORDS];
    int block = Math.min(BLOCK, n);
    // Horner from the highest coefficient down: blocks are made and loaded from the end.
    for (int from = n - block; from >= 0; from -= block) {
      long[] coefficients = random.fr(block);
      v.load(from, coefficients, 0, block);
      for (int i = block - 1; i >= 0; i--) {
        for (int p = 0; p < points; p++) {
          int at = p * Fr.WORDS;
          Fr.mul(sums, at, sums, at, xs, at);
          Fr.add(sums, at, sums, at, coefficients, i * Fr.WORDS);
        }
      }
    }
    transform.fromNaturalOrder(v, workers);
    transform.forward(v, null, null, workers);
    long[] found = new long[Fr.WORDS];
    for (int p = 0; p < points; p++) {
      v.store(CHECKED[p] % n, found, 0, 1);
      if (!Fr.equal(found, 0, sums, p * Fr.WORDS)) {
        throw new InfrastructureException(
            "ntt of 2^%d by %s is wrong: value %d is not the polynomial's; nothing was measured"
                .formatted(transform.logSize(), v.arithmetic().name(), CHECKED[p] % n));
      }
    }
  }
}
