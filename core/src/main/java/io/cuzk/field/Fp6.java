package io.cuzk.field;

/**
 * The cubic extension Fp2[v]/(v³ − ξ) with ξ = 1 + u.
 *
 * <p>Representation: c0 + c1·v + c2·v² as 36 words c0 ‖ c1 ‖ c2, each an {@link Fp2}. Conventions
 * as there. Only what the pairing needs; formulas from Devegili, Ó hÉigeartaigh, Scott and Dahab,
 * "Multiplication and squaring on pairing-friendly fields" (2006).
 */
public final class Fp6 {
  /** 64-bit words of an element. */
  public static final int WORDS = 3 * Fp2.WORDS;

  private static final int N = Fp2.WORDS;

  private Fp6() {}

  /** z = x + y. */
  public static void add(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    for (int i = 0; i < WORDS; i += N) {
      Fp2.add(z, zo + i, x, xo + i, y, yo + i);
    }
  }

  /** z = x − y. */
  public static void sub(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    for (int i = 0; i < WORDS; i += N) {
      Fp2.sub(z, zo + i, x, xo + i, y, yo + i);
    }
  }

  /** z = −x. */
  public static void neg(long[] z, int zo, long[] x, int xo) {
    for (int i = 0; i < WORDS; i += N) {
      Fp2.neg(z, zo + i, x, xo + i);
    }
  }

  /** z = x. */
  public static void set(long[] z, int zo, long[] x, int xo) {
    System.arraycopy(x, xo, z, zo, WORDS);
  }

  /** z = x·y (Karatsuba: six products in Fp2). */
  public static void mul(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    long[] t = new long[7 * N];
    final int v0 = 0, v1 = N, v2 = 2 * N, r = 3 * N, s = 6 * N;
    Fp2.mul(t, v0, x, xo, y, yo);
    Fp2.mul(t, v1, x, xo + N, y, yo + N);
    Fp2.mul(t, v2, x, xo + 2 * N, y, yo + 2 * N);
    cross(t, r, s, x, xo + N, xo + 2 * N, y, yo + N, yo + 2 * N, v1, v2);
    cross(t, r + N, s, x, xo, xo + N, y, yo, yo + N, v0, v1);
    cross(t, r + 2 * N, s, x, xo, xo + 2 * N, y, yo, yo + 2 * N, v0, v2);
    Fp2.mulByNonResidue(t, r, t, r);
    Fp2.add(z, zo, t, r, t, v0);
    Fp2.mulByNonResidue(t, v2, t, v2);
    Fp2.add(z, zo + N, t, r + N, t, v2);
    Fp2.add(z, zo + 2 * N, t, r + 2 * N, t, v1);
  }

  /** t[r] = (xa + xb)(ya + yb) − t[va] − t[vb]. */
  private static void cross(
      long[] t, int r, int s, long[] x, int xa, int xb, long[] y, int ya, int yb, int va, int vb) {
    Fp2.add(t, r, x, xa, x, xb);
    Fp2.add(t, s, y, ya, y, yb);
    Fp2.mul(t, r, t, r, t, s);
    Fp2.sub(t, r, t, r, t, va);
    Fp2.sub(t, r, t, r, t, vb);
  }

  /** z = x·(y0 + y1·v), five products in Fp2; y0 and y1 lie in y at yo and yo1. */
  static void mulBy01(long[] z, int zo, long[] x, int xo, long[] y, int yo, int yo1) {
    long[] t = new long[6 * N];
    final int v0 = 0, v1 = N, r = 2 * N, s = 3 * N, q = 4 * N, c2 = 5 * N;
    Fp2.mul(t, v0, x, xo, y, yo);
    Fp2.mul(t, v1, x, xo + N, y, yo1);
    Fp2.mul(t, q, x, xo + 2 * N, y, yo1);
    Fp2.mulByNonResidue(t, q, t, q);
    Fp2.mul(t, c2, x, xo + 2 * N, y, yo);
    Fp2.add(t, r, x, xo, x, xo + N);
    Fp2.add(t, s, y, yo, y, yo1);
    Fp2.mul(t, r, t, r, t, s);
    Fp2.sub(t, r, t, r, t, v0);
    Fp2.sub(z, zo + N, t, r, t, v1);
    Fp2.add(z, zo, t, v0, t, q);
    Fp2.add(z, zo + 2 * N, t, v1, t, c2);
  }

  /** z = x·y1·v, three products in Fp2. */
  static void mulBy1(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    long[] t = new long[N];
    Fp2.mul(t, 0, x, xo + 2 * N, y, yo);
    Fp2.mulByNonResidue(t, 0, t, 0);
    Fp2.mul(z, zo + 2 * N, x, xo + N, y, yo);
    Fp2.mul(z, zo + N, x, xo, y, yo);
    Fp2.set(z, zo, t, 0);
  }

  /** z = x·v. */
  public static void mulByV(long[] z, int zo, long[] x, int xo) {
    long[] t = new long[N];
    Fp2.mulByNonResidue(t, 0, x, xo + 2 * N);
    Fp2.set(z, zo + 2 * N, x, xo + N);
    Fp2.set(z, zo + N, x, xo);
    Fp2.set(z, zo, t, 0);
  }

  /**
   * z = x⁻¹; variable time.
   *
   * @throws ArithmeticException if x = 0
   */
  public static void inv(long[] z, int zo, long[] x, int xo) {
    long[] t = new long[5 * N];
    final int c0 = 0, c1 = N, c2 = 2 * N, q = 3 * N, norm = 4 * N;
    Fp2.square(t, c0, x, xo);
    Fp2.mul(t, q, x, xo + N, x, xo + 2 * N);
    Fp2.mulByNonResidue(t, q, t, q);
    Fp2.sub(t, c0, t, c0, t, q); // x0² − ξ·x1·x2
    Fp2.square(t, c1, x, xo + 2 * N);
    Fp2.mulByNonResidue(t, c1, t, c1);
    Fp2.mul(t, q, x, xo, x, xo + N);
    Fp2.sub(t, c1, t, c1, t, q); // ξ·x2² − x0·x1
    Fp2.square(t, c2, x, xo + N);
    Fp2.mul(t, q, x, xo, x, xo + 2 * N);
    Fp2.sub(t, c2, t, c2, t, q); // x1² − x0·x2
    Fp2.mul(t, norm, x, xo + N, t, c2);
    Fp2.mul(t, q, x, xo + 2 * N, t, c1);
    Fp2.add(t, norm, t, norm, t, q);
    Fp2.mulByNonResidue(t, norm, t, norm);
    Fp2.mul(t, q, x, xo, t, c0);
    Fp2.add(t, norm, t, norm, t, q);
    Fp2.inv(t, norm, t, norm);
    Fp2.mul(z, zo, t, c0, t, norm);
    Fp2.mul(z, zo + N, t, c1, t, norm);
    Fp2.mul(z, zo + 2 * N, t, c2, t, norm);
  }
}
