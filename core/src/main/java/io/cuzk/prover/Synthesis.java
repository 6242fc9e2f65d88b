package io.cuzk.prover;

import io.cuzk.circuit.Assignment;
import io.cuzk.circuit.ProvingAssignment;
import io.cuzk.r1cs.Circuit;

/** A way to turn a circuit with its private inputs into an assignment. */
public interface Synthesis {
  /**
   * bellperson's way: witness and rows in one pass over the circuit, all of it in the phase {@code
   * synthesis.witness}; {@code synthesis.evaluate} is what is left, sorting the values into zeros,
   * ones and others.
   */
  Synthesis REFERENCE =
      new Synthesis() {
        @Override
        public String name() {
          return "reference";
        }

        @Override
        public Assignment synthesize(Circuit circuit, PhaseTimer timer) {
          ProvingAssignment cs = ProvingAssignment.create();
          timer.run("synthesis.witness", () -> circuit.synthesize(cs));
          return timer.time("synthesis.evaluate", cs::finish);
        }
      };

  /** The name that {@code --synthesis} takes. */
  String name();

  /** Synthesises, telling the timer its phases. */
  Assignment synthesize(Circuit circuit, PhaseTimer timer);
}
