package io.cuzk.groth16;

import io.cuzk.curve.AffinePoints;

/**
 * What a prover needs of a circuit's parameters, wherever the points lie. Query orders are
 * bellperson's: {@code a}, {@code bG1}, {@code bG2} hold the inputs' points and then the
 * auxiliaries', without the variables of zero density; {@code l} holds one point per auxiliary,
 * {@code h} domain − 1 points τ^i·Z(τ)/δ. Thread-safe.
 *
 * @param name where it comes from, for messages
 * @param digest first 16 bytes of the parameter file's BLAKE2b-512 in hex, or the empty text if it
 *     was not computed
 */
public record ProvingKey(
    String name,
    String digest,
    VerifyingKey vk,
    AffinePoints h,
    AffinePoints l,
    AffinePoints a,
    AffinePoints bG1,
    AffinePoints bG2) {

  /** Number of inputs, the constant one included. */
  public int inputs() {
    return vk.inputs();
  }

  /** Size of the evaluation domain. */
  public long domain() {
    return h.size() + 1;
  }

  /** This key with a digest. */
  public ProvingKey withDigest(String newDigest) {
    return new ProvingKey(name, newDigest, vk, h, l, a, bG1, bG2);
  }
}
