package io.cuzk.prover;

import io.cuzk.InvalidInputException;
import io.cuzk.ProofFailedException;
import io.cuzk.circuit.Assignment;
import io.cuzk.field.Fr;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.Verifier;
import io.cuzk.parallel.Workers;
import io.cuzk.porep.PartitionInput;
import io.cuzk.porep.PublicInputs;
import io.cuzk.porep.StackedCircuit;
import io.cuzk.r1cs.Circuit;

/**
 * Proves partitions of one circuit: synthesises, checks that the key fits, proves on a backend, and
 * verifies its own 192 bytes with public inputs that do not come from the synthesis. What does not
 * verify is never returned. Thread-safe as far as the backend is.
 */
public final class PartitionProver {
  private final Synthesis synthesis;
  private final ProverBackend backend;
  private final ProvingKey key;
  private final Verifier verifier;
  private final Workers workers;

  private PartitionProver(
      Synthesis synthesis, ProverBackend backend, ProvingKey key, Workers workers) {
    this.synthesis = synthesis;
    this.backend = backend;
    this.key = key;
    this.verifier = Verifier.of(key.vk());
    this.workers = workers;
  }

  /** A prover; the backend and the key stay the caller's to close. */
  public static PartitionProver of(
      Synthesis synthesis, ProverBackend backend, ProvingKey key, Workers workers) {
    return new PartitionProver(synthesis, backend, key, workers);
  }

  /**
   * A timer that counts this prover's pool; pass it to {@link #prove} with earlier phases in it.
   */
  public PhaseTimer timer() {
    return PhaseTimer.of(workers);
  }

  /**
   * Proves a partition of a sector; its public inputs are derived from what is on chain.
   *
   * @param name sector and partition, for messages
   * @param blinding r and s; {@link Blinding#random} except in tests
   * @throws InvalidInputException if the partition is malformed, its private inputs belong to other
   *     public ones, or the key is for another circuit
   * @throws ProofFailedException if the proof does not verify, naming partition and device
   */
  public ProvedPartition prove(
      String name, PartitionInput input, Blinding blinding, PhaseTimer timer) {
    return prove(name, StackedCircuit.of(input), PublicInputs.of(input), blinding, timer);
  }

  /**
   * Proves a circuit with its private inputs.
   *
   * @param name what it is, for messages: sector and partition
   * @param expected the public inputs without the constant one, derived independently
   * @param blinding r and s; {@link Blinding#random} except in tests
   * @throws InvalidInputException if the circuit has other inputs than expected or the key is for
   *     another circuit
   * @throws ProofFailedException if the proof does not verify, naming partition and device
   */
  public ProvedPartition prove(
      String name, Circuit circuit, long[] expected, Blinding blinding, PhaseTimer timer) {
    Proof proof = proof(name, circuit, expected, blinding, timer);
    byte[] bytes = proof.encode();
    boolean good = timer.time("verify", () -> verifier.verify(Proof.decode(bytes), expected));
    if (!good) {
      throw doesNotVerify(name, backend);
    }
    return new ProvedPartition(
        proof, expected, backend.name(), backend.device(), key.digest(), timer.phases());
  }

  static ProofFailedException doesNotVerify(String name, ProverBackend backend) {
    return new ProofFailedException(
        ("the proof of %s made by backend %s on device %s does not verify and was dropped; either"
                + " the input does not satisfy the circuit ('cuzk check-c1' finds that), or the"
                + " device computes wrongly: prove again on another one")
            .formatted(name, backend.name(), backend.device()));
  }

  /** In a method of its own, so that the assignment is garbage when it returns. */
  private Proof proof(
      String name, Circuit circuit, long[] expected, Blinding blinding, PhaseTimer timer) {
    Assignment assignment = synthesis.synthesize(circuit, timer).once();
    KeyShape.requireFits(name, assignment, key);
    requireInputs(name, assignment, expected);
    return backend.prove(key, assignment, blinding, timer);
  }

  static void requireInputs(String name, Assignment assignment, long[] expected) {
    int count = assignment.inputs() - 1;
    if (expected.length != Fr.WORDS * count) {
      throw new IllegalArgumentException(
          "%s: %d public inputs given, the circuit has %d"
              .formatted(name, expected.length / Fr.WORDS, count));
    }
    long[] found = new long[Fr.WORDS * count];
    assignment.readInputs(1, count, found, 0);
    for (int i = 0; i < count; i++) {
      if (!Fr.equal(found, Fr.WORDS * i, expected, Fr.WORDS * i)) {
        throw new InvalidInputException(
            "%s: public input %d is %s by the private inputs, expected %s; the C1 output is damaged"
                .formatted(
                    name,
                    i,
                    Fr.toBigInteger(found, Fr.WORDS * i).toString(16),
                    Fr.toBigInteger(expected, Fr.WORDS * i).toString(16)));
      }
    }
  }
}
