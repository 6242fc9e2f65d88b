package io.cuzk.r1cs;

import io.cuzk.field.Fr;
import java.util.Arrays;

/**
 * The matrices A, B, C of a circuit in compressed rows: each term is a tagged {@link Variable} and
 * the number of its coefficient in a table of distinct elements; 8 bytes a term and 12 a row, so at
 * most 2^31 terms a matrix. Terms of a row ascend by variable and are not zero. Immutable.
 */
public final class ConstraintMatrices {
  /** Number of the matrix A. */
  public static final int A = 0;

  /** Number of the matrix B. */
  public static final int B = 1;

  /** Number of the matrix C. */
  public static final int C = 2;

  private final int inputs;
  private final int aux;
  private final int rows;
  private final int[][] starts;
  private final int[][] variables;
  private final int[][] coefficients;
  private final long[] table;

  /**
   * Matrices from their parts.
   *
   * @param starts for A, B, C: where each row's terms begin, and where the last one's end
   * @param variables for A, B, C: each term's variable
   * @param coefficients for A, B, C: each term's place in the table
   * @param table distinct coefficients, four Montgomery words each
   * @throws IllegalArgumentException if a place lies outside of what it points into
   */
  public ConstraintMatrices(
      int inputs, int aux, int[][] starts, int[][] variables, int[][] coefficients, long[] table) {
    this.inputs = inputs;
    this.aux = aux;
    this.rows = starts[0].length - 1;
    this.starts = starts;
    this.variables = variables;
    this.coefficients = coefficients;
    this.table = table;
    for (int m = 0; m < 3; m++) {
      check(m);
    }
  }

  private void check(int m) {
    int[] start = starts[m];
    boolean good = start.length == rows + 1 && start[0] == 0;
    for (int row = 0; good && row < rows; row++) {
      good = start[row] <= start[row + 1];
    }
    int terms = variables[m].length;
    good = good && start[rows] == terms && coefficients[m].length == terms;
    for (int k = 0; good && k < terms; k++) {
      int variable = variables[m][k];
      int index = Variable.index(variable);
      int coefficient = coefficients[m][k];
      good =
          index < (Variable.isAux(variable) ? aux : inputs)
              && coefficient >= 0
              && coefficient < table.length / Fr.WORDS;
    }
    if (!good) {
      throw new IllegalArgumentException("the parts of matrix " + "ABC".charAt(m) + " don't fit");
    }
  }

  /** Records a circuit, the trailing input rows included. */
  public static ConstraintMatrices of(Circuit circuit) {
    Recorder recorder = new Recorder();
    circuit.synthesize(recorder);
    return recorder.build();
  }

  /** Number of inputs, the constant one included. */
  public int inputs() {
    return inputs;
  }

  /** Number of auxiliaries. */
  public int aux() {
    return aux;
  }

  /** Number of rows. */
  public int rows() {
    return rows;
  }

  /** Terms of a matrix. */
  public int nonZeros(int matrix) {
    return variables[matrix].length;
  }

  /** Where the terms of a row begin; those of row {@link #rows} end the last. */
  public int start(int matrix, int row) {
    return starts[matrix][row];
  }

  /** Variable of term k. */
  public int variable(int matrix, int k) {
    return variables[matrix][k];
  }

  /** Place of term k's coefficient in the {@link #table}. */
  public int coefficient(int matrix, int k) {
    return coefficients[matrix][k];
  }

  /** The distinct coefficients, four Montgomery words each; for reading only. */
  public long[] table() {
    return table;
  }

  /** Adds a row's terms to a combination. */
  public LinearCombination addRow(int matrix, int row, LinearCombination to) {
    for (int k = starts[matrix][row]; k < starts[matrix][row + 1]; k++) {
      to.add(variables[matrix][k], table, coefficients[matrix][k] * Fr.WORDS);
    }
    return to;
  }

  /**
   * Values of the rows row … row+n−1 of a matrix times the witness.
   *
   * @param inputs values of the inputs, four Montgomery words each
   * @param aux values of the auxiliaries
   */
  public void multiply(int matrix, int row, int n, long[] inputs, long[] aux, long[] out, int at) {
    long[] term = new long[Fr.WORDS];
    for (int i = 0; i < n; i++) {
      int to = at + Fr.WORDS * i;
      Fr.setZero(out, to);
      for (int k = starts[matrix][row + i]; k < starts[matrix][row + i + 1]; k++) {
        int variable = variables[matrix][k];
        long[] values = Variable.isAux(variable) ? aux : inputs;
        int coefficient = coefficients[matrix][k] * Fr.WORDS;
        Fr.mul(term, 0, values, Variable.index(variable) * Fr.WORDS, table, coefficient);
        Fr.add(out, to, out, to, term, 0);
      }
    }
  }

  /** Auxiliaries with a term in a matrix. */
  public Density auxDensity(int matrix) {
    return density(matrix, true, aux);
  }

  /** Inputs with a term in a matrix. */
  public Density inputDensity(int matrix) {
    return density(matrix, false, inputs);
  }

  private Density density(int matrix, boolean ofAux, int size) {
    Density density = Density.ofSize(size);
    for (int variable : variables[matrix]) {
      if (Variable.isAux(variable) == ofAux) {
        density.set(Variable.index(variable));
      }
    }
    return density;
  }

  /** Collects rows. Not thread-safe. */
  public static final class Builder {
    private final CoefficientTable table = new CoefficientTable();
    private final int[][] starts = {new int[64], new int[64], new int[64]};
    private final int[][] variables = {new int[256], new int[256], new int[256]};
    private final int[][] coefficients = {new int[256], new int[256], new int[256]};
    private int rows;

    /** Appends the row a·b = c. */
    public void add(LinearCombination a, LinearCombination b, LinearCombination c) {
      append(A, a);
      append(B, b);
      append(C, c);
      rows++;
    }

    private void append(int m, LinearCombination lc) {
      if (rows + 2 > starts[m].length) {
        starts[m] = Arrays.copyOf(starts[m], 2 * starts[m].length);
      }
      int from = starts[m][rows];
      int n = lc.size();
      if (from + n > variables[m].length) {
        int capacity = Math.max(from + n, 2 * variables[m].length);
        variables[m] = Arrays.copyOf(variables[m], capacity);
        coefficients[m] = Arrays.copyOf(coefficients[m], capacity);
      }
      for (int i = 0; i < n; i++) {
        variables[m][from + i] = lc.variable(i);
        coefficients[m][from + i] = table.number(lc.coefficients(), i * Fr.WORDS);
      }
      starts[m][rows + 1] = from + n;
    }

    /** Rows so far. */
    public int rows() {
      return rows;
    }

    /** The matrices of what was collected. */
    public ConstraintMatrices build(int inputs, int aux) {
      int[][] s = new int[3][];
      int[][] v = new int[3][];
      int[][] k = new int[3][];
      for (int m = 0; m < 3; m++) {
        s[m] = Arrays.copyOf(starts[m], rows + 1);
        v[m] = Arrays.copyOf(variables[m], s[m][rows]);
        k[m] = Arrays.copyOf(coefficients[m], s[m][rows]);
      }
      return new ConstraintMatrices(inputs, aux, s, v, k, table.toArray());
    }
  }

  private static final class Recorder extends BlankReading {
    private final Builder rows = new Builder();

    @Override
    protected void row(LinearCombination a, LinearCombination b, LinearCombination c) {
      rows.add(a, b, c);
    }

    ConstraintMatrices build() {
      trailingRows();
      return rows.build(inputs, aux);
    }
  }
}
