package io.cuzk.groth16;

import io.cuzk.InvalidInputException;
import io.cuzk.curve.FlatPoints;
import io.cuzk.curve.Group;
import io.cuzk.curve.Pairing;
import io.cuzk.curve.PreparedG2;
import io.cuzk.field.Arithmetic;
import io.cuzk.field.Fp12;
import io.cuzk.field.Fr;
import io.cuzk.msm.Pippenger;
import io.cuzk.msm.Scalars;
import io.cuzk.parallel.Workers;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * Verifies proofs under one key, which it prepares once: e(A, B) = e(α, β)·e(X, γ)·e(C, δ) with X =
 * ic₀ + Σ xⱼ·icⱼ. Inputs are {@link InputVector}s, without the constant one. Immutable and
 * thread-safe. Groth, "On the size of pairing-based non-interactive arguments", 2016.
 */
public final class Verifier {
  /** Bits of a batch's coefficients: a false batch passes with probability 2⁻¹²⁸. */
  private static final int BATCH_BITS = 128;

  private static final Group G1 = Group.G1;

  private final VerifyingKey key;
  private final PreparedG2 beta;
  private final PreparedG2 gamma;
  private final PreparedG2 delta;
  private final long[] alphaBeta;

  private Verifier(VerifyingKey key) {
    this.key = key;
    beta = PreparedG2.of(key.betaG2(), 0);
    gamma = PreparedG2.of(key.gammaG2(), 0);
    delta = PreparedG2.of(key.deltaG2(), 0);
    alphaBeta = Pairing.millerLoop(key.alphaG1(), List.of(beta));
  }

  /** A verifier for a key. */
  public static Verifier of(VerifyingKey key) {
    return new Verifier(key);
  }

  /** The key. */
  public VerifyingKey key() {
    return key;
  }

  /**
   * Whether the proof is good for these inputs.
   *
   * @throws InvalidInputException if the key takes another number of inputs
   */
  public boolean verify(Proof proof, long[] inputs) {
    requireInputs(inputs, "the proof");
    long[] coefficients = new long[Fr.WORDS + inputs.length];
    Fr.setOne(coefficients, 0);
    System.arraycopy(inputs, 0, coefficients, Fr.WORDS, inputs.length);
    int n = G1.affineWords();
    long[] points = new long[3 * n];
    G1.negAffine(points, 0, proof.a(), 0);
    inputSum(points, n, coefficients);
    System.arraycopy(proof.c(), 0, points, 2 * n, n);
    long[] f = Pairing.millerLoop(points, List.of(PreparedG2.of(proof.b(), 0), gamma, delta));
    Fp12.mul(f, 0, f, 0, alphaBeta, 0);
    return Fp12.isOne(Pairing.finalExponentiation(f), 0);
  }

  /**
   * Whether all proofs are good, each for its inputs: one equation, the proofs' own added up with
   * random coefficients drawn after they were given (Bellare, Garay and Rabin, 1998). An empty
   * batch is good. Which proof of a bad batch is bad, {@link #verify} tells.
   *
   * @throws InvalidInputException if a proof has another number of inputs than the key takes
   */
  public boolean verifyAll(List<Proof> proofs, List<long[]> inputs) {
    if (proofs.size() != inputs.size()) {
      throw new IllegalArgumentException(proofs.size() + " proofs, but inputs of " + inputs.size());
    }
    if (proofs.isEmpty()) {
      return true;
    }
    SecureRandom random = new SecureRandom();
    int n = G1.affineWords();
    int j = G1.jacobianWords();
    long[] sums = new long[Fr.WORDS * key.inputs()];
    long[] c = new long[j]; // Σ zᵢ·Cᵢ
    long[] jacobian = new long[j * (proofs.size() + 2)]; // −zᵢ·Aᵢ, then (Σ zᵢ)·α, then C
    List<PreparedG2> q = new ArrayList<>();
    long[] z = new long[Fr.WORDS];
    long[] canonical = new long[Fr.WORDS];
    long[] t = new long[Math.max(j, Fr.WORDS)];
    for (int i = 0; i < proofs.size(); i++) {
      long[] x = inputs.get(i);
      requireInputs(x, "proof " + i);
      Fr.fromBigInteger(z, 0, new BigInteger(BATCH_BITS, random).setBit(0));
      Fr.toCanonical(canonical, 0, z, 0);
      Fr.add(sums, 0, sums, 0, z, 0);
      for (int k = 0; k < x.length; k += Fr.WORDS) {
        Fr.mul(t, 0, z, 0, x, k);
        Fr.add(sums, Fr.WORDS + k, sums, Fr.WORDS + k, t, 0);
      }
      Proof proof = proofs.get(i);
      G1.fromAffine(t, 0, proof.a(), 0);
      G1.mul(t, 0, t, 0, canonical, 0);
      G1.neg(jacobian, j * i, t, 0);
      q.add(PreparedG2.of(proof.b(), 0));
      G1.fromAffine(t, 0, proof.c(), 0);
      G1.mul(t, 0, t, 0, canonical, 0);
      G1.add(c, 0, c, 0, t, 0);
    }
    int alphaAt = j * proofs.size();
    G1.fromAffine(t, 0, key.alphaG1(), 0);
    Fr.toCanonical(canonical, 0, sums, 0);
    G1.mul(jacobian, alphaAt, t, 0, canonical, 0);
    G1.set(jacobian, alphaAt + j, c, 0);
    q.add(beta);
    q.add(delta);
    q.add(gamma);
    long[] points = new long[n * (proofs.size() + 3)];
    G1.toAffineBatch(points, 0, jacobian, 0, proofs.size() + 2);
    inputSum(points, n * (proofs.size() + 2), sums);
    return Pairing.productIsOne(points, q);
  }

  private void requireInputs(long[] inputs, String what) {
    if (inputs.length != Fr.WORDS * (key.inputs() - 1)) {
      throw new InvalidInputException(
          "%s has %d public inputs, the verifying key takes %d"
              .formatted(what, inputs.length / Fr.WORDS, key.inputs() - 1));
    }
    for (int i = 0; i < inputs.length; i += Fr.WORDS) {
      if (!Fr.isCanonical(inputs, i)) {
        throw new IllegalArgumentException("input " + i / Fr.WORDS + " is not reduced");
      }
    }
  }

  /** Σ coefficientⱼ·icⱼ, affine. */
  private void inputSum(long[] out, int at, long[] coefficients) {
    long[] canonical = new long[coefficients.length];
    for (int i = 0; i < coefficients.length; i += Fr.WORDS) {
      Fr.toCanonical(canonical, i, coefficients, i);
    }
    long[] sum = new long[G1.jacobianWords()];
    // A few hundred points: warming up vector kernels for them would cost seconds.
    Pippenger.multiExp(
        new FlatPoints(G1, key.ic()),
        Scalars.of(canonical),
        Workers.single(),
        Arithmetic.scalar(),
        sum,
        0);
    G1.toAffine(out, at, sum, 0);
  }
}
