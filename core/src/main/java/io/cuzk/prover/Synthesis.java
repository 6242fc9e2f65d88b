package io.cuzk.prover;

import io.cuzk.circuit.Assignment;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.TermStorage;

/** A way to turn a circuit with its private inputs into an assignment. */
public interface Synthesis {
  /** The reference synthesis with the storage that measured best: {@link ReferenceSynthesis}. */
  Synthesis REFERENCE = ReferenceSynthesis.of(TermStorage.POOLED, false);

  /** The name that {@code --synthesis} takes. */
  String name();

  /** Synthesises, telling the timer its phases. */
  Assignment synthesize(Circuit circuit, PhaseTimer timer);
}
