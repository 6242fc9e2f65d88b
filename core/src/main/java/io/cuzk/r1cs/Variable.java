package io.cuzk.r1cs;

/**
 * Variables as tagged ints: input k is {@code k}, auxiliary k is {@code k | 0x80000000}. Input 0 is
 * the constant one. Read as unsigned numbers they sort inputs first, then auxiliaries, by index.
 */
public final class Variable {
  /** The constant one, input 0. */
  public static final int ONE = 0;

  /** The tag bit of auxiliary variables. */
  public static final int AUX = 0x80000000;

  private Variable() {}

  /** Auxiliary variable {@code index}. */
  public static int aux(int index) {
    return index | AUX;
  }

  /** Whether the variable is auxiliary. */
  public static boolean isAux(int variable) {
    return variable < 0;
  }

  /** The index within inputs or auxiliaries. */
  public static int index(int variable) {
    return variable & ~AUX;
  }

  /** {@code i3} or {@code x3}. */
  public static String toString(int variable) {
    return (isAux(variable) ? "x" : "i") + index(variable);
  }
}
