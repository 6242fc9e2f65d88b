package io.cuzk.circuit;

import io.cuzk.r1cs.ConstraintMatrices;
import io.cuzk.r1cs.Variable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bits that a row of bits determines, as truth tables of at most four operands, gathered into
 * instructions that compute up to 64 such bits at once where consecutive rows, or every second one,
 * have the same table. Nothing here knows what a word is: the lanes follow from the rows.
 */
final class BitTables {
  /** The largest number of operands. */
  static final int OPERANDS = 4;

  /** One row: {@code target = table[operands]}, operand j at bit j of the table's index. */
  private record Entry(int target, int[] operands, int table) {}

  private final IntBuffer code;
  private final FormWriter forms;
  private final List<Entry> waiting = new ArrayList<>();
  private final Entry[] definitions;

  /** Step of a bit among those of the batch that is being arranged, or −1. */
  private final int[] stepOf;

  BitTables(IntBuffer code, FormWriter forms, int bits) {
    this.code = code;
    this.forms = forms;
    definitions = new Entry[bits];
    stepOf = new int[bits];
    Arrays.fill(stepOf, -1);
  }

  /**
   * Takes a row whose C determines a bit.
   *
   * @return whether its other variables are few bits with small coefficients that give it a bit
   */
  boolean add(ConstraintMatrices m, Coefficients k, int row, int target) {
    int[] operands = operands(m, row, target);
    if (operands == null) {
      return false;
    }
    int table = 0;
    for (int index = 0; index < 1 << operands.length; index++) {
      if (possible(operands, index)) {
        int a = sum(m, k, ConstraintMatrices.A, row, operands, index, target);
        int b = sum(m, k, ConstraintMatrices.B, row, operands, index, target);
        int c = sum(m, k, ConstraintMatrices.C, row, operands, index, target);
        int sign = targetCoefficient(m, k, row, target);
        if (a == Coefficients.NONE || b == Coefficients.NONE || c == Coefficients.NONE) {
          return false;
        }
        int value = (a * b - c) * sign;
        if (sign * sign != 1 || (value & ~1) != 0) {
          return false;
        }
        table |= value << index;
      }
    }
    definitions[target] = new Entry(target, operands, table);
    waiting.add(definitions[target]);
    return true;
  }

  /** Whether a row without unknowns holds whatever its bits are. */
  boolean holdsAlways(ConstraintMatrices m, Coefficients k, int row) {
    int[] operands = operands(m, row, -1);
    if (operands == null) {
      return false;
    }
    for (int index = 0; index < 1 << operands.length; index++) {
      int a = sum(m, k, ConstraintMatrices.A, row, operands, index, -1);
      int b = sum(m, k, ConstraintMatrices.B, row, operands, index, -1);
      int c = sum(m, k, ConstraintMatrices.C, row, operands, index, -1);
      if (a == Coefficients.NONE || b == Coefficients.NONE || c != a * b) {
        return false;
      }
    }
    return true;
  }

  /** A bit that is made of the others cannot have any value beside theirs. */
  private boolean possible(int[] operands, int index) {
    for (int j = 0; j < operands.length; j++) {
      Entry definition = definitions[operands[j]];
      if (definition == null) {
        continue;
      }
      int inner = 0;
      boolean inside = true;
      for (int i = 0; inside && i < definition.operands.length; i++) {
        int place = place(operands, definition.operands[i]);
        inside = place >= 0;
        inner |= inside ? (index >>> place & 1) << i : 0;
      }
      if (inside && (definition.table >>> inner & 1) != (index >>> j & 1)) {
        return false;
      }
    }
    return true;
  }

  private static int place(int[] operands, int bit) {
    for (int i = 0; i < operands.length; i++) {
      if (operands[i] == bit) {
        return i;
      }
    }
    return -1;
  }

  /** The distinct bits in the order of A, B, C and coefficients, or null if there are others. */
  private int[] operands(ConstraintMatrices m, int row, int target) {
    int[] operands = new int[OPERANDS];
    int n = 0;
    for (int matrix = 0; matrix < 3; matrix++) {
      for (int i = m.start(matrix, row); i < m.start(matrix, row + 1); i++) {
        int variable = m.variable(matrix, i);
        int index = Variable.index(variable);
        if (variable == Variable.ONE || forms.bit(variable) && index == target) {
          continue;
        }
        if (!forms.bit(variable)) {
          return null;
        }
        if (place(Arrays.copyOf(operands, n), index) < 0) {
          if (n == OPERANDS) {
            return null;
          }
          operands[n++] = index;
        }
      }
    }
    return Arrays.copyOf(operands, n);
  }

  private static int targetCoefficient(ConstraintMatrices m, Coefficients k, int row, int target) {
    for (int i = m.start(ConstraintMatrices.C, row);
        i < m.start(ConstraintMatrices.C, row + 1);
        i++) {
      if (m.variable(ConstraintMatrices.C, i) == Variable.aux(target)) {
        return k.small(m.coefficient(ConstraintMatrices.C, i));
      }
    }
    return Coefficients.NONE;
  }

  private static int sum(
      ConstraintMatrices m,
      Coefficients k,
      int matrix,
      int row,
      int[] operands,
      int index,
      int target) {
    int sum = 0;
    for (int i = m.start(matrix, row); i < m.start(matrix, row + 1); i++) {
      int variable = m.variable(matrix, i);
      int small = k.small(m.coefficient(matrix, i));
      if (variable == Variable.aux(target) && target >= 0) {
        continue;
      }
      if (small == Coefficients.NONE) {
        return Coefficients.NONE;
      }
      if (variable == Variable.ONE
          || (index >>> place(operands, Variable.index(variable)) & 1) != 0) {
        sum += small;
      }
    }
    return sum;
  }

  /** Writes the instructions of all that waits. */
  void flush() {
    for (int i = 0; i < waiting.size(); i++) {
      stepOf[waiting.get(i).target] = i;
    }
    for (int from = 0; from < waiting.size(); ) {
      int one = lanes(from, 1);
      int two = lanes(from, 2);
      int period = 2 * two > one && two > 1 ? 2 : 1;
      int lanes = period == 2 ? two : one;
      for (int i = 0; i < period; i++) {
        write(from + i, period, lanes);
      }
      from += period * lanes;
    }
    for (Entry entry : waiting) {
      stepOf[entry.target] = -1;
    }
    waiting.clear();
  }

  /** How many lanes from a step on are alike, and independent if the first of each come first. */
  private int lanes(int from, int period) {
    int n = 0;
    for (int step = from; n < 64 && step + period <= waiting.size(); step += period, n++) {
      for (int i = 0; i < period; i++) {
        Entry entry = waiting.get(step + i);
        Entry first = waiting.get(from + i);
        if (entry.table != first.table || entry.operands.length != first.operands.length) {
          return n;
        }
        for (int operand : entry.operands) {
          int made = stepOf[operand];
          if (made >= from && (made - from) % period >= i) {
            return n;
          }
        }
      }
    }
    return n;
  }

  private void write(int from, int period, int lanes) {
    Entry first = waiting.get(from);
    int operands = first.operands.length;
    code.add(Opcodes.TABLE).add(lanes).add(operands).add(first.table);
    int[] bits = new int[lanes];
    for (int j = 0; j < operands; j++) {
      for (int lane = 0; lane < lanes; lane++) {
        bits[lane] = waiting.get(from + lane * period).operands[j];
      }
      LaneWord.write(code, bits, lanes);
    }
    for (int lane = 0; lane < lanes; lane++) {
      bits[lane] = waiting.get(from + lane * period).target;
    }
    forms.targets(bits, lanes);
  }
}
