package io.cuzk.prover;

import io.cuzk.groth16.Proof;
import java.util.List;

/**
 * A partition's proof, which verified, and what it took.
 *
 * @param proof the proof; its 192 bytes are {@link Proof#encode}
 * @param inputs the public inputs it verified with, see {@link io.cuzk.groth16.InputVector}
 * @param backend name of the backend that ran
 * @param device the device that ran
 * @param keyDigest digest of the parameter file, or the empty text
 */
public record ProvedPartition(
    Proof proof,
    long[] inputs,
    String backend,
    String device,
    String keyDigest,
    List<Phase> phases) {
  /** A result with an immutable list. */
  public ProvedPartition {
    phases = List.copyOf(phases);
  }
}
