package io.cuzk.circuit;

import io.cuzk.r1cs.ConstraintMatrices;
import io.cuzk.r1cs.Density;
import io.cuzk.r1cs.Literal;
import io.cuzk.r1cs.Variable;

/**
 * A block of rows that a circuit holds many times. Its auxiliaries are {@code externals} of other
 * blocks, the bits before the numbers, and then its own; its inputs are its own. Immutable.
 */
final class Template {
  /** In a result: an operand as it was given, or negated. */
  private static final long OPERAND = 1L << 40;

  private static final long NEGATED_OPERAND = 1L << 41;

  final String block;
  final int bitExternals;
  final int externals;
  final int aux; // own ones
  final int inputs; // own ones
  final int rows;

  /** Auxiliaries that are numbers, externals included, as bits. */
  final long[] isNumber;

  /** The same of the own ones alone, with a word beyond; null if there are none. */
  final long[] numberMask;

  /** Numbers among the externals. */
  final int numberExternals;

  /** Numbers among the own auxiliaries. */
  final int numbers;

  final long[] results;
  final int[] program;
  final int[] windowsA;
  final int[] windowsB;

  /** Rows whose A is not small, ascending. */
  final int[] wideA;

  /** Rows whose B is not small, ascending. */
  final int[] wideB;

  final long[] constants;

  /** Densities over all auxiliaries, externals included; inputs with the constant one. */
  final Density aAux;

  final Density bAux;
  final Density bInputs;

  /** The rows, which only checks and expansions need, deflated. */
  final byte[] packedMatrices;

  final int matricesBytes;

  Template(
      String block,
      int bitExternals,
      int externals,
      int aux,
      int inputs,
      int rows,
      long[] isNumber,
      long[] results,
      int[] program,
      int[] windowsA,
      int[] windowsB,
      int[] wideA,
      int[] wideB,
      long[] constants,
      Density aAux,
      Density bAux,
      Density bInputs,
      int matricesBytes,
      byte[] packedMatrices) {
    this.block = block;
    this.bitExternals = bitExternals;
    this.externals = externals;
    this.aux = aux;
    this.inputs = inputs;
    this.rows = rows;
    this.isNumber = isNumber;
    this.results = results;
    this.program = program;
    this.windowsA = windowsA;
    this.windowsB = windowsB;
    this.wideA = wideA;
    this.wideB = wideB;
    this.constants = constants;
    this.aAux = aAux;
    this.bAux = bAux;
    this.bInputs = bInputs;
    this.matricesBytes = matricesBytes;
    this.packedMatrices = packedMatrices;
    numberExternals = externals - bitExternals;
    long[] mask = new long[(aux + 63 >>> 6) + 1];
    int count = 0;
    for (int i = 0; i < aux; i++) {
      int inside = externals + i;
      if ((isNumber[inside >>> 6] >>> inside & 1) != 0) {
        mask[i >>> 6] |= 1L << i;
        count++;
      }
    }
    numbers = count;
    numberMask = count == 0 ? null : mask;
  }

  ConstraintMatrices matrices() {
    return Unpacker.matrices(packedMatrices, matricesBytes);
  }

  /** A result of a recorded block as {@link #result} reads it; operands as they were recorded. */
  static long encode(long result, int externals, long[] operands) {
    if (Literal.isConstant(result)
        || !Variable.isAux(Literal.variable(result))
        || Variable.index(Literal.variable(result)) >= externals) {
      return result;
    }
    for (int i = 0; i < operands.length; i++) {
      if (!Literal.isConstant(operands[i])
          && Literal.variable(operands[i]) == Literal.variable(result)) {
        return operands[i] == result ? OPERAND | i : NEGATED_OPERAND | i;
      }
    }
    throw new IllegalStateException("a block gave back what it was not given");
  }

  /** Result i of an instance. */
  long result(int i, int auxBase, int inputBase, long[] operands) {
    long result = results[i];
    if (result >= OPERAND) {
      long operand = operands[(int) result];
      if (result < NEGATED_OPERAND) {
        return operand;
      }
      int variable = Literal.variable(operand);
      return Literal.isNegated(operand) ? Literal.of(variable) : Literal.not(variable);
    }
    if (Literal.isConstant(result)) {
      return result;
    }
    int variable = Literal.variable(result);
    int moved =
        Variable.isAux(variable)
            ? Variable.aux(auxBase + Variable.index(variable) - externals)
            : inputBase + variable - 1;
    return Literal.isNegated(result) ? Literal.not(moved) : Literal.of(moved);
  }

  /** All results of an instance. */
  long[] results(int auxBase, int inputBase, long[] operands) {
    long[] all = new long[results.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = result(i, auxBase, inputBase, operands);
    }
    return all;
  }
}
