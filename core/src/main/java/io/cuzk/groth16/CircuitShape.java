package io.cuzk.groth16;

import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.Variable;

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
    return new CircuitShape(cs.inputs, cs.aux, cs.rows + cs.inputs);
  }

  private static final class Counting extends BlankReading {
    private long rows;

    @Override
    void row(LinearCombination a, LinearCombination b, LinearCombination c) {
      rows++;
    }
  }

  /** A reading without a witness that hands out variables and combinations. */
  abstract static class BlankReading implements ConstraintSystem {
    private LinearCombination[] pool = new LinearCombination[0];
    private int lent;
    int inputs = 1;
    int aux;

    abstract void row(LinearCombination a, LinearCombination b, LinearCombination c);

    @Override
    public final boolean hasWitness() {
      return false;
    }

    @Override
    public final int alloc(long[] value, int at) {
      return Variable.aux(aux++);
    }

    @Override
    public final int allocInput(long[] value, int at) {
      return inputs++;
    }

    @Override
    public final int allocBit(boolean value) {
      return Variable.aux(aux++);
    }

    @Override
    public final void value(int variable, long[] out, int at) {
      throw new IllegalStateException("this reading holds no witness");
    }

    @Override
    public final LinearCombination lc() {
      if (lent == pool.length) {
        pool = java.util.Arrays.copyOf(pool, lent + 8);
        for (int i = lent; i < pool.length; i++) {
          pool[i] = new LinearCombination();
        }
      }
      return pool[lent++].clear();
    }

    @Override
    public final void enforce(LinearCombination a, LinearCombination b, LinearCombination c) {
      row(a, b, c);
      lent = 0;
    }
  }
}
