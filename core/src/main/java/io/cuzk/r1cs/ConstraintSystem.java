package io.cuzk.r1cs;

/**
 * What gadgets speak to: variables are allocated, rows a·b = c enforced, in an order that is part
 * of the circuit. Each implementation is one reading of the same description (synthesis of a
 * witness, row digest, matrices, key generation, …).
 *
 * <p>Variables are tagged ints, see {@link Variable}. Values are elements of {@link
 * io.cuzk.field.Fr} in Montgomery form and live in the constraint system; a reading without a
 * witness ignores those it is given. After synthesis each reading appends one row {@code input_i ·
 * 0 = 0} per input, the constant one included. Not thread-safe.
 */
public interface ConstraintSystem {
  /** Whether this reading holds values; gadgets compute them only then. */
  boolean hasWitness();

  /** Allocates an auxiliary variable. The value may be null where there is no witness. */
  int alloc(long[] value, int at);

  /** Allocates an input. The value may be null where there is no witness. */
  int allocInput(long[] value, int at);

  /**
   * Allocates an auxiliary variable holding 0 or 1; the row that makes it a bit is the caller's.
   */
  default int allocBit(boolean value) {
    return alloc(value ? BitWords.ONE : BitWords.ZERO, 0);
  }

  /**
   * Says that bits allocated next, by {@link #allocBitOf}, are those of the whole number {@code
   * sum}/2^{@code shift}, and returns a handle for it. All variables of the sum are known by now.
   * The combination is read before the call returns, and not kept.
   */
  default int number(LinearCombination sum, int shift) {
    return 0;
  }

  /** Allocates bit {@code place} of a {@link #number}, whose value is given as well. */
  default int allocBitOf(int number, int place, boolean value) {
    return allocBit(value);
  }

  /**
   * Writes a block of rows and returns its results. Outside of blocks the auxiliaries are private
   * inputs: a reading may take their values and leave those inside blocks to be computed.
   */
  default long[] block(Block block, long[] operands) {
    return block.write(this, operands);
  }

  /**
   * Copies a variable's value.
   *
   * @throws IllegalStateException in a reading without a witness
   */
  void value(int variable, long[] out, int at);

  /** Whether the value of a variable is not zero; false in a reading without a witness. */
  default boolean bit(int variable) {
    if (!hasWitness()) {
      return false;
    }
    long[] w = new long[4];
    value(variable, w, 0);
    return (w[0] | w[1] | w[2] | w[3]) != 0;
  }

  /**
   * An empty combination for one of the next row's sides; it belongs to the caller until the next
   * {@link #enforce} and may be reused by the constraint system afterwards.
   */
  default LinearCombination lc() {
    return new LinearCombination();
  }

  /** An empty combination that belongs to the caller for good, in this reading's storage. */
  default LinearCombination ownLc() {
    return new LinearCombination();
  }

  /** Adds the row a·b = c. The combinations are read before the call returns, and not kept. */
  void enforce(LinearCombination a, LinearCombination b, LinearCombination c);

  /** Opens a namespace; readings that do not track names do nothing. */
  default void enter(String name) {}

  /**
   * Opens the namespace that {@link Namespaces#format} makes of a name and an index: {@code "bit"}
   * and 3 are {@code bit 3}, {@code "challenge_#"} and 3 are {@code challenge_3}.
   */
  default void enter(String name, int index) {}

  /** Closes the innermost namespace. */
  default void leave() {}
}
