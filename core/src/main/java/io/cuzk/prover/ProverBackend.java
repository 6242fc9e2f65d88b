package io.cuzk.prover;

import io.cuzk.circuit.Assignment;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.Progress;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.parallel.Workers;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Something that turns assignments into proofs: the CPU, or a device. A backend does not verify
 * what it made; {@link PartitionProver} does. One proof at a time unless its provider says
 * otherwise.
 */
public interface ProverBackend extends AutoCloseable {
  /** {@code cpu} or {@code cuda}. */
  String name();

  /** Which device, for records and messages. */
  String device();

  /**
   * Puts a key where proofs find it, if it is not there yet: what takes as long as the key's file
   * takes to be read, and is no part of a proof's time. A backend that has nothing to put, or finds
   * out that it must do so again in {@link #proveOnDevice}, does nothing here.
   *
   * @param assignment of the proof that comes first: what a device must have room for beside the
   *     key
   * @param timer is told the phase {@code key.load} if there was something to do
   */
  default void ready(ProvingKey key, Assignment assignment, PhaseTimer timer) {}

  /**
   * Makes a proof. The key must fit the assignment ({@link KeyShape#requireFits}).
   *
   * @param timer is told the phases {@code quotient}, {@code msm.h}, {@code msm.l}, {@code msm.a},
   *     {@code msm.b1}, {@code msm.b2}, {@code assemble} and what lies beneath them
   */
  Proof prove(ProvingKey key, Assignment assignment, Blinding blinding, PhaseTimer timer);

  /**
   * Runs the part of a proof that needs the device, and returns the rest (sums on the CPU, the
   * assembly), to be run once when the device has been given to the next proof. Parameters as for
   * {@link #prove}.
   */
  default Supplier<Proof> proveOnDevice(
      ProvingKey key, Assignment assignment, Blinding blinding, PhaseTimer timer) {
    Proof proof = prove(key, assignment, blinding, timer);
    return () -> proof;
  }

  /**
   * The address of the device as the device itself knows it, in the form in which Spark assigns
   * them; empty where a backend has no such thing.
   */
  default Optional<String> address() {
    return Optional.empty();
  }

  /**
   * What is known of the device beyond its name, by JSON key as in {@link ProverDevice#facts}: read
   * when it was opened and after each proof. Empty where there is nothing to tell.
   */
  default Map<String, Object> facts() {
    return Map.of();
  }

  /**
   * The same backend, doing what it does on the CPU on a pool of the caller's; itself where all its
   * proofs share one pool.
   */
  default ProverBackend on(Workers workers) {
    return this;
  }

  /** Names who is to hear how far a proof is; only a backend on which one takes long tells it. */
  default void reportTo(Progress progress) {}

  /** Releases the device. */
  @Override
  default void close() {}
}
