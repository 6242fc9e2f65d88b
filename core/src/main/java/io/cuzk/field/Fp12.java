package io.cuzk.field;

import java.math.BigInteger;

/**
 * The field Fp6[w]/(w² − v) that pairings take their values in.
 *
 * <p>Representation: c0 + c1·w as 72 words c0 ‖ c1, each an {@link Fp6}: the coefficients of w⁰,
 * w², w⁴, w¹, w³, w⁵ in Fp2, the tower of blst. Conventions as in {@link Fp2}.
 */
public final class Fp12 {
  /** 64-bit words of an element. */
  public static final int WORDS = 2 * Fp6.WORDS;

  private static final int N = Fp6.WORDS;
  private static final int M = Fp2.WORDS;

  /** γ^i with γ = ξ^((p − 1)/6), i = 0 … 5: the Frobenius map's factor of w^i. */
  private static final long[] FROBENIUS = frobeniusFactors();

  private Fp12() {}

  /** z = x·y (Karatsuba: three products in Fp6). */
  public static void mul(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    long[] t = new long[4 * N];
    Fp6.add(t, 0, x, xo, x, xo + N);
    Fp6.add(t, N, y, yo, y, yo + N);
    Fp6.mul(t, 0, t, 0, t, N);
    Fp6.mul(t, 2 * N, x, xo, y, yo);
    Fp6.mul(t, 3 * N, x, xo + N, y, yo + N);
    combine(z, zo, t);
  }

  /** z = (t2 + v·t3) + (t0 − t2 − t3)·w. */
  private static void combine(long[] z, int zo, long[] t) {
    Fp6.sub(t, 0, t, 0, t, 2 * N);
    Fp6.sub(z, zo + N, t, 0, t, 3 * N);
    Fp6.mulByV(t, 3 * N, t, 3 * N);
    Fp6.add(z, zo, t, 2 * N, t, 3 * N);
  }

  /** z = x² (two products in Fp6). */
  public static void square(long[] z, int zo, long[] x, int xo) {
    long[] t = new long[3 * N];
    Fp6.mul(t, 0, x, xo, x, xo + N);
    Fp6.add(t, N, x, xo, x, xo + N);
    Fp6.mulByV(t, 2 * N, x, xo + N);
    Fp6.add(t, 2 * N, t, 2 * N, x, xo);
    Fp6.mul(t, N, t, N, t, 2 * N); // (x0 + x1)(x0 + v·x1)
    Fp6.sub(t, N, t, N, t, 0);
    Fp6.mulByV(t, 2 * N, t, 0);
    Fp6.sub(z, zo, t, N, t, 2 * N);
    Fp6.add(z, zo + N, t, 0, t, 0);
  }

  /**
   * z = x·(l0 + l1·v + l4·v·w): the shape of a line of the Miller loop. The three Fp2 elements lie
   * one after another in l.
   */
  public static void mulByLine(long[] z, int zo, long[] x, int xo, long[] l, int lo) {
    long[] t = new long[4 * N];
    long[] sum = new long[M];
    Fp2.add(sum, 0, l, lo + M, l, lo + 2 * M);
    Fp6.add(t, 0, x, xo, x, xo + N);
    Fp6.mulBy01(t, 2 * N, x, xo, l, lo, lo + M);
    Fp6.mulBy1(t, 3 * N, x, xo + N, l, lo + 2 * M);
    System.arraycopy(l, lo, t, N, M);
    System.arraycopy(sum, 0, t, N + M, M);
    Fp6.mulBy01(t, 0, t, 0, t, N, N + M);
    combine(z, zo, t);
  }

  /** z = x0 − x1·w = x^(p⁶); the inverse, if the norm to Fp6 is one. */
  public static void conjugate(long[] z, int zo, long[] x, int xo) {
    Fp6.set(z, zo, x, xo);
    Fp6.neg(z, zo + N, x, xo + N);
  }

  /** z = x^p. */
  public static void frobenius(long[] z, int zo, long[] x, int xo) {
    for (int half = 0; half < 2; half++) {
      for (int i = 0; i < 3; i++) {
        int at = half * N + i * M;
        Fp2.conjugate(z, zo + at, x, xo + at);
        Fp2.mul(z, zo + at, z, zo + at, FROBENIUS, (2 * i + half) * M);
      }
    }
  }

  /**
   * z = x² for an x of the cyclotomic subgroup (of order p⁴ − p² + 1), three squares in Fp4
   * (Granger and Scott, 2010).
   */
  public static void cyclotomicSquare(long[] z, int zo, long[] x, int xo) {
    long[] t = new long[7 * M];
    final int s = 6 * M;
    fp4Square(t, 0, s, x, xo, xo + N + M);
    fp4Square(t, 2 * M, s, x, xo + N, xo + 2 * M);
    fp4Square(t, 4 * M, s, x, xo + M, xo + N + 2 * M);
    threeMinusTwo(z, zo, t, 0, x, xo);
    threePlusTwo(z, zo + N + M, t, M, x, xo + N + M);
    threeMinusTwo(z, zo + M, t, 2 * M, x, xo + M);
    threePlusTwo(z, zo + N + 2 * M, t, 3 * M, x, xo + N + 2 * M);
    threeMinusTwo(z, zo + 2 * M, t, 4 * M, x, xo + 2 * M);
    Fp2.mulByNonResidue(t, 5 * M, t, 5 * M);
    threePlusTwo(z, zo + N, t, 5 * M, x, xo + N);
  }

  /** t[r], t[r + M] = (xa + xb·s)² in Fp4 = Fp2[s]/(s² − ξ). */
  private static void fp4Square(long[] t, int r, int tmp, long[] x, int xa, int xb) {
    Fp2.add(t, tmp, x, xa, x, xb);
    Fp2.square(t, tmp, t, tmp);
    Fp2.square(t, r, x, xa);
    Fp2.sub(t, tmp, t, tmp, t, r);
    Fp2.square(t, r + M, x, xb);
    Fp2.sub(t, tmp, t, tmp, t, r + M);
    Fp2.mulByNonResidue(t, r + M, t, r + M);
    Fp2.add(t, r, t, r, t, r + M);
    Fp2.set(t, r + M, t, tmp);
  }

  /** z = 3t − 2x. */
  private static void threeMinusTwo(long[] z, int zo, long[] t, int to, long[] x, int xo) {
    Fp2.sub(z, zo, t, to, x, xo);
    Fp2.dbl(z, zo, z, zo);
    Fp2.add(z, zo, z, zo, t, to);
  }

  /** z = 3t + 2x. */
  private static void threePlusTwo(long[] z, int zo, long[] t, int to, long[] x, int xo) {
    Fp2.add(z, zo, t, to, x, xo);
    Fp2.dbl(z, zo, z, zo);
    Fp2.add(z, zo, z, zo, t, to);
  }

  /**
   * z = x⁻¹ = (x0 − x1·w)/(x0² − v·x1²); variable time.
   *
   * @throws ArithmeticException if x = 0
   */
  public static void inv(long[] z, int zo, long[] x, int xo) {
    long[] t = new long[2 * N];
    Fp6.mul(t, 0, x, xo, x, xo);
    Fp6.mul(t, N, x, xo + N, x, xo + N);
    Fp6.mulByV(t, N, t, N);
    Fp6.sub(t, 0, t, 0, t, N);
    Fp6.inv(t, 0, t, 0);
    Fp6.mul(z, zo, x, xo, t, 0);
    Fp6.neg(t, 0, t, 0);
    Fp6.mul(z, zo + N, x, xo + N, t, 0);
  }

  /**
   * z = x^e, square-and-multiply from the top bit; variable time.
   *
   * @param e a non-negative exponent
   */
  public static void pow(long[] z, int zo, long[] x, int xo, BigInteger e) {
    if (e.signum() < 0) {
      throw new IllegalArgumentException("exponent must not be negative, found " + e);
    }
    long[] base = new long[WORDS];
    set(base, 0, x, xo);
    long[] acc = new long[WORDS];
    setOne(acc, 0);
    for (int i = e.bitLength() - 1; i >= 0; i--) {
      square(acc, 0, acc, 0);
      if (e.testBit(i)) {
        mul(acc, 0, acc, 0, base, 0);
      }
    }
    set(z, zo, acc, 0);
  }

  /** z = 1. */
  public static void setOne(long[] z, int zo) {
    for (int i = 0; i < WORDS; i++) {
      z[zo + i] = 0;
    }
    Fp.setOne(z, zo);
  }

  /** z = x. */
  public static void set(long[] z, int zo, long[] x, int xo) {
    System.arraycopy(x, xo, z, zo, WORDS);
  }

  /** Whether x = 1. */
  public static boolean isOne(long[] x, int xo) {
    long or = 0;
    for (int i = Fp.WORDS; i < WORDS; i++) {
      or |= x[xo + i];
    }
    return or == 0 && Fp.isOne(x, xo);
  }

  /** Whether x = y. */
  public static boolean equal(long[] x, int xo, long[] y, int yo) {
    long or = 0;
    for (int i = 0; i < WORDS; i++) {
      or |= x[xo + i] ^ y[yo + i];
    }
    return or == 0;
  }

  private static long[] frobeniusFactors() {
    long[] f = new long[6 * M];
    Fp2.setOne(f, 0);
    Fp2.mulByNonResidue(f, M, f, 0);
    Fp2.pow(f, M, f, M, Fp.MODULUS.divide(BigInteger.valueOf(6)));
    for (int i = 2; i < 6; i++) {
      Fp2.mul(f, i * M, f, (i - 1) * M, f, M);
    }
    return f;
  }
}
