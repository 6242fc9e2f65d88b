package io.cuzk.r1cs;

import java.util.Objects;

/**
 * A part of a circuit that reads nothing but its operands: whatever it allocates follows from them
 * through its rows and {@link ConstraintSystem#number}, and what others read of it are its results.
 * Two blocks of one key whose operands have the same pattern of constants, negations and
 * coincidences therefore have the same rows, which is what lets a compiler write them once.
 * Operands and results are {@link Literal}s. Immutable.
 *
 * @param key the block's kind, with every parameter that its operands do not show
 */
public record Block(String key, Body body) {
  /** Writes the rows. */
  @FunctionalInterface
  public interface Body {
    /** Allocates, enforces, and returns the results. */
    long[] write(ConstraintSystem cs, long[] operands);
  }

  /** Checks that both are there. */
  public Block {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(body, "body");
  }

  /** Writes the rows to a reading. */
  public long[] write(ConstraintSystem cs, long[] operands) {
    return body.write(cs, operands);
  }
}
