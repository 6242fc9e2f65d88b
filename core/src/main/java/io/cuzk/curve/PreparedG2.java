package io.cuzk.curve;

import io.cuzk.field.Fp2;
import io.cuzk.field.Fp2Field;
import io.cuzk.field.Fp6;

/**
 * A point of G2 with the line coefficients that the Miller loop takes from it, for points that are
 * paired often. Some 20 kB; immutable.
 *
 * <p>A line through T with slope λ on the twist, evaluated at P and multiplied by w³, is (λ·x − y)
 * − λ·xP·v + yP·v·w. The three coefficients are kept with the common denominator cleared: a factor
 * in Fp2 that the final exponentiation removes.
 */
public final class PreparedG2 {
  /** Doublings below the top bit of |u|, and additions. */
  static final int LINES = 63 + Long.bitCount(Group.PARAMETER) - 1;

  private static final int N = Fp2.WORDS;

  private final boolean infinity;
  private final long[] lines;

  private PreparedG2(boolean infinity, long[] lines) {
    this.infinity = infinity;
    this.lines = lines;
  }

  /**
   * Prepares an affine point, which must be infinity or in the subgroup of order r (not checked
   * here: the decoder does).
   */
  public static PreparedG2 of(long[] affine, int at) {
    if (Group.G2.isAffineInfinity(affine, at)) {
      return new PreparedG2(true, new long[0]);
    }
    long[] lines = new long[LINES * Fp6.WORDS];
    long[] t = new long[3 * N]; // T, Jacobian
    Group.G2.fromAffine(t, 0, affine, at);
    int next = 0;
    for (int i = 62; i >= 0; i--) {
      doubling(lines, next, t);
      next += Fp6.WORDS;
      if ((Group.PARAMETER >>> i & 1) != 0) {
        addition(lines, next, t, affine, at);
        next += Fp6.WORDS;
      }
    }
    return new PreparedG2(false, lines);
  }

  boolean isInfinity() {
    return infinity;
  }

  /** LINES triples of Fp2: the constant, the factor of xP, the factor of yP. */
  long[] lines() {
    return lines;
  }

  /** T = 2T (dbl-2009-l) and the tangent, scaled by 2YZ³: 3X³ − 2Y², −3X²Z², 2YZ³. */
  private static void doubling(long[] lines, int at, long[] t) {
    final Fp2Field f = Fp2Field.INSTANCE;
    long[] s = new long[6 * N];
    final int a = 0, b = N, c = 2 * N, d = 3 * N, e = 4 * N, zz = 5 * N;
    f.square(s, a, t, 0);
    f.square(s, b, t, N);
    f.square(s, c, s, b);
    f.square(s, zz, t, 2 * N);
    f.add(s, d, t, 0, s, b);
    f.square(s, d, s, d);
    f.sub(s, d, s, d, s, a);
    f.sub(s, d, s, d, s, c);
    f.dbl(s, d, s, d);
    f.dbl(s, e, s, a);
    f.add(s, e, s, e, s, a);
    f.mul(t, 2 * N, t, N, t, 2 * N);
    f.dbl(t, 2 * N, t, 2 * N);
    f.mul(lines, at + 2 * N, t, 2 * N, s, zz);
    f.mul(lines, at + N, s, e, s, zz);
    f.neg(lines, at + N, lines, at + N);
    f.mul(lines, at, s, e, t, 0);
    f.dbl(s, b, s, b);
    f.sub(lines, at, lines, at, s, b);
    f.square(t, 0, s, e);
    f.sub(t, 0, t, 0, s, d);
    f.sub(t, 0, t, 0, s, d);
    f.sub(s, d, s, d, t, 0);
    f.mul(t, N, s, e, s, d);
    f.dbl(s, c, s, c);
    f.dbl(s, c, s, c);
    f.dbl(s, c, s, c);
    f.sub(t, N, t, N, s, c);
  }

  /** T = T + Q and the chord, with h = xQ·Z² − X, r = yQ·Z³ − Y, scaled by Z3 = h·Z. */
  private static void addition(long[] lines, int at, long[] t, long[] q, int qo) {
    final Fp2Field f = Fp2Field.INSTANCE;
    long[] s = new long[4 * N];
    final int h = 0, r = N, hh = 2 * N, v = 3 * N;
    f.square(s, hh, t, 2 * N);
    f.mul(s, h, q, qo, s, hh);
    f.sub(s, h, s, h, t, 0);
    f.mul(s, hh, s, hh, t, 2 * N);
    f.mul(s, r, q, qo + N, s, hh);
    f.sub(s, r, s, r, t, N);
    f.mul(t, 2 * N, t, 2 * N, s, h);
    f.set(lines, at + 2 * N, t, 2 * N);
    f.neg(lines, at + N, s, r);
    f.mul(lines, at, s, r, q, qo);
    f.mul(s, v, q, qo + N, t, 2 * N);
    f.sub(lines, at, lines, at, s, v);
    f.square(s, hh, s, h);
    f.mul(s, v, t, 0, s, hh); // X·h²
    f.mul(s, hh, s, hh, s, h); // h³
    f.square(t, 0, s, r);
    f.sub(t, 0, t, 0, s, hh);
    f.sub(t, 0, t, 0, s, v);
    f.sub(t, 0, t, 0, s, v);
    f.sub(s, v, s, v, t, 0);
    f.mul(s, v, s, v, s, r);
    f.mul(s, hh, s, hh, t, N);
    f.sub(t, N, s, v, s, hh);
  }
}
