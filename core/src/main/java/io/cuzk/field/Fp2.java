package io.cuzk.field;

import java.math.BigInteger;

/**
 * The quadratic extension Fp[u]/(u² + 1).
 *
 * <p>Representation: c0 + c1·u as twelve words c0 ‖ c1, each half an {@link Fp}. Conventions as
 * there: result first, operands may alias it, fully reduced. A product allocates a small scratch
 * array; all methods are static and thread-safe.
 */
public final class Fp2 {
  /** 64-bit words of an element. */
  public static final int WORDS = 2 * Fp.WORDS;

  private static final int N = Fp.WORDS;

  /** (p − 3)/4. */
  private static final BigInteger SQRT_EXPONENT =
      Fp.MODULUS.subtract(BigInteger.valueOf(3)).shiftRight(2);

  private static final long[] INVERSE_OF_TWO = inverseOfTwo();

  private Fp2() {}

  private static long[] inverseOfTwo() {
    long[] half = new long[N];
    Fp.fromBigInteger(half, 0, Fp.MODULUS.add(BigInteger.ONE).shiftRight(1));
    return half;
  }

  /** z = x·y (Karatsuba: three products in Fp). */
  public static void mul(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    long[] t = new long[3 * N];
    Fp.add(t, 0, x, xo, x, xo + N);
    Fp.add(t, N, y, yo, y, yo + N);
    Fp.mul(t, 0, t, 0, t, N); // (x0 + x1)(y0 + y1)
    Fp.mul(t, N, x, xo, y, yo);
    Fp.mul(t, 2 * N, x, xo + N, y, yo + N);
    Fp.sub(t, 0, t, 0, t, N);
    Fp.sub(z, zo + N, t, 0, t, 2 * N);
    Fp.sub(z, zo, t, N, t, 2 * N);
  }

  /** z = x² = (x0 + x1)(x0 − x1) + 2·x0·x1·u. */
  public static void square(long[] z, int zo, long[] x, int xo) {
    long[] t = new long[2 * N];
    Fp.add(t, 0, x, xo, x, xo + N);
    Fp.sub(t, N, x, xo, x, xo + N);
    Fp.mul(z, zo + N, x, xo, x, xo + N);
    Fp.dbl(z, zo + N, z, zo + N);
    Fp.mul(z, zo, t, 0, t, N);
  }

  /** z = x·s for s in Fp. */
  public static void mulFp(long[] z, int zo, long[] x, int xo, long[] s, int so) {
    long[] t = new long[N];
    Fp.set(t, 0, s, so);
    Fp.mul(z, zo, x, xo, t, 0);
    Fp.mul(z, zo + N, x, xo + N, t, 0);
  }

  /** z = x·(1 + u), the non-residue ξ that Fp6 is built with. */
  public static void mulByNonResidue(long[] z, int zo, long[] x, int xo) {
    long[] t = new long[N];
    Fp.sub(t, 0, x, xo, x, xo + N);
    Fp.add(z, zo + N, x, xo, x, xo + N);
    Fp.set(z, zo, t, 0);
  }

  /** z = x + y. */
  public static void add(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    Fp.add(z, zo, x, xo, y, yo);
    Fp.add(z, zo + N, x, xo + N, y, yo + N);
  }

  /** z = x − y. */
  public static void sub(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    Fp.sub(z, zo, x, xo, y, yo);
    Fp.sub(z, zo + N, x, xo + N, y, yo + N);
  }

  /** z = 2·x. */
  public static void dbl(long[] z, int zo, long[] x, int xo) {
    Fp.dbl(z, zo, x, xo);
    Fp.dbl(z, zo + N, x, xo + N);
  }

  /** z = −x. */
  public static void neg(long[] z, int zo, long[] x, int xo) {
    Fp.neg(z, zo, x, xo);
    Fp.neg(z, zo + N, x, xo + N);
  }

  /** z = x0 − x1·u = x^p. */
  public static void conjugate(long[] z, int zo, long[] x, int xo) {
    Fp.set(z, zo, x, xo);
    Fp.neg(z, zo + N, x, xo + N);
  }

  /**
   * z = x⁻¹ = (x0 − x1·u)/(x0² + x1²); variable time.
   *
   * @throws ArithmeticException if x = 0
   */
  public static void inv(long[] z, int zo, long[] x, int xo) {
    long[] t = new long[2 * N];
    Fp.square(t, 0, x, xo);
    Fp.square(t, N, x, xo + N);
    Fp.add(t, 0, t, 0, t, N);
    if (Fp.isZero(t, 0)) { // −1 is not a square in Fp
      throw new ArithmeticException("Fp2: zero has no inverse");
    }
    Fp.inv(t, 0, t, 0);
    Fp.mul(z, zo, x, xo, t, 0);
    Fp.neg(t, 0, t, 0);
    Fp.mul(z, zo + N, x, xo + N, t, 0);
  }

  /** z = 0. */
  public static void setZero(long[] z, int zo) {
    for (int i = 0; i < WORDS; i++) {
      z[zo + i] = 0;
    }
  }

  /** z = 1. */
  public static void setOne(long[] z, int zo) {
    Fp.setOne(z, zo);
    Fp.setZero(z, zo + N);
  }

  /** z = x. */
  public static void set(long[] z, int zo, long[] x, int xo) {
    System.arraycopy(x, xo, z, zo, WORDS);
  }

  /** Whether x = 0. */
  public static boolean isZero(long[] x, int xo) {
    return Fp.isZero(x, xo) && Fp.isZero(x, xo + N);
  }

  /** Whether x = 1. */
  public static boolean isOne(long[] x, int xo) {
    return Fp.isOne(x, xo) && Fp.isZero(x, xo + N);
  }

  /** Whether x = y. */
  public static boolean equal(long[] x, int xo, long[] y, int yo) {
    return Fp.equal(x, xo, y, yo) && Fp.equal(x, xo + N, y, yo + N);
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

  /**
   * z = a square root of x; variable time. The other root is its negative. With n² = x0² + x1² and
   * d = (x0 + n)/2 the root is √d + x1/(2√d)·u if d is a square in Fp; else −d is one, and the root
   * is x1/(2√−d) + √−d·u. One power d^((p − 3)/4) gives the square root, its kind and its inverse.
   *
   * @return false, leaving z untouched, if x is not a square
   */
  public static boolean sqrt(long[] z, int zo, long[] x, int xo) {
    long[] t = new long[4 * N];
    final int d = 0, power = N, root = 2 * N, other = 3 * N;
    if (Fp.isZero(x, xo + N)) {
      if (Fp.sqrt(z, zo, x, xo)) {
        Fp.setZero(z, zo + N);
      } else {
        Fp.neg(t, d, x, xo);
        Fp.sqrt(z, zo + N, t, d); // −1 is not a square, so −x0 is
        Fp.setZero(z, zo);
      }
      return true;
    }
    Fp.square(t, d, x, xo);
    Fp.square(t, power, x, xo + N);
    Fp.add(t, d, t, d, t, power);
    if (!Fp.sqrt(t, d, t, d)) {
      return false;
    }
    Fp.add(t, d, t, d, x, xo);
    Fp.mul(t, d, t, d, INVERSE_OF_TWO, 0); // not zero, since n² ≠ x0²
    Fp.pow(t, power, t, d, SQRT_EXPONENT);
    Fp.mul(t, root, t, d, t, power);
    Fp.mul(t, other, t, power, x, xo + N);
    Fp.mul(t, other, t, other, INVERSE_OF_TWO, 0);
    Fp.square(t, power, t, root);
    if (Fp.equal(t, power, t, d)) {
      Fp.set(z, zo, t, root);
      Fp.set(z, zo + N, t, other);
    } else {
      Fp.neg(z, zo, t, other);
      Fp.set(z, zo + N, t, root);
    }
    return true;
  }
}
