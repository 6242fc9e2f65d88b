package io.cuzk.circuit;

import io.cuzk.field.Fr;
import io.cuzk.r1cs.Block;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.Literal;
import io.cuzk.r1cs.Variable;
import java.util.Arrays;

/** A row that was enforced outside of blocks, as a block of its own. Reused. Not thread-safe. */
final class LooseRow {
  private static final long[] NOTHING = new long[0];

  private long[] operands = new long[8];
  private int size;

  /** The distinct variables of a row in the order of A, B, C. */
  void read(LinearCombination a, LinearCombination b, LinearCombination c) {
    size = 0;
    add(a);
    add(b);
    add(c);
  }

  private void add(LinearCombination lc) {
    for (int i = 0; i < lc.size(); i++) {
      if (lc.variable(i) != Variable.ONE && place(Literal.of(lc.variable(i))) < 0) {
        if (size == operands.length) {
          operands = Arrays.copyOf(operands, 2 * size);
        }
        operands[size++] = Literal.of(lc.variable(i));
      }
    }
  }

  private int place(long operand) {
    for (int i = 0; i < size; i++) {
      if (operands[i] == operand) {
        return i;
      }
    }
    return -1;
  }

  long hash() {
    return Instances.hash(operands, size);
  }

  long[] operands() {
    return Arrays.copyOf(operands, size);
  }

  /** The block; its key tells the coefficients. */
  Block block(LinearCombination a, LinearCombination b, LinearCombination c) {
    StringBuilder key = new StringBuilder("row");
    LinearCombination[] sides = {a, b, c};
    int[][] places = new int[3][];
    long[][] coefficients = new long[3][];
    for (int side = 0; side < 3; side++) {
      LinearCombination lc = sides[side];
      int n = lc.size();
      places[side] = new int[n];
      coefficients[side] = Arrays.copyOf(lc.coefficients(), n * Fr.WORDS);
      key.append(side == 0 ? " (" : ")·(");
      for (int i = 0; i < n; i++) {
        boolean one = lc.variable(i) == Variable.ONE;
        places[side][i] = one ? -1 : place(Literal.of(lc.variable(i)));
        key.append(i == 0 ? "" : " + ")
            .append(Fr.toBigInteger(lc.coefficients(), i * Fr.WORDS).toString(16))
            .append(one ? "" : "·v" + places[side][i]);
      }
    }
    return new Block(
        key.append(')').toString(), (cs, given) -> write(cs, given, places, coefficients));
  }

  private static long[] write(
      ConstraintSystem cs, long[] given, int[][] places, long[][] coefficients) {
    LinearCombination[] sides = new LinearCombination[3];
    for (int side = 0; side < 3; side++) {
      sides[side] = cs.lc();
      for (int i = 0; i < places[side].length; i++) {
        int place = places[side][i];
        int variable = place < 0 ? Variable.ONE : Literal.variable(given[place]);
        sides[side].add(variable, coefficients[side], i * Fr.WORDS);
      }
    }
    cs.enforce(sides[0], sides[1], sides[2]);
    return NOTHING;
  }
}
