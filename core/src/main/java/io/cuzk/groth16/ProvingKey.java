package io.cuzk.groth16;

import io.cuzk.curve.AffinePoints;
import io.cuzk.field.CoefficientOrder;

/**
 * What a prover needs of a circuit's parameters, wherever the points lie. Query orders are
 * bellperson's: {@code a}, {@code bG1}, {@code bG2} hold the inputs' points and then the
 * auxiliaries', without the variables of zero density; {@code l} holds one point per auxiliary,
 * {@code h} domain − 1 points τ^i·Z(τ)/δ, point i at the place that {@code hOrder} gives it.
 * Thread-safe.
 *
 * @param name where it comes from, for messages
 * @param digest first 16 bytes of the parameter file's BLAKE2b-512 in hex, or the empty text if it
 *     was not computed
 * @param hOrder the order of {@code h}, among as many as the domain has
 */
public record ProvingKey(
    String name,
    String digest,
    VerifyingKey vk,
    CoefficientOrder hOrder,
    AffinePoints h,
    AffinePoints l,
    AffinePoints a,
    AffinePoints bG1,
    AffinePoints bG2) {

  /** A key in bellperson's order throughout. */
  public ProvingKey(
      String name,
      String digest,
      VerifyingKey vk,
      AffinePoints h,
      AffinePoints l,
      AffinePoints a,
      AffinePoints bG1,
      AffinePoints bG2) {
    this(name, digest, vk, CoefficientOrder.NATURAL, h, l, a, bG1, bG2);
  }

  /** Number of inputs, the constant one included. */
  public int inputs() {
    return vk.inputs();
  }

  /** Size of the evaluation domain. */
  public long domain() {
    return h.size() + 1;
  }

  /** Bytes of all points as a prover has them: 96 each, and 192 of the second group. */
  public long pointBytes() {
    return 96L * (h.size() + l.size() + a.size() + bG1.size()) + 192L * bG2.size();
  }

  /** This key with a digest. */
  public ProvingKey withDigest(String newDigest) {
    return new ProvingKey(name, newDigest, vk, hOrder, h, l, a, bG1, bG2);
  }
}
