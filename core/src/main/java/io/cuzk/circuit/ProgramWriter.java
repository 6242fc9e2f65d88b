package io.cuzk.circuit;

import static io.cuzk.r1cs.ConstraintMatrices.A;
import static io.cuzk.r1cs.ConstraintMatrices.B;
import static io.cuzk.r1cs.ConstraintMatrices.C;

import io.cuzk.field.Fr;
import io.cuzk.r1cs.ConstraintMatrices;
import io.cuzk.r1cs.Variable;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.Set;

/**
 * Makes the program of a recorded block: how each variable follows from those before it. A row with
 * one unknown determines it, a whole number its bits; every row that determines nothing and could
 * fail is checked. Rows that may be large are evaluated on the way ({@link Opcodes}), the small
 * ones by {@link WindowWriter}.
 */
final class ProgramWriter {
  private static final BigInteger LONGEST = BigInteger.ONE.shiftLeft(62);

  private final String name;
  private final TemplateRecorder recorder;
  private final ConstraintMatrices m;
  private final Coefficients k;
  private final IntBuffer code = new IntBuffer();
  private final IntBuffer wideA = new IntBuffer();
  private final IntBuffer wideB = new IntBuffer();
  private final FormWriter forms;
  private final BitTables tables;
  private final boolean[] knownAux;
  private final boolean[] knownInputs;

  private ProgramWriter(String name, TemplateRecorder recorder, int[] numberOf, int numbers) {
    this.name = name;
    this.recorder = recorder;
    m = recorder.matrices();
    k = new Coefficients(m.table());
    forms = new FormWriter(code, recorder.isBit, numberOf, numbers);
    tables = new BitTables(code, forms, recorder.aux());
    knownAux = new boolean[recorder.aux()];
    knownInputs = new boolean[recorder.inputs()];
  }

  /** The template of a recorded block with its results, already encoded. */
  static Template write(String name, TemplateRecorder recorder, int bitExternals, long[] results) {
    int[] numberOf = new int[recorder.aux()];
    int numbers = 0;
    for (int i = 0; i < recorder.aux(); i++) {
      numberOf[i] = recorder.isBit[i] ? -1 : numbers++;
    }
    ProgramWriter writer = new ProgramWriter(name, recorder, numberOf, numbers);
    writer.program();
    ConstraintMatrices m = writer.m;
    long[] isNumber = new long[(recorder.aux() >>> 6) + 1];
    for (int i = 0; i < recorder.aux(); i++) {
      isNumber[i >>> 6] |= recorder.isBit[i] ? 0 : 1L << i;
    }
    byte[] matrices = Packer.matrices(m);
    return new Template(
        name,
        bitExternals,
        recorder.externals,
        recorder.aux() - recorder.externals,
        m.inputs() - 1,
        m.rows(),
        isNumber,
        results,
        writer.code.toArray(),
        WindowWriter.write(m, writer.k, writer.forms, A),
        WindowWriter.write(m, writer.k, writer.forms, B),
        writer.wideA.toArray(),
        writer.wideB.toArray(),
        writer.forms.constants(),
        m.auxDensity(A),
        m.auxDensity(B),
        m.inputDensity(B),
        matrices.length,
        Packer.deflate(matrices));
  }

  private void program() {
    for (int i = 0; i < recorder.externals; i++) {
      knownAux[i] = true;
    }
    knownInputs[0] = true;
    ConstraintMatrices sums = recorder.sums();
    Coefficients sumCoefficients = new Coefficients(sums.table());
    for (int i = 0; i < recorder.steps.size(); i++) {
      int step = recorder.steps.get(i);
      if (step < 0) {
        whole(sums, sumCoefficients, recorder.wholes.get(-1 - step));
      } else {
        row(step);
      }
    }
    tables.flush();
    for (int i = 0; i < knownAux.length; i++) {
      if (!knownAux[i]) {
        throw undetermined("auxiliary " + (i - recorder.externals));
      }
    }
    for (int i = 0; i < knownInputs.length; i++) {
      if (!knownInputs[i]) {
        throw undetermined("input " + (i - 1));
      }
    }
  }

  private IllegalStateException undetermined(String what) {
    return new IllegalStateException(
        what + " of block '" + name + "' follows neither from a row nor from a number");
  }

  private boolean known(int variable) {
    return Variable.isAux(variable)
        ? knownAux[Variable.index(variable)]
        : knownInputs[Variable.index(variable)];
  }

  private void row(int row) {
    int unknown = Variable.ONE;
    boolean[] stands = new boolean[3];
    for (int matrix = 0; matrix < 3; matrix++) {
      for (int i = m.start(matrix, row); i < m.start(matrix, row + 1); i++) {
        int variable = m.variable(matrix, i);
        if (!known(variable)) {
          if (unknown != Variable.ONE && unknown != variable) {
            throw new IllegalStateException(
                "row %d of block '%s' has two unknowns, %s and %s"
                    .formatted(row, name, Variable.toString(unknown), Variable.toString(variable)));
          }
          unknown = variable;
          stands[matrix] = true;
        }
      }
    }
    if (unknown == Variable.ONE) {
      check(row);
    } else if (stands[C] && !stands[A] && !stands[B]) {
      solve(row, unknown, C);
    } else if (stands[A] && !stands[B] && !stands[C] && isOne(B, row)) {
      solve(row, unknown, A);
    } else {
      throw new IllegalStateException(
          "row %d of block '%s' does not determine %s"
              .formatted(row, name, Variable.toString(unknown)));
    }
  }

  private boolean isOne(int matrix, int row) {
    int i = m.start(matrix, row);
    return m.start(matrix, row + 1) == i + 1
        && m.variable(matrix, i) == Variable.ONE
        && k.small(m.coefficient(matrix, i)) == 1;
  }

  private void check(int row) {
    if (tables.holdsAlways(m, k, row)) {
      return;
    }
    write(row, Opcodes.CHECK, -1, Opcodes.PLUS, Variable.ONE);
  }

  private void solve(int row, int unknown, int matrix) {
    boolean bit = forms.bit(unknown);
    if (bit) {
      if (matrix != C || !tables.add(m, k, row, Variable.index(unknown))) {
        throw new IllegalStateException(
            "row %d of block '%s' does not make %s a bit of few bits"
                .formatted(row, name, Variable.toString(unknown)));
      }
    } else {
      write(
          row,
          matrix == C ? Opcodes.SOLVE_C : Opcodes.SOLVE_A,
          forms.number(unknown),
          inverse(matrix, row, unknown),
          unknown);
    }
    if (Variable.isAux(unknown)) {
      knownAux[Variable.index(unknown)] = true;
    } else {
      knownInputs[Variable.index(unknown)] = true;
    }
  }

  /** One over ± the unknown's coefficient: what is left of the row is A·B − C or C − A. */
  private int inverse(int matrix, int row, int unknown) {
    int i = m.start(matrix, row);
    while (m.variable(matrix, i) != unknown) {
      i++;
    }
    int coefficient = m.coefficient(matrix, i);
    if (Math.abs(k.small(coefficient)) == 1) {
      return k.small(coefficient) == 1 ? Opcodes.PLUS : Opcodes.MINUS;
    }
    long[] inverse = new long[Fr.WORDS];
    Fr.inv(inverse, 0, m.table(), coefficient * Fr.WORDS);
    return forms.constant(inverse, 0);
  }

  private void write(int row, int mode, int target, int inverse, int without) {
    tables.flush();
    boolean smallA = WindowWriter.isSmall(m, k, forms, A, row);
    boolean smallB = WindowWriter.isSmall(m, k, forms, B, row);
    code.add(Opcodes.ROW).add(row).add(mode).add(target).add(inverse);
    code.add(smallA ? -1 : wideA.size()).add(smallB ? -1 : wideB.size());
    forms.write(m, k, A, row, without);
    forms.write(m, k, B, row, without);
    forms.write(m, k, C, row, without);
    if (!smallA) {
      wideA.add(row);
    }
    if (!smallB) {
      wideB.add(row);
    }
  }

  private void whole(ConstraintMatrices sums, Coefficients c, TemplateRecorder.Whole whole) {
    tables.flush();
    int n = whole.bits.size();
    int[] bits = whole.bits.toArray();
    int[] places = whole.places.toArray();
    for (int bit : bits) {
      knownAux[bit] = true;
    }
    if (n == 0) {
      return;
    }
    if (!machineSum(sums, c, whole)) {
      if (whole.shift != 0) {
        throw new IllegalStateException("a shifted number of block '" + name + "' is too large");
      }
      code.add(Opcodes.SPLIT);
      forms.write(sums, c, A, whole.sum, Variable.ONE);
    }
    forms.targets(bits, places, n);
  }

  /** Writes the number as a sum in a machine word, if it is one of bits and never negative. */
  private boolean machineSum(ConstraintMatrices sums, Coefficients c, TemplateRecorder.Whole w) {
    Set<FormWriter.Digit> plus = new HashSet<>();
    Set<FormWriter.Digit> minus = new HashSet<>();
    BigInteger constant = BigInteger.ZERO;
    for (int i = sums.start(A, w.sum); i < sums.start(A, w.sum + 1); i++) {
      int variable = sums.variable(A, i);
      BigInteger value = c.value(sums.coefficient(A, i));
      if (value.getLowestSetBit() < w.shift) {
        return false;
      }
      BigInteger shifted = value.shiftRight(w.shift);
      if (variable == Variable.ONE) {
        constant = shifted;
      } else if (!forms.bit(variable)
          || !FormWriter.digits(shifted, Variable.index(variable), plus, minus)) {
        return false;
      }
    }
    BigInteger most = constant.max(BigInteger.ZERO).add(total(plus));
    BigInteger least = constant.subtract(total(minus));
    if (most.compareTo(LONGEST) >= 0 || least.signum() < 0) {
      return false;
    }
    code.add(Opcodes.SUM).add(constant.longValueExact());
    forms.runs(plus, 0);
    forms.runs(minus, 0);
    return true;
  }

  private static BigInteger total(Set<FormWriter.Digit> digits) {
    BigInteger total = BigInteger.ZERO;
    for (FormWriter.Digit digit : digits) {
      total = total.add(BigInteger.ONE.shiftLeft(digit.exponent()));
    }
    return total;
  }
}
