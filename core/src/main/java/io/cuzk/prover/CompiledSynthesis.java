package io.cuzk.prover;

import io.cuzk.InvalidInputException;
import io.cuzk.circuit.Assignment;
import io.cuzk.circuit.CompactAssignment;
import io.cuzk.circuit.CompiledCircuit;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.Satisfaction;

/**
 * Synthesis by a compiled circuit: reads only the private inputs from the circuit's description.
 * Rows are evaluated with the witness, while it is in the cache: all of that is the phase {@code
 * synthesis.witness}; {@code synthesis.evaluate} is what is left, the densities of a circuit that
 * is used for the first time. Thread-safe.
 */
public final class CompiledSynthesis implements Synthesis {
  /** The name that {@code --synthesis} takes. */
  public static final String NAME = "compiled";

  private final CompiledCircuit compiled;
  private final Workers workers;

  private CompiledSynthesis(CompiledCircuit compiled, Workers workers) {
    this.compiled = compiled;
    this.workers = workers;
  }

  /** A synthesis of one circuit on a pool, which stays the caller's to close. */
  public static CompiledSynthesis of(CompiledCircuit compiled, Workers workers) {
    return new CompiledSynthesis(compiled, workers);
  }

  @Override
  public String name() {
    return NAME;
  }

  /**
   * Synthesises, telling the timer its phases.
   *
   * @throws InvalidInputException naming the first row that the private inputs do not satisfy
   * @throws IllegalArgumentException if the circuit is another than the compiled one
   */
  @Override
  public Assignment synthesize(Circuit circuit, PhaseTimer timer) {
    CompactAssignment assignment =
        timer.time("synthesis.witness", () -> compiled.assign(circuit, workers));
    timer.run(
        "synthesis.evaluate",
        () -> {
          compiled.brokenRow(circuit, assignment).ifPresent(this::refuse);
          compiled.aAux();
        });
    return assignment;
  }

  /**
   * Evaluates every row of an assignment again, from the matrices and not by what made it.
   *
   * @throws InvalidInputException naming the first row that does not hold
   */
  public void requireSatisfied(Circuit circuit, Assignment assignment) {
    compiled.firstBrokenRow(circuit, assignment, workers).ifPresent(this::refuse);
  }

  private void refuse(Satisfaction.BrokenRow broken) {
    throw new InvalidInputException(
        "the private inputs do not satisfy circuit '%s': row %d in %s: %s"
            .formatted(compiled.name(), broken.row(), broken.path(), broken.text()));
  }
}
