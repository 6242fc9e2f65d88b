package io.cuzk.groth16;

import io.cuzk.curve.Group;
import io.cuzk.field.Fr;

/**
 * The five multi-scalar sums of a proof, Jacobian, and the proof made of them. Whichever device
 * added them up, the rest is the same.
 *
 * @param h Σ hᵢ·Hᵢ over the quotient's coefficients
 * @param l Σ wⱼ·Lⱼ over the auxiliaries
 * @param a Σ wⱼ·Aⱼ over inputs and auxiliaries
 * @param b1 Σ wⱼ·Bⱼ in G1
 * @param b2 the same in G2
 */
public record QuerySums(long[] h, long[] l, long[] a, long[] b1, long[] b2) {
  /**
   * A = α + a + rδ, B = β + b2 + sδ, C = h + l + sA + r(β + b1 + sδ) − rsδ (Groth 2016, section
   * 3.2).
   */
  public Proof assemble(VerifyingKey vk, Blinding blinding) {
    long[] r = canonical(blinding.r());
    long[] s = canonical(blinding.s());
    long[] rs = new long[Fr.WORDS];
    Fr.mul(rs, 0, blinding.r(), 0, blinding.s(), 0);
    Fr.neg(rs, 0, rs, 0);
    rs = canonical(rs);
    Group g1 = Group.G1;
    long[] proofA = blinded(g1, vk.alphaG1(), a, vk.deltaG1(), r);
    long[] proofB1 = blinded(g1, vk.betaG1(), b1, vk.deltaG1(), s);
    long[] proofB = blinded(Group.G2, vk.betaG2(), b2, vk.deltaG2(), s);
    long[] proofC = new long[g1.jacobianWords()];
    long[] term = new long[g1.jacobianWords()];
    g1.add(proofC, 0, h, 0, l, 0);
    g1.mul(term, 0, proofA, 0, s, 0);
    g1.add(proofC, 0, proofC, 0, term, 0);
    g1.mul(term, 0, proofB1, 0, r, 0);
    g1.add(proofC, 0, proofC, 0, term, 0);
    g1.fromAffine(term, 0, vk.deltaG1(), 0);
    g1.mul(term, 0, term, 0, rs, 0);
    g1.add(proofC, 0, proofC, 0, term, 0);
    return Proof.of(affine(g1, proofA), affine(Group.G2, proofB), affine(g1, proofC));
  }

  /** constant + sum + factor·δ. */
  private static long[] blinded(
      Group group, long[] constant, long[] sum, long[] delta, long[] factor) {
    long[] out = new long[group.jacobianWords()];
    group.fromAffine(out, 0, delta, 0);
    group.mul(out, 0, out, 0, factor, 0);
    group.addMixed(out, 0, out, 0, constant, 0);
    group.add(out, 0, out, 0, sum, 0);
    return out;
  }

  private static long[] affine(Group group, long[] jacobian) {
    long[] out = new long[group.affineWords()];
    group.toAffine(out, 0, jacobian, 0);
    return out;
  }

  private static long[] canonical(long[] scalar) {
    long[] out = new long[Fr.WORDS];
    Fr.toCanonical(out, 0, scalar, 0);
    return out;
  }
}
