package io.cuzk.circuit;

import io.cuzk.r1cs.Literal;
import io.cuzk.r1cs.Variable;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * A block's operands by what its rows can depend on: their distinct variables are numbered, bits
 * first and then numbers, each in the order of first appearance. Reused. Not thread-safe.
 */
final class OperandPattern {
  private int[] slots = new int[64]; // place among the variables + 1
  private int[] variables = new int[32];
  private int[] places = new int[32]; // in the final order
  private long[] inside = new long[32];
  private int n;
  private int count;
  private int bits;
  private String text;

  void read(long[] operands, IntPredicate isBit) {
    n = operands.length;
    if (n > inside.length) {
      inside = new long[2 * n];
      variables = new int[2 * n];
      places = new int[2 * n];
      slots = new int[Integer.highestOneBit(n) * 8];
    }
    Arrays.fill(slots, 0);
    count = 0;
    bits = 0;
    for (int i = 0; i < n; i++) {
      inside[i] = Literal.isConstant(operands[i]) ? -1 : place(Literal.variable(operands[i]));
    }
    for (int i = 0; i < count; i++) {
      places[i] = isBit.test(variables[i]) ? bits++ : -1;
    }
    int next = bits;
    for (int i = 0; i < count; i++) {
      places[i] = places[i] < 0 ? next++ : places[i];
    }
    char[] key = new char[2 * n + 1];
    key[2 * n] = (char) bits;
    for (int i = 0; i < n; i++) {
      if (inside[i] < 0) {
        inside[i] = operands[i];
        key[2 * i] = 0xffff;
        key[2 * i + 1] = operands[i] == Literal.TRUE ? (char) 1 : 0;
      } else {
        int place = places[(int) inside[i]];
        boolean not = Literal.isNegated(operands[i]);
        inside[i] = not ? Literal.not(Variable.aux(place)) : Literal.of(Variable.aux(place));
        key[2 * i] = (char) place;
        key[2 * i + 1] = not ? (char) 1 : 0;
      }
    }
    text = new String(key);
  }

  private int place(int variable) {
    int mask = slots.length - 1;
    int slot = (variable * 0x9e3779b9 >>> 7) & mask;
    while (slots[slot] != 0) {
      if (variables[slots[slot] - 1] == variable) {
        return slots[slot] - 1;
      }
      slot = slot + 1 & mask;
    }
    variables[count++] = variable;
    if (count == 0xffff) {
      throw new IllegalStateException("a block of more than 65,534 variables");
    }
    slots[slot] = count;
    return count - 1;
  }

  /** Equal for equal patterns only. */
  String text() {
    return text;
  }

  int bits() {
    return bits;
  }

  int variables() {
    return count;
  }

  /** The operands as the template's own variables. */
  long[] inside() {
    return Arrays.copyOf(inside, n);
  }

  /** Appends the variables in their final order, as runs: bits, then numbers. */
  void writeWires(IntBuffer wires) {
    int[] ordered = new int[count];
    for (int i = 0; i < count; i++) {
      ordered[places[i]] = variables[i];
    }
    for (int from = 0; from < count; ) {
      int limit = from < bits ? bits : count;
      int n = 1;
      int stride = 1;
      if (from + 1 < limit && Math.abs((long) ordered[from + 1] - ordered[from]) < 1 << 15) {
        stride = ordered[from + 1] - ordered[from];
        n = 2;
        while (from + n < limit && ordered[from + n] - ordered[from + n - 1] == stride) {
          n++;
        }
      }
      wires.add(ordered[from]).add(n | stride << 16);
      from += n;
    }
  }
}
