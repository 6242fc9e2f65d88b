package io.cuzk.circuit;

import io.cuzk.r1cs.Density;
import java.util.Optional;

/**
 * A synthesised circuit with its witness: what a prover needs. Rows include the trailing row of
 * each input. Values are read in ranges, four Montgomery words of {@link io.cuzk.field.Fr} each, so
 * that an implementation may keep them in any compact form. Immutable; reads may run in parallel.
 */
public interface Assignment {
  /** Number of inputs, the constant one included. */
  int inputs();

  /** Number of auxiliary variables. */
  int aux();

  /** Number of rows, the trailing ones included. */
  long rows();

  /** Bytes of the arrays that hold the values. */
  long bytes();

  /** Copies inputs from … from+n−1 (input 0 is the constant one). */
  void readInputs(int from, int n, long[] out, int at);

  /** Copies auxiliary values from … from+n−1. */
  void readAux(int from, int n, long[] out, int at);

  /** Bit i, lowest first, is set where auxiliary i is one. For reading only. */
  long[] auxOnes();

  /** Bit i, lowest first, is set where auxiliary i is neither zero nor one. For reading only. */
  long[] auxOthers();

  /** Copies the values of A·w in rows row … row+n−1. */
  void readA(long row, int n, long[] out, int at);

  /** Copies the values of B·w in rows row … row+n−1. */
  void readB(long row, int n, long[] out, int at);

  /** The values of A·w in compact form; empty if this assignment has them as field elements. */
  default Optional<CompactRows> compactA() {
    return Optional.empty();
  }

  /** The values of B·w in compact form; empty if this assignment has them as field elements. */
  default Optional<CompactRows> compactB() {
    return Optional.empty();
  }

  /**
   * Bytes of the rows in compact form, both sides together: of the small integers, and of the
   * places and values of the wide rows. 0 if this assignment has them as field elements.
   */
  default long compactRowBytes() {
    return 0;
  }

  /** Auxiliaries with a non-zero coefficient in A. Inputs are always dense there. */
  Density aAux();

  /** Inputs with a non-zero coefficient in B. */
  Density bInputs();

  /** Auxiliaries with a non-zero coefficient in B. */
  Density bAux();

  /**
   * The same for a prover that proves it once: its rows may be let go at {@link #rowsRead}. For the
   * memory to be freed nothing else may hold this assignment.
   */
  default Assignment once() {
    return this;
  }

  /**
   * Tells that a backend has read all the rows it needs. Does nothing unless this is an assignment
   * from {@link #once}; then rows may not be read again.
   */
  default void rowsRead() {}
}
