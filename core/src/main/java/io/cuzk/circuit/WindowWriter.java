package io.cuzk.circuit;

import io.cuzk.r1cs.ConstraintMatrices;
import io.cuzk.r1cs.Variable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes how the small rows of a matrix are evaluated: for each window of 64 rows a number of
 * layers, and for each layer a coefficient, the rows in which it stands alone (two ints) and the
 * bits that it multiplies in the others ({@link LaneWord}). A row's value is the sum over the
 * layers. Rows whose values may not fit into −127 … 127 are left out: they are wide.
 */
final class WindowWriter {
  static final int ROWS = 64;
  private static final int LIMIT = 127;
  private static final int EMPTY = -1;
  private static final int CONSTANT = -2;

  private final ConstraintMatrices m;
  private final Coefficients k;
  private final FormWriter forms;
  private final int matrix;

  private WindowWriter(ConstraintMatrices m, Coefficients k, FormWriter forms, int matrix) {
    this.m = m;
    this.k = k;
    this.forms = forms;
    this.matrix = matrix;
  }

  static int[] write(ConstraintMatrices m, Coefficients k, FormWriter forms, int matrix) {
    WindowWriter writer = new WindowWriter(m, k, forms, matrix);
    IntBuffer code = new IntBuffer();
    for (int row = 0; row < m.rows(); row += ROWS) {
      writer.window(code, row, Math.min(ROWS, m.rows() - row));
    }
    return code.toArray();
  }

  /** Whether a row's values are small whatever its bits are. */
  static boolean isSmall(
      ConstraintMatrices m, Coefficients k, FormWriter forms, int matrix, int row) {
    int plus = 0;
    int minus = 0;
    for (int i = m.start(matrix, row); i < m.start(matrix, row + 1); i++) {
      int variable = m.variable(matrix, i);
      int small = k.small(m.coefficient(matrix, i));
      if (small == Coefficients.NONE || variable != Variable.ONE && !forms.bit(variable)) {
        return false;
      }
      if (small > 0) {
        plus += small;
      } else {
        minus -= small;
      }
      if (plus > LIMIT || minus > LIMIT) {
        return false;
      }
    }
    return true;
  }

  private void window(IntBuffer code, int from, int n) {
    Map<Integer, List<int[]>> layers = new TreeMap<>();
    for (int lane = 0; lane < n; lane++) {
      int row = from + lane;
      if (!isSmall(m, k, forms, matrix, row)) {
        continue;
      }
      for (int i = m.start(matrix, row); i < m.start(matrix, row + 1); i++) {
        int variable = m.variable(matrix, i);
        List<int[]> candidates =
            layers.computeIfAbsent(k.small(m.coefficient(matrix, i)), c -> new ArrayList<>());
        put(candidates, lane, variable == Variable.ONE ? CONSTANT : Variable.index(variable));
      }
    }
    int count = 0;
    for (List<int[]> list : layers.values()) {
      count += list.size();
    }
    code.add(count);
    layers.forEach(
        (coefficient, list) -> {
          for (int[] bits : list) {
            long constant = 0;
            for (int lane = 0; lane < n; lane++) {
              if (bits[lane] == CONSTANT) {
                constant |= 1L << lane;
                bits[lane] = EMPTY;
              }
            }
            code.add(coefficient);
            code.add(constant);
            LaneWord.write(code, bits, n);
          }
        });
  }

  /** Puts a bit where it continues a run, or into the first layer that has room. */
  private static void put(List<int[]> layers, int lane, int bit) {
    int[] free = null;
    for (int[] layer : layers) {
      if (layer[lane] == EMPTY) {
        if (continues(layer, lane, bit, 1) || continues(layer, lane, bit, 2)) {
          layer[lane] = bit;
          return;
        }
        free = free == null ? layer : free;
      }
    }
    if (free == null) {
      free = new int[ROWS];
      Arrays.fill(free, EMPTY);
      layers.add(free);
    }
    free[lane] = bit;
  }

  private static boolean continues(int[] layer, int lane, int bit, int step) {
    int before = lane < step ? EMPTY : layer[lane - step];
    return bit >= 0 && before >= 0 && Math.abs(bit - before) <= 2;
  }
}
