package io.cuzk.r1cs;

/**
 * A reading without a witness: it hands out variables, counts them, and looks at rows. The
 * combinations it lends are used again after each row. Not thread-safe.
 */
public abstract class BlankReading implements ConstraintSystem {
  private final LinearCombinationPool pool = new LinearCombinationPool();

  /** Inputs so far, the constant one included. */
  protected int inputs = 1;

  /** Auxiliaries so far. */
  protected int aux;

  /** For subclasses. */
  protected BlankReading() {}

  /** Takes note of the row a·b = c; the combinations are not to be kept. */
  protected abstract void row(LinearCombination a, LinearCombination b, LinearCombination c);

  /** Calls {@link #row} for the trailing row of each input; to be called after the circuit's. */
  protected final void trailingRows() {
    LinearCombination nothing = new LinearCombination();
    for (int i = 0; i < inputs; i++) {
      enforce(lc().add(i), nothing, nothing);
    }
  }

  @Override
  public final boolean hasWitness() {
    return false;
  }

  @Override
  public int alloc(long[] value, int at) {
    return Variable.aux(aux++);
  }

  @Override
  public int allocBit(boolean value) {
    return alloc(null, 0);
  }

  @Override
  public int allocInput(long[] value, int at) {
    return inputs++;
  }

  @Override
  public final void value(int variable, long[] out, int at) {
    throw new IllegalStateException(
        "this reading of the circuit has no witness: " + getClass().getSimpleName());
  }

  @Override
  public final boolean bit(int variable) {
    return false;
  }

  @Override
  public final LinearCombination lc() {
    return pool.lend();
  }

  @Override
  public final void enforce(LinearCombination a, LinearCombination b, LinearCombination c) {
    row(a, b, c);
    pool.takeBack();
  }
}
