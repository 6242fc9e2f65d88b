package io.cuzk.bench;

import io.cuzk.ProofFailedException;
import io.cuzk.circuit.Assignment;
import io.cuzk.curve.Group;
import io.cuzk.curve.PointEncoding;
import io.cuzk.field.Arithmetic;
import io.cuzk.field.CoefficientOrder;
import io.cuzk.field.Fr;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.CircuitShape;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.QuerySums;
import io.cuzk.groth16.VerifyingKey;
import io.cuzk.msm.FixedBase;
import io.cuzk.parallel.Workers;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * A proving key with the sizes of a circuit and without its meaning: each list repeats a few points
 * whose multiples of the generator are known. So it takes neither setup nor disk, whatever the
 * size, and what a prover's sums must be follows from the scalars alone ({@link ScalarSums}): point
 * i of a list is f·τ^i times the generator, with a factor f of the list's own and a τ of order
 * {@value #PERIOD}. The sum over h's coefficients is then f·h(τ), whichever way the prover took to
 * them. A proof made with it proves nothing; a sum that is wrong makes another one. Immutable.
 */
public final class SyntheticKey implements ProofCheck {
  /** A prime factor of r − 1, so that τ exists; of the order of points that a cache holds. */
  public static final int PERIOD = 10177;

  /** Of the key's own points and of its lists: which power of 7 their factor is. */
  private enum Factor {
    ALPHA,
    BETA,
    GAMMA,
    DELTA,
    INPUT,
    H,
    L,
    A,
    B;

    long[] value() {
      long[] factor = new long[Fr.WORDS];
      Fr.setLong(factor, 0, 7);
      Fr.pow(factor, 0, factor, 0, BigInteger.valueOf(1000 + 37L * ordinal()));
      return factor;
    }
  }

  private final ProvingKey key;
  private final QuerySums sums;

  private SyntheticKey(ProvingKey key, QuerySums sums) {
    this.key = key;
    this.sums = sums;
  }

  /**
   * The key of an assignment's circuit, and what the sums over this assignment are: about a
   * microsecond of CPU a row.
   *
   * @param name of the circuit, for messages
   */
  public static SyntheticKey of(String name, Assignment assignment, Workers workers) {
    long[] powers = powers();
    ScalarSums scalars = new ScalarSums(assignment, powers, workers);
    QuerySums sums =
        new QuerySums(
            times(Group.G1, Factor.H, scalars.quotient()),
            times(Group.G1, Factor.L, scalars.query(false, null, null)),
            times(Group.G1, Factor.A, scalars.query(true, null, assignment.aAux())),
            times(Group.G1, Factor.B, b(scalars, assignment)),
            times(Group.G2, Factor.B, b(scalars, assignment)));
    CircuitShape shape = new CircuitShape(assignment.inputs(), assignment.aux(), assignment.rows());
    int logDomain = shape.logDomain();
    CoefficientOrder order = Arithmetic.current().transform(logDomain).order();
    LongUnaryOperator itself = place -> place;
    long denseA = (long) assignment.inputs() + assignment.aAux().count();
    long denseB = (long) assignment.bInputs().count() + assignment.bAux().count();
    List<FixedBase> bases = new ArrayList<>();
    for (Group group : List.of(Group.G1, Group.G2)) {
      long[] generator = new long[group.affineWords()];
      group.generator(generator, 0);
      bases.add(FixedBase.of(group, generator, 0, PERIOD, workers));
    }
    long[] bOnG1 = points(Group.G1, Factor.B, powers, bases.get(0));
    ProvingKey key =
        new ProvingKey(
            "synthetic key of " + name,
            "",
            verifyingKey(assignment.inputs()),
            order,
            new PeriodicPoints(
                Group.G1,
                shape.domain() - 1,
                points(Group.G1, Factor.H, powers, bases.get(0)),
                place -> order.index(place, logDomain)),
            new PeriodicPoints(
                Group.G1,
                assignment.aux(),
                points(Group.G1, Factor.L, powers, bases.get(0)),
                itself),
            new PeriodicPoints(
                Group.G1, denseA, points(Group.G1, Factor.A, powers, bases.get(0)), itself),
            new PeriodicPoints(Group.G1, denseB, bOnG1, itself),
            new PeriodicPoints(
                Group.G2, denseB, points(Group.G2, Factor.B, powers, bases.get(1)), itself));
    return new SyntheticKey(key, sums);
  }

  private static long[] b(ScalarSums scalars, Assignment assignment) {
    return scalars.query(true, assignment.bInputs(), assignment.bAux());
  }

  /** τ^0 … τ^({@value #PERIOD} − 1). */
  private static long[] powers() {
    long[] powers = new long[PERIOD * Fr.WORDS];
    long[] tau = new long[Fr.WORDS];
    Fr.setLong(tau, 0, 7); // generates the multiplicative group
    BigInteger cofactor = Fr.MODULUS.subtract(BigInteger.ONE).divide(BigInteger.valueOf(PERIOD));
    Fr.pow(tau, 0, tau, 0, cofactor);
    Fr.setOne(powers, 0);
    for (int at = Fr.WORDS; at < powers.length; at += Fr.WORDS) {
      Fr.mul(powers, at, powers, at - Fr.WORDS, tau, 0);
    }
    return powers;
  }

  private static long[] points(Group group, Factor factor, long[] powers, FixedBase generator) {
    long[] scalars = new long[powers.length];
    long[] f = factor.value();
    for (int at = 0; at < powers.length; at += Fr.WORDS) {
      Fr.mul(scalars, at, powers, at, f, 0);
      Fr.toCanonical(scalars, at, scalars, at);
    }
    long[] points = new long[PERIOD * group.affineWords()];
    generator.multiply(scalars, 0, PERIOD, points, 0);
    return points;
  }

  /** factor · scalar times the generator, Jacobian; {@code scalar} is Montgomery. */
  private static long[] times(Group group, Factor factor, long[] scalar) {
    long[] product = new long[Fr.WORDS];
    Fr.mul(product, 0, factor.value(), 0, scalar, 0);
    Fr.toCanonical(product, 0, product, 0);
    long[] affine = new long[group.affineWords()];
    group.generator(affine, 0);
    long[] out = new long[group.jacobianWords()];
    group.fromAffine(out, 0, affine, 0);
    group.mul(out, 0, out, 0, product, 0);
    return out;
  }

  private static VerifyingKey verifyingKey(int inputs) {
    ByteBuffer bytes = ByteBuffer.allocate(3 * 96 + 3 * 192 + 4 + 96 * inputs);
    bytes.put(encoded(Group.G1, Factor.ALPHA));
    bytes.put(encoded(Group.G1, Factor.BETA));
    bytes.put(encoded(Group.G2, Factor.BETA));
    bytes.put(encoded(Group.G2, Factor.GAMMA));
    bytes.put(encoded(Group.G1, Factor.DELTA));
    bytes.put(encoded(Group.G2, Factor.DELTA));
    bytes.putInt(inputs);
    byte[] input = encoded(Group.G1, Factor.INPUT);
    for (int i = 0; i < inputs; i++) {
      bytes.put(input);
    }
    return VerifyingKey.read(bytes.array(), "of a synthetic key");
  }

  private static byte[] encoded(Group group, Factor factor) {
    long[] one = new long[Fr.WORDS];
    Fr.setOne(one, 0);
    long[] affine = new long[group.affineWords()];
    group.toAffine(affine, 0, times(group, factor, one), 0);
    byte[] out = new byte[PointEncoding.uncompressedBytes(group)];
    PointEncoding.encodeUncompressed(group, out, 0, affine, 0);
    return out;
  }

  /** The key to prove with. */
  public ProvingKey key() {
    return key;
  }

  @Override
  public String counts() {
    return "sums_right";
  }

  /**
   * Compares a proof with the one whose sums are right.
   *
   * @throws ProofFailedException naming the part that differs and the sums that it is made of
   */
  @Override
  public void require(Proof proof, Blinding blinding, String device) {
    byte[] expected = sums.assemble(key.vk(), blinding).encode();
    byte[] found = proof.encode();
    List<String> wrong = new ArrayList<>();
    differs("A (the sum a)", expected, found, 0, 48, wrong);
    differs("B (the sum b_g2)", expected, found, 48, 144, wrong);
    differs("C (the sums h, l, b_g1 and A)", expected, found, 144, 192, wrong);
    if (!wrong.isEmpty()) {
      throw new ProofFailedException(
          "wrong sums on %s with the %s: %s; no figure is shown"
              .formatted(device, key.name(), String.join(", ", wrong)));
    }
  }

  private static void differs(
      String what, byte[] expected, byte[] found, int from, int to, List<String> wrong) {
    if (!Arrays.equals(expected, from, to, found, from, to)) {
      wrong.add(what);
    }
  }
}
