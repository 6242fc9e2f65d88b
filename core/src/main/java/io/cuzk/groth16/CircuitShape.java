package io.cuzk.groth16;

import io.cuzk.r1cs.BlankReading;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.LinearCombination;

/**
 * Sizes of a circuit.
 *
 * @param inputs number of inputs, the constant one included
 * @param aux number of auxiliary variables
 * @param rows number of rows, the trailing row of each input included
 */
public record CircuitShape(int inputs, int aux, long rows) {
  /** Size of the evaluation domain, a power of two. */
  public long domain() {
    return 1L << logDomain();
  }

  /** Base-2 logarithm of {@link #domain}. */
  public int logDomain() {
    return rows <= 1 ? 0 : 64 - Long.numberOfLeadingZeros(rows - 1);
  }

  /** Counts a circuit's variables and rows by synthesising it without a witness. */
  public static CircuitShape of(Circuit circuit) {
    Counting cs = new Counting();
    circuit.synthesize(cs);
    return cs.shape();
  }

  private static final class Counting extends BlankReading {
    private long rows;

    CircuitShape shape() {
      return new CircuitShape(inputs, aux, rows + inputs);
    }

    @Override
    protected void row(LinearCombination a, LinearCombination b, LinearCombination c) {
      rows++;
    }
  }
}
