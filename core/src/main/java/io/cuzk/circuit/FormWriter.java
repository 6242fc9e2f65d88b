package io.cuzk.circuit;

import io.cuzk.field.Fr;
import io.cuzk.r1cs.ConstraintMatrices;
import io.cuzk.r1cs.Variable;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes linear combinations of a template as forms ({@link Opcodes}): bits times ± powers of two
 * as runs of bits that are added as words, numbers as sums of products, what is left term by term.
 */
final class FormWriter {
  /** More signed digits than this, and a bit's coefficient is taken as a field element. */
  private static final int DIGITS = 8;

  private static final int[] STRIDES = {1, 2, -1, -2};

  private final IntBuffer code;
  private final boolean[] isBit;
  private final int[] numberOf; // auxiliary → number
  private final int inputNumbers; // number of input 1
  private long[] constants = new long[64];
  private int constantWords;

  FormWriter(IntBuffer code, boolean[] isBit, int[] numberOf, int inputNumbers) {
    this.code = code;
    this.isBit = isBit;
    this.numberOf = numberOf;
    this.inputNumbers = inputNumbers;
  }

  /** ± 2^exponent · bit. */
  record Digit(int bit, int exponent) {}

  long[] constants() {
    return Arrays.copyOf(constants, constantWords);
  }

  /** Keeps a coefficient and returns its place. */
  int constant(long[] table, int at) {
    if (constantWords == constants.length) {
      constants = Arrays.copyOf(constants, 2 * constantWords);
    }
    Fr.set(constants, constantWords, table, at);
    constantWords += Fr.WORDS;
    return constantWords / Fr.WORDS - 1;
  }

  int number(int variable) {
    return Variable.isAux(variable)
        ? numberOf[Variable.index(variable)]
        : inputNumbers + variable - 1;
  }

  /** Whether the variable is an auxiliary that is a bit. */
  boolean bit(int variable) {
    return Variable.isAux(variable) && isBit[Variable.index(variable)];
  }

  /** Appends the form of a row, a variable left out (ONE for none). */
  void write(ConstraintMatrices m, Coefficients k, int matrix, int row, int without) {
    int constant = -1;
    List<int[]> numbers = new ArrayList<>();
    List<int[]> others = new ArrayList<>();
    Set<Digit> plus = new HashSet<>();
    Set<Digit> minus = new HashSet<>();
    int terms = 0;
    int onlyVariable = 0;
    boolean unit = false;
    for (int i = m.start(matrix, row); i < m.start(matrix, row + 1); i++) {
      int variable = m.variable(matrix, i);
      int coefficient = m.coefficient(matrix, i);
      if (variable == without && variable != Variable.ONE) {
        continue;
      }
      terms++;
      onlyVariable = variable;
      unit = k.small(coefficient) == 1;
      if (variable == Variable.ONE) {
        constant = coefficient;
      } else if (!bit(variable)) {
        numbers.add(new int[] {number(variable), coefficient});
      } else if (!digits(k.value(coefficient), Variable.index(variable), plus, minus)
          && !digits(k.other(coefficient), Variable.index(variable), plus, minus)) {
        others.add(new int[] {Variable.index(variable), coefficient});
      }
    }
    if (terms == 0) {
      code.add(Opcodes.ZERO);
    } else if (terms == 1 && unit && onlyVariable == Variable.ONE) {
      code.add(Opcodes.ONE);
    } else if (terms == 1 && unit && bit(onlyVariable)) {
      code.add(Opcodes.BIT).add(Variable.index(onlyVariable));
    } else if (terms == 1 && unit) {
      code.add(Opcodes.NUMBER).add(number(onlyVariable));
    } else {
      code.add(Opcodes.SUM_OF_TERMS);
      code.add(constant < 0 ? -1 : constant(m.table(), constant * Fr.WORDS));
      code.add(numbers.size()).add(constantWords / Fr.WORDS);
      for (int[] term : numbers) {
        code.add(term[0]);
        constant(m.table(), term[1] * Fr.WORDS);
      }
      runs(plus, 0);
      runs(minus, 0);
      code.add(others.size());
      for (int[] term : others) {
        code.add(term[0]).add(constant(m.table(), term[1] * Fr.WORDS));
      }
    }
  }

  /** Adds the signed digits of value·bit, if they are few. */
  static boolean digits(BigInteger v, int bit, Set<Digit> plus, Set<Digit> minus) {
    BigInteger size = v.abs();
    BigInteger three = size.multiply(BigInteger.valueOf(3));
    if (size.xor(three).bitCount() > DIGITS) {
      return false;
    }
    // the non-adjacent form is (3v − v)/2 digit by digit
    BigInteger added = three.andNot(size).shiftRight(1);
    BigInteger taken = size.andNot(three).shiftRight(1);
    for (int e = 0; e < Math.max(added.bitLength(), taken.bitLength()); e++) {
      if (added.testBit(e)) {
        (v.signum() > 0 ? plus : minus).add(new Digit(bit, e));
      }
      if (taken.testBit(e)) {
        (v.signum() > 0 ? minus : plus).add(new Digit(bit, e));
      }
    }
    return true;
  }

  /** Appends digits as runs, exponents lowered by a shift. */
  void runs(Set<Digit> digits, int shift) {
    List<Digit> order = new ArrayList<>(digits);
    order.sort(Comparator.comparingInt(Digit::exponent).thenComparingInt(Digit::bit));
    int count = code.size();
    code.add(0);
    int runs = 0;
    for (Digit digit : order) {
      if (!digits.contains(digit)) {
        continue;
      }
      int best = 0;
      int bestStride = 1;
      for (int stride : STRIDES) {
        int n = 1;
        while (n < BitRuns.limit(stride)
            && digits.contains(new Digit(digit.bit + n * stride, digit.exponent + n))) {
          n++;
        }
        if (n > best) {
          best = n;
          bestStride = stride;
        }
      }
      for (int i = 0; i < best; i++) {
        digits.remove(new Digit(digit.bit + i * bestStride, digit.exponent + i));
      }
      code.add(digit.bit).add(BitRuns.info(best, bestStride)).add(digit.exponent - shift);
      runs++;
    }
    code.set(count, runs);
  }

  /** Appends runs of bits that take the places 0, 1, … of what they are put from. */
  void targets(int[] bits, int n) {
    int[] places = new int[n];
    for (int i = 0; i < n; i++) {
      places[i] = i;
    }
    targets(bits, places, n);
  }

  /** Appends runs of bits that take the given places. */
  void targets(int[] bits, int[] places, int n) {
    int count = code.size();
    code.add(0);
    int runs = 0;
    for (int i = 0; i < n; runs++) {
      int length = BitRuns.longest(bits, i, n);
      int stride = length < 2 ? 1 : bits[i + 1] - bits[i];
      if (stride == 0) {
        throw new IllegalStateException("bit " + bits[i] + " is put twice");
      }
      int same = 1;
      int direction = n - i > 1 ? places[i + 1] - places[i] : 1;
      if (direction == 1 || direction == -1) {
        while (same < length && places[i + same] == places[i] + same * direction) {
          same++;
        }
      }
      int first = direction < 0 && same > 1 ? i + same - 1 : i;
      if (same == 1) {
        stride = 1;
      } else if (direction < 0) {
        stride = -stride;
      }
      code.add(bits[first]).add(BitRuns.info(same, stride)).add(places[first]);
      i += same;
    }
    code.set(count, runs);
  }
}
