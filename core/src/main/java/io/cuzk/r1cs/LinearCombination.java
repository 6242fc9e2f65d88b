package io.cuzk.r1cs;

import io.cuzk.field.Fr;
import java.util.Arrays;

/**
 * A sum Σ coefficient·variable. Terms lie sorted (inputs first, then auxiliaries, by index) in two
 * flat arrays, duplicates are merged and terms whose coefficient became zero are gone when they are
 * read. Coefficients are elements of {@link Fr} in Montgomery form. The methods that add return
 * {@code this}. Not thread-safe.
 *
 * <p>The one subclass keeps the first terms elsewhere ({@link TermStorage}); where it is not loaded
 * the virtual machine knows every call's target.
 */
public sealed class LinearCombination permits InlineCombination {
  private static final int[] NO_VARIABLES = {};
  private static final long[] NO_COEFFICIENTS = {};
  private static final int FIRST_CAPACITY = 4;

  // read by Witness too, when the terms lie here
  int[] variables = NO_VARIABLES;
  private long[] coefficients = NO_COEFFICIENTS;
  private int size;
  boolean holdsZeros;
  private int[] spareVariables;
  private long[] spareCoefficients;

  /** The empty sum, without room for terms yet. */
  public LinearCombination() {}

  /** Whether the terms lie in fields and not in the arrays. */
  boolean inFields() {
    return false;
  }

  /** Makes this the empty sum, keeping its storage. */
  public LinearCombination clear() {
    size = 0;
    holdsZeros = false;
    return this;
  }

  /** Makes this a copy of the other. */
  public LinearCombination set(LinearCombination other) {
    clear();
    if (other.inFields()) {
      return add(other);
    }
    reserve(other.size);
    System.arraycopy(other.variables, 0, variables, 0, other.size);
    System.arraycopy(other.coefficients, 0, coefficients, 0, other.size * Fr.WORDS);
    size = other.size;
    holdsZeros = other.holdsZeros;
    return this;
  }

  /** A copy with its own storage. */
  public LinearCombination copy() {
    return new LinearCombination().set(this);
  }

  /** Adds 1·variable. */
  public LinearCombination add(int variable) {
    return add(variable, BitWords.ONE, 0);
  }

  /** Adds −1·variable. */
  public LinearCombination sub(int variable) {
    return add(variable, BitWords.MINUS_ONE, 0);
  }

  /** Adds the constant 1. */
  public LinearCombination addOne() {
    return add(Variable.ONE, BitWords.ONE, 0);
  }

  /** Adds the constant with the given Montgomery words. */
  public LinearCombination addConstant(long[] value, int at) {
    return add(Variable.ONE, value, at);
  }

  /** Adds coefficient·variable. */
  public LinearCombination add(int variable, long[] coefficient, int at) {
    int n = size;
    if (n == 0 || Integer.compareUnsigned(variable, variables[n - 1]) > 0) {
      if (n == variables.length) {
        reserve(n + 1);
      }
      variables[n] = variable;
      put(coefficients, n, coefficient, at);
      size = n + 1;
      holdsZeros |= Fr.isZero(coefficient, at);
      return this;
    }
    int found = find(variable);
    if (found >= 0) {
      int c = found * Fr.WORDS;
      Fr.add(coefficients, c, coefficients, c, coefficient, at);
      holdsZeros |= Fr.isZero(coefficients, c);
    } else {
      insert(-found - 1, variable, coefficient, at);
    }
    return this;
  }

  /** Adds −coefficient·variable. */
  public LinearCombination sub(int variable, long[] coefficient, int at) {
    long[] negated = new long[Fr.WORDS];
    Fr.neg(negated, 0, coefficient, at);
    return add(variable, negated, 0);
  }

  /** Adds the other sum. */
  public LinearCombination add(LinearCombination other) {
    return merge(other, BitWords.ONE, 0, false);
  }

  /** Subtracts the other sum. */
  public LinearCombination sub(LinearCombination other) {
    return merge(other, BitWords.MINUS_ONE, 0, true);
  }

  /** Adds factor·other. */
  public LinearCombination addScaled(LinearCombination other, long[] factor, int at) {
    return merge(other, factor, at, true);
  }

  /** Multiplies every coefficient. */
  public LinearCombination scale(long[] factor, int at) {
    for (int i = 0; i < size; i++) {
      Fr.mul(coefficients, i * Fr.WORDS, coefficients, i * Fr.WORDS, factor, at);
    }
    holdsZeros |= Fr.isZero(factor, at);
    return this;
  }

  /** Number of terms. */
  public int size() {
    if (holdsZeros) {
      dropZeros();
    }
    return size;
  }

  /** Variable of term i &lt; {@link #size()}. */
  public int variable(int i) {
    return variables[i];
  }

  /** Coefficients, term i &lt; {@link #size()} at words 4·i to 4·i+3; for reading only. */
  public long[] coefficients() {
    return coefficients;
  }

  /** Copies the coefficient of term i &lt; {@link #size()}. */
  void coefficient(int i, long[] out, int at) {
    System.arraycopy(coefficients, i * Fr.WORDS, out, at, Fr.WORDS);
  }

  private int find(int variable) {
    int low = 0;
    int high = size - 1;
    while (low <= high) {
      int mid = (low + high) >>> 1;
      int order = Integer.compareUnsigned(variables[mid], variable);
      if (order == 0) {
        return mid;
      }
      if (order < 0) {
        low = mid + 1;
      } else {
        high = mid - 1;
      }
    }
    return -(low + 1);
  }

  private void insert(int place, int variable, long[] coefficient, int at) {
    reserve(size + 1);
    System.arraycopy(variables, place, variables, place + 1, size - place);
    System.arraycopy(
        coefficients,
        place * Fr.WORDS,
        coefficients,
        (place + 1) * Fr.WORDS,
        (size - place) * Fr.WORDS);
    variables[place] = variable;
    put(coefficients, place, coefficient, at);
    size++;
    holdsZeros |= Fr.isZero(coefficient, at);
  }

  LinearCombination merge(LinearCombination other, long[] factor, int at, boolean multiply) {
    int m = other.size();
    if (m == 0) {
      return this;
    }
    if (other.inFields()) {
      return mergeTerms(other, factor, at, multiply);
    }
    long[] term = multiply ? new long[Fr.WORDS] : null;
    if (m <= 2
        || size == 0
        || Integer.compareUnsigned(other.variables[0], variables[size - 1]) > 0) {
      reserve(size + m);
      for (int i = 0; i < m; i++) {
        if (multiply) {
          Fr.mul(term, 0, other.coefficients, i * Fr.WORDS, factor, at);
          add(other.variables[i], term, 0);
        } else {
          add(other.variables[i], other.coefficients, i * Fr.WORDS);
        }
      }
      return this;
    }
    mergeSorted(other, m, factor, at, term);
    return this;
  }

  /** Adds the terms of a sum one by one, wherever they lie. */
  final LinearCombination mergeTerms(
      LinearCombination other, long[] factor, int at, boolean multiply) {
    long[] term = new long[Fr.WORDS];
    for (int i = 0, m = other.size(); i < m; i++) {
      other.coefficient(i, term, 0);
      if (multiply) {
        Fr.mul(term, 0, term, 0, factor, at);
      }
      add(other.variable(i), term, 0);
    }
    return this;
  }

  private void mergeSorted(LinearCombination other, int m, long[] factor, int at, long[] term) {
    int n = size;
    if (spareVariables == null || spareVariables.length < n + m) {
      int capacity = Math.max(n + m, variables.length);
      spareVariables = new int[capacity];
      spareCoefficients = new long[capacity * Fr.WORDS];
    }
    int[] outVariables = spareVariables;
    long[] out = spareCoefficients;
    int k = 0;
    int i = 0;
    int j = 0;
    while (i < n || j < m) {
      int order =
          i == n ? 1 : j == m ? -1 : Integer.compareUnsigned(variables[i], other.variables[j]);
      if (order < 0) {
        outVariables[k] = variables[i];
        put(out, k, coefficients, i * Fr.WORDS);
        i++;
      } else {
        outVariables[k] = other.variables[j];
        if (term == null) {
          put(out, k, other.coefficients, j * Fr.WORDS);
        } else {
          Fr.mul(out, k * Fr.WORDS, other.coefficients, j * Fr.WORDS, factor, at);
        }
        if (order == 0) {
          Fr.add(out, k * Fr.WORDS, out, k * Fr.WORDS, coefficients, i * Fr.WORDS);
          i++;
        }
        holdsZeros |= Fr.isZero(out, k * Fr.WORDS);
        j++;
      }
      k++;
    }
    spareVariables = variables;
    spareCoefficients = coefficients;
    variables = outVariables;
    coefficients = out;
    size = k;
  }

  private void dropZeros() {
    int k = 0;
    for (int i = 0; i < size; i++) {
      if (!Fr.isZero(coefficients, i * Fr.WORDS)) {
        if (k != i) {
          variables[k] = variables[i];
          put(coefficients, k, coefficients, i * Fr.WORDS);
        }
        k++;
      }
    }
    size = k;
    holdsZeros = false;
  }

  private void reserve(int terms) {
    if (terms > variables.length) {
      int capacity = Math.max(Math.max(terms, FIRST_CAPACITY), 2 * variables.length);
      variables = Arrays.copyOf(variables, capacity);
      coefficients = Arrays.copyOf(coefficients, capacity * Fr.WORDS);
    }
  }

  private static void put(long[] out, int term, long[] in, int at) {
    int o = term * Fr.WORDS;
    out[o] = in[at];
    out[o + 1] = in[at + 1];
    out[o + 2] = in[at + 2];
    out[o + 3] = in[at + 3];
  }

  /** The terms for messages, coefficients in decimal, at most eight. */
  @Override
  public String toString() {
    int n = size();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(n, 8); i++) {
      text.append(i == 0 ? "" : " + ")
          .append(Fr.toBigInteger(coefficients(), i * Fr.WORDS))
          .append("·")
          .append(Variable.toString(variable(i)));
    }
    return n == 0 ? "0" : n > 8 ? text + " + … (" + n + " terms)" : text.toString();
  }
}
