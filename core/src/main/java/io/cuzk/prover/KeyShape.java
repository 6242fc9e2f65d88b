package io.cuzk.prover;

import io.cuzk.InvalidInputException;
import io.cuzk.circuit.Assignment;
import io.cuzk.groth16.CircuitShape;
import io.cuzk.groth16.ProvingKey;

/** Whether parameters were made for a circuit, as far as sizes tell. */
public final class KeyShape {
  private KeyShape() {}

  /**
   * Compares numbers of variables, densities and the domain.
   *
   * @param circuit what to call the circuit in the message
   * @throws InvalidInputException naming the parameters, the circuit, and the sizes that differ
   */
  public static void requireFits(String circuit, Assignment assignment, ProvingKey key) {
    CircuitShape shape = new CircuitShape(assignment.inputs(), assignment.aux(), assignment.rows());
    require(circuit, key, "inputs (with the constant one)", shape.inputs(), key.inputs());
    require(circuit, key, "auxiliary variables (query l)", shape.aux(), key.l().size());
    require(circuit, key, "rows of the domain (query h + 1)", shape.domain(), key.domain());
    require(
        circuit,
        key,
        "dense variables in A (query a)",
        (long) shape.inputs() + assignment.aAux().count(),
        key.a().size());
    long denseB = (long) assignment.bInputs().count() + assignment.bAux().count();
    require(circuit, key, "dense variables in B (query b_g1)", denseB, key.bG1().size());
    require(circuit, key, "dense variables in B (query b_g2)", denseB, key.bG2().size());
  }

  private static void require(
      String circuit, ProvingKey key, String what, long expected, long found) {
    if (expected != found) {
      throw new InvalidInputException(
          "parameters %s were made for another circuit than %s: %s: the circuit has %d, they have %d"
              .formatted(key.name(), circuit, what, expected, found));
    }
  }
}
