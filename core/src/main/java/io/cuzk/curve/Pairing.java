package io.cuzk.curve;

import io.cuzk.field.Fp;
import io.cuzk.field.Fp12;
import io.cuzk.field.Fp2;
import java.util.List;

/**
 * The optimal ate pairing e: G1 × G2 → GT of BLS12-381.
 *
 * <p>Values are 72-word elements of {@link Fp12}, those of blst and zkcrypto: the final exponent is
 * 3·(p¹² − 1)/r. Many pairs share the squarings of one Miller loop and one final exponentiation.
 * Points must be in their subgroups of order r, which the decoder checks; pairs with infinity count
 * as one. Stateless and thread-safe, variable time.
 *
 * <p>Sources: Vercauteren, "Optimal pairings" (2010); Hayashida, Hayasaka and Teruya, "Efficient
 * final exponentiation via cyclotomic structure for pairings over families of elliptic curves"
 * (2020).
 */
public final class Pairing {
  private static final int G1_WORDS = 2 * Fp.WORDS;
  private static final int N = Fp2.WORDS;

  private Pairing() {}

  /** e(p, q) for affine points. */
  public static long[] of(long[] p, int po, long[] q, int qo) {
    long[] point = new long[G1_WORDS];
    System.arraycopy(p, po, point, 0, G1_WORDS);
    return finalExponentiation(millerLoop(point, List.of(PreparedG2.of(q, qo))));
  }

  /** Whether the product of e(p[i], q[i]) is one; p holds the affine points one after another. */
  public static boolean productIsOne(long[] p, List<PreparedG2> q) {
    return Fp12.isOne(finalExponentiation(millerLoop(p, q)), 0);
  }

  /**
   * The product of the Miller functions of all pairs; products of such values may be multiplied
   * before their one final exponentiation.
   *
   * @param p affine points of G1 one after another, as many as q has
   */
  public static long[] millerLoop(long[] p, List<PreparedG2> q) {
    if (p.length != q.size() * G1_WORDS) {
      throw new IllegalArgumentException(
          "pairing of " + q.size() + " points of G2 with " + p.length / G1_WORDS + " of G1");
    }
    int pairs = 0;
    int[] point = new int[q.size()];
    long[][] lines = new long[q.size()][];
    for (int i = 0; i < q.size(); i++) {
      if (!q.get(i).isInfinity() && !Group.G1.isAffineInfinity(p, i * G1_WORDS)) {
        point[pairs] = i * G1_WORDS;
        lines[pairs++] = q.get(i).lines();
      }
    }
    long[] f = new long[Fp12.WORDS];
    Fp12.setOne(f, 0);
    long[] line = new long[3 * N];
    int next = 0;
    for (int i = 62; i >= 0; i--) {
      Fp12.square(f, 0, f, 0);
      int steps = (Group.PARAMETER >>> i & 1) != 0 ? 2 : 1;
      for (int step = 0; step < steps; step++) {
        for (int k = 0; k < pairs; k++) {
          System.arraycopy(lines[k], next, line, 0, N);
          Fp2.mulFp(line, N, lines[k], next + N, p, point[k]);
          Fp2.mulFp(line, 2 * N, lines[k], next + 2 * N, p, point[k] + Fp.WORDS);
          Fp12.mulByLine(f, 0, f, 0, line, 0);
        }
        next += 3 * N;
      }
    }
    Fp12.conjugate(f, 0, f, 0); // u < 0
    return f;
  }

  /** f^(3·(p¹² − 1)/r), where 3·(p⁴ − p² + 1)/r = (u − 1)²(u + p)(u² + p² − 1) + 3. */
  public static long[] finalExponentiation(long[] f) {
    long[] m = new long[Fp12.WORDS];
    long[] t = new long[Fp12.WORDS];
    Fp12.inv(t, 0, f, 0);
    Fp12.conjugate(m, 0, f, 0);
    Fp12.mul(m, 0, m, 0, t, 0); // f^(p⁶ − 1)
    frobeniusTwice(t, m);
    Fp12.mul(m, 0, m, 0, t, 0); // … (p² + 1): now in the cyclotomic subgroup
    long[] a = powParameterMinusOne(powParameterMinusOne(m));
    long[] b = powParameter(a);
    Fp12.frobenius(a, 0, a, 0);
    Fp12.mul(b, 0, b, 0, a, 0); // m^((u − 1)²(u + p))
    long[] c = powParameter(powParameter(b));
    frobeniusTwice(t, b);
    Fp12.mul(c, 0, c, 0, t, 0);
    Fp12.conjugate(b, 0, b, 0);
    Fp12.mul(c, 0, c, 0, b, 0);
    Fp12.cyclotomicSquare(t, 0, m, 0);
    Fp12.mul(c, 0, c, 0, t, 0);
    Fp12.mul(c, 0, c, 0, m, 0);
    return c;
  }

  private static void frobeniusTwice(long[] z, long[] x) {
    Fp12.frobenius(z, 0, x, 0);
    Fp12.frobenius(z, 0, z, 0);
  }

  /** x^u in the cyclotomic subgroup, where the conjugate is the inverse. */
  private static long[] powParameter(long[] x) {
    long[] z = x.clone();
    for (int i = 62; i >= 0; i--) {
      Fp12.cyclotomicSquare(z, 0, z, 0);
      if ((Group.PARAMETER >>> i & 1) != 0) {
        Fp12.mul(z, 0, z, 0, x, 0);
      }
    }
    Fp12.conjugate(z, 0, z, 0);
    return z;
  }

  private static long[] powParameterMinusOne(long[] x) {
    long[] z = powParameter(x);
    long[] inverse = new long[Fp12.WORDS];
    Fp12.conjugate(inverse, 0, x, 0);
    Fp12.mul(z, 0, z, 0, inverse, 0);
    return z;
  }
}
