package io.cuzk.circuit;

import io.cuzk.field.Fr;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.CombinationSource;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.Density;
import io.cuzk.r1cs.FrList;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.TermStorage;
import io.cuzk.r1cs.Variable;
import io.cuzk.r1cs.Witness;

/**
 * The reference synthesis: keeps every value of the witness, evaluates each row's A and B (and C
 * where asked) as bellperson's prover does, and records densities. About 32 bytes per variable and
 * 64 per row. Not thread-safe; what {@link #finish} returns is immutable.
 */
public final class ProvingAssignment implements ConstraintSystem {
  private final Witness witness;
  private final FrList a;
  private final FrList b;
  private final FrList c;
  private final Density aAux;
  private final Density bInputs;
  private final Density bAux;
  private final CombinationSource combinations;
  private final long[] sum = new long[Fr.WORDS];
  private boolean finished;

  /**
   * How much a synthesis will hold, as bellperson's capacity hint.
   *
   * @param inputs the constant one included
   * @param rows the trailing ones included
   */
  public record Sizes(int inputs, int aux, int rows) {
    /** Nothing is known: everything grows. */
    public static final Sizes UNKNOWN = new Sizes(0, 0, 0);

    /** The sizes of an assignment, for the next one of the same circuit. */
    public static Sizes of(Assignment assignment) {
      return new Sizes(assignment.inputs(), assignment.aux(), Math.toIntExact(assignment.rows()));
    }
  }

  private ProvingAssignment(TermStorage storage, Sizes sizes, boolean withC) {
    witness = Witness.withCapacity(sizes.inputs(), sizes.aux());
    a = FrList.withCapacity(sizes.rows());
    b = FrList.withCapacity(sizes.rows());
    c = withC ? new FrList() : null;
    aAux = Density.withCapacity(sizes.aux());
    bInputs = Density.withCapacity(sizes.inputs());
    bAux = Density.withCapacity(sizes.aux());
    combinations = storage.source();
    bInputs.append();
  }

  /** A synthesis that evaluates A and B. */
  public static ProvingAssignment create() {
    return create(TermStorage.POOLED, Sizes.UNKNOWN);
  }

  /** The same with another storage of terms, and with memory for so much allocated beforehand. */
  public static ProvingAssignment create(TermStorage storage, Sizes sizes) {
    return new ProvingAssignment(storage, sizes, false);
  }

  /** A synthesis that evaluates C too, for checks: half as much memory again. */
  public static ProvingAssignment withC() {
    return withC(TermStorage.POOLED);
  }

  /** The same with another storage of terms. */
  public static ProvingAssignment withC(TermStorage storage) {
    return new ProvingAssignment(storage, Sizes.UNKNOWN, true);
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
    return witness.alloc(value, at);
  }

  @Override
  public int allocInput(long[] value, int at) {
    bInputs.append();
    return witness.allocInput(value, at);
  }

  @Override
  public int allocBit(boolean value) {
    aAux.append();
    bAux.append();
    return witness.allocBit(value);
  }

  @Override
  public void value(int variable, long[] out, int at) {
    witness.value(variable, out, at);
  }

  @Override
  public boolean bit(int variable) {
    return witness.bit(variable);
  }

  @Override
  public LinearCombination lc() {
    return combinations.lend();
  }

  @Override
  public LinearCombination ownLc() {
    return combinations.create();
  }

  @Override
  public void enforce(LinearCombination la, LinearCombination lb, LinearCombination lc) {
    witness.evaluate(la, sum, 0);
    a.append(sum, 0);
    mark(la, null, aAux);
    witness.evaluate(lb, sum, 0);
    b.append(sum, 0);
    mark(lb, bInputs, bAux);
    if (c != null) {
      witness.evaluate(lc, sum, 0);
      c.append(sum, 0);
    }
    combinations.takeBack();
  }

  private static void mark(LinearCombination lc, Density inputs, Density aux) {
    int n = lc.size();
    for (int i = 0; i < n; i++) {
      int variable = lc.variable(i);
      if (Variable.isAux(variable)) {
        aux.set(Variable.index(variable));
      } else if (inputs != null) {
        inputs.set(variable);
      }
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
    for (int i = 0; i < witness.inputs().size(); i++) {
      enforce(input.clear().add(i), nothing, nothing);
    }
    return new FlatAssignment(witness.inputs(), witness.aux(), a, b, aAux, bInputs, bAux);
  }

  /** The evaluations of C, trailing rows included after {@link #finish}; null unless asked for. */
  public FrList c() {
    return c;
  }
}
