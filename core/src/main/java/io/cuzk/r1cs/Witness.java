package io.cuzk.r1cs;

import io.cuzk.field.Fr;

/**
 * The values of a constraint system's variables, for readings with a witness. Input 0 is one from
 * the start. Not thread-safe.
 */
public final class Witness {
  private final FrList inputs;
  private final FrList aux;
  private final long[] term = new long[Fr.WORDS];
  private final long[] coefficient = new long[Fr.WORDS];

  /** Holds the constant one only. */
  public Witness() {
    this(new FrList(), new FrList());
  }

  private Witness(FrList inputs, FrList aux) {
    this.inputs = inputs;
    this.aux = aux;
    inputs.append(BitWords.ONE, 0);
  }

  /** Holds the constant one only, with room for so many variables. */
  public static Witness withCapacity(int inputs, int aux) {
    return new Witness(FrList.withCapacity(inputs), FrList.withCapacity(aux));
  }

  /** Appends an auxiliary variable. */
  public int alloc(long[] value, int at) {
    return Variable.aux(aux.append(value, at));
  }

  /** Appends an auxiliary variable that is 0 or 1. */
  public int allocBit(boolean value) {
    return alloc(value ? BitWords.ONE : BitWords.ZERO, 0);
  }

  /** Appends an input. */
  public int allocInput(long[] value, int at) {
    return inputs.append(value, at);
  }

  /** The inputs. */
  public FrList inputs() {
    return inputs;
  }

  /** The auxiliaries. */
  public FrList aux() {
    return aux;
  }

  private FrList list(int variable) {
    return Variable.isAux(variable) ? aux : inputs;
  }

  /** Copies a variable's value. */
  public void value(int variable, long[] out, int at) {
    list(variable).get(Variable.index(variable), out, at);
  }

  /** Whether a variable's value is not zero. */
  public boolean bit(int variable) {
    int i = Variable.index(variable);
    return !Fr.isZero(list(variable).chunk(i), FrList.offset(i));
  }

  /** out = the combination's value. */
  public void evaluate(LinearCombination lc, long[] out, int at) {
    Fr.setZero(out, at);
    int n = lc.size();
    if (lc.inFields()) {
      for (int i = 0; i < n; i++) {
        lc.coefficient(i, coefficient, 0);
        addTerm(out, at, lc.variable(i), coefficient, 0);
      }
      return;
    }
    int[] variables = lc.variables;
    long[] coefficients = lc.coefficients();
    for (int i = 0; i < n; i++) {
      addTerm(out, at, variables[i], coefficients, i << 2);
    }
  }

  private void addTerm(long[] out, int at, int variable, long[] coefficients, int k) {
    int index = Variable.index(variable);
    addTerm(out, at, list(variable).chunk(index), FrList.offset(index), coefficients, k);
  }

  /** out += value·coefficient; most values are bits and most coefficients 1 or −1. */
  private void addTerm(long[] out, int at, long[] value, int v, long[] coefficient, int k) {
    if (Fr.isZero(value, v)) {
      return;
    }
    if (Fr.equal(value, v, BitWords.ONE, 0)) {
      Fr.add(out, at, out, at, coefficient, k);
    } else if (Fr.equal(coefficient, k, BitWords.ONE, 0)) {
      Fr.add(out, at, out, at, value, v);
    } else if (Fr.equal(coefficient, k, BitWords.MINUS_ONE, 0)) {
      Fr.sub(out, at, out, at, value, v);
    } else {
      Fr.mul(term, 0, value, v, coefficient, k);
      Fr.add(out, at, out, at, term, 0);
    }
  }
}
