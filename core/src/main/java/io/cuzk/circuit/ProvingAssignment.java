package io.cuzk.circuit;

import io.cuzk.field.Fr;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.Density;
import io.cuzk.r1cs.FrList;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.Variable;
import java.util.ArrayList;
import java.util.List;

/**
 * The reference synthesis: keeps every value of the witness, evaluates each row's A and B (and C
 * where asked) as bellperson's prover does, and records densities. About 32 bytes per variable and
 * 64 per row. Not thread-safe; what {@link #finish} returns is immutable.
 */
public final class ProvingAssignment implements ConstraintSystem {
  private static final long[] ONE = new long[Fr.WORDS];
  private static final long[] MINUS_ONE = new long[Fr.WORDS];
  private static final long[] ZERO = new long[Fr.WORDS];

  static {
    Fr.setOne(ONE, 0);
    Fr.neg(MINUS_ONE, 0, ONE, 0);
  }

  private final FrList inputs = new FrList();
  private final FrList aux = new FrList();
  private final FrList a = new FrList();
  private final FrList b = new FrList();
  private final FrList c;
  private final Density aAux = new Density();
  private final Density bInputs = new Density();
  private final Density bAux = new Density();
  private final List<LinearCombination> pool = new ArrayList<>();
  private int lent;
  private final long[] sum = new long[Fr.WORDS];
  private final long[] term = new long[Fr.WORDS];
  private boolean finished;

  private ProvingAssignment(boolean withC) {
    c = withC ? new FrList() : null;
    inputs.append(ONE, 0);
    bInputs.append();
  }

  /** A synthesis that evaluates A and B. */
  public static ProvingAssignment create() {
    return new ProvingAssignment(false);
  }

  /** A synthesis that evaluates C too, for checks: half as much memory again. */
  public static ProvingAssignment withC() {
    return new ProvingAssignment(true);
  }

  /** Synthesises a circuit with its witness. */
  public static Assignment of(Circuit circuit) {
    ProvingAssignment cs = create();
    circuit.synthesize(cs);
    return cs.finish();
  }

  @Override
  public boolean hasWitness() {
    return true;
  }

  @Override
  public int alloc(long[] value, int at) {
    aAux.append();
    bAux.append();
    return Variable.aux(aux.append(value, at));
  }

  @Override
  public int allocInput(long[] value, int at) {
    bInputs.append();
    return inputs.append(value, at);
  }

  @Override
  public int allocBit(boolean value) {
    return alloc(value ? ONE : ZERO, 0);
  }

  @Override
  public void value(int variable, long[] out, int at) {
    (Variable.isAux(variable) ? aux : inputs).get(Variable.index(variable), out, at);
  }

  @Override
  public boolean bit(int variable) {
    int i = Variable.index(variable);
    return !Fr.isZero((Variable.isAux(variable) ? aux : inputs).chunk(i), FrList.offset(i));
  }

  @Override
  public LinearCombination lc() {
    if (lent == pool.size()) {
      pool.add(new LinearCombination());
    }
    return pool.get(lent++).clear();
  }

  @Override
  public void enforce(LinearCombination la, LinearCombination lb, LinearCombination lc) {
    evaluate(la, null, aAux);
    a.append(sum, 0);
    evaluate(lb, bInputs, bAux);
    b.append(sum, 0);
    if (c != null) {
      evaluate(lc, null, null);
      c.append(sum, 0);
    }
    lent = 0;
  }

  /** sum = the combination's value; marks the variables whose coefficient is not zero. */
  private void evaluate(LinearCombination lc, Density inputDensity, Density auxDensity) {
    Fr.setZero(sum, 0);
    int n = lc.size();
    long[] coefficients = lc.coefficients();
    for (int i = 0; i < n; i++) {
      int variable = lc.variable(i);
      int index = Variable.index(variable);
      FrList values;
      if (Variable.isAux(variable)) {
        values = aux;
        if (auxDensity != null) {
          auxDensity.set(index);
        }
      } else {
        values = inputs;
        if (inputDensity != null) {
          inputDensity.set(index);
        }
      }
      addTerm(values.chunk(index), FrList.offset(index), coefficients, i * Fr.WORDS);
    }
  }

  private void addTerm(long[] value, int v, long[] coefficient, int k) {
    if (Fr.isZero(value, v)) {
      return;
    }
    if (Fr.isOne(value, v)) {
      Fr.add(sum, 0, sum, 0, coefficient, k);
    } else if (Fr.equal(coefficient, k, ONE, 0)) {
      Fr.add(sum, 0, sum, 0, value, v);
    } else if (Fr.equal(coefficient, k, MINUS_ONE, 0)) {
      Fr.sub(sum, 0, sum, 0, value, v);
    } else {
      Fr.mul(term, 0, value, v, coefficient, k);
      Fr.add(sum, 0, sum, 0, term, 0);
    }
  }

  /**
   * Appends the trailing rows and ends the synthesis.
   *
   * @throws IllegalStateException if called twice
   */
  public Assignment finish() {
    if (finished) {
      throw new IllegalStateException("this synthesis was finished before");
    }
    finished = true;
    LinearCombination input = new LinearCombination();
    LinearCombination nothing = new LinearCombination();
    for (int i = 0; i < inputs.size(); i++) {
      enforce(input.clear().add(i), nothing, nothing);
    }
    return new FlatAssignment(inputs, aux, a, b, aAux, bInputs, bAux);
  }

  /** The evaluations of C, trailing rows included after {@link #finish}; null unless asked for. */
  public FrList c() {
    return c;
  }
}
