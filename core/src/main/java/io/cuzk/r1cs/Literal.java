package io.cuzk.r1cs;

/**
 * What goes into and comes out of a {@link Block}: a variable, the negation of one that is a bit,
 * or a constant truth value. The low 32 bits are the tagged {@link Variable}, the two above the
 * kind.
 */
public final class Literal {
  /** The constant false. */
  public static final long FALSE = 2L << 32;

  /** The constant true. */
  public static final long TRUE = 3L << 32;

  private static final long NOT = 1L << 32;

  private Literal() {}

  /** A variable as it is. */
  public static long of(int variable) {
    return variable & 0xffffffffL;
  }

  /** 1 − a bit. */
  public static long not(int variable) {
    return of(variable) | NOT;
  }

  /** Whether it is true or false whatever the witness. */
  public static boolean isConstant(long literal) {
    return literal >= FALSE;
  }

  /** Whether it is the negation of a variable. */
  public static boolean isNegated(long literal) {
    return (literal & ~0xffffffffL) == NOT;
  }

  /** The variable of a literal that is not a constant. */
  public static int variable(long literal) {
    return (int) literal;
  }
}
