package io.cuzk.prover;

import io.cuzk.circuit.Assignment;
import io.cuzk.circuit.ProvingAssignment;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.TermStorage;

/**
 * bellperson's way: witness and rows in one pass over the circuit, all of it in the phase {@code
 * synthesis.witness}; {@code synthesis.evaluate} is what is left, sorting the values into zeros,
 * ones and others. Thread-safe.
 */
public final class ReferenceSynthesis implements Synthesis {
  /** The name that {@code --synthesis} takes. */
  public static final String NAME = "reference";

  private final TermStorage storage;
  private final boolean presized;
  private volatile ProvingAssignment.Sizes sizes = ProvingAssignment.Sizes.UNKNOWN;

  private ReferenceSynthesis(TermStorage storage, boolean presized) {
    this.storage = storage;
    this.presized = presized;
  }

  /**
   * A reference synthesis.
   *
   * @param storage where the terms of combinations lie
   * @param presized whether the memory of an assignment is allocated beforehand, as much as the
   *     last one of this synthesis took: for circuits of one kind; the first one grows
   */
  public static ReferenceSynthesis of(TermStorage storage, boolean presized) {
    return new ReferenceSynthesis(storage, presized);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Assignment synthesize(Circuit circuit, PhaseTimer timer) {
    ProvingAssignment cs = ProvingAssignment.create(storage, sizes);
    timer.run("synthesis.witness", () -> circuit.synthesize(cs));
    Assignment assignment = timer.time("synthesis.evaluate", cs::finish);
    if (presized) {
      sizes = ProvingAssignment.Sizes.of(assignment);
    }
    return assignment;
  }
}
