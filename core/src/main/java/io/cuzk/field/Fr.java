package io.cuzk.field;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;

/**
 * The scalar field of BLS12-381, integers modulo the group order r (255 bits).
 *
 * <p>Representation: an element is four little-endian 64-bit words of x·2^256 mod r at an offset of
 * a flat {@code long[]}; always fully reduced, so equal elements have equal words. This is blst's
 * own domain. No method allocates unless its doc says otherwise; all are static and thread-safe.
 */
public final class Fr {
  /** 64-bit words of an element. */
  public static final int WORDS = 4;

  /** Bytes of a canonical encoding. */
  public static final int BYTES = 32;

  /** The group order r as an integer. */
  public static final BigInteger MODULUS =
      new BigInteger("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 16);

  private static final long Q0 = 0xffffffff00000001L;
  private static final long Q1 = 0x53bda402fffe5bfeL;
  private static final long Q2 = 0x3339d80809a1d805L;
  private static final long Q3 = 0x73eda753299d7d48L;

  /** The modulus in limbs of 52 bits, for products. */
  private static final long L0 = 0xfffff00000001L;

  private static final long L1 = 0x2fffe5bfefffL;
  private static final long L2 = 0x9a1d80553bda4L;
  private static final long L3 = 0x7d483339d8080L;
  private static final long L4 = 0x73eda753299dL;

  /** The limbs times 2^12, for the high parts of products. */
  private static final long H0 = L0 << 12;

  private static final long H1 = L1 << 12;
  private static final long H2 = L2 << 12;
  private static final long H3 = L3 << 12;
  private static final long H4 = L4 << 12;

  /** Multiples of q in one unit of the top limb, rounded down. */
  private static final double PER_TOP = 1.0 / (L4 + 1);

  private static final long MASK = (1L << 52) - 1;

  /** −modulus⁻¹ mod 2^52. */
  private static final long LIMB_INV = 0xffffeffffffffL;

  /** 2^256 mod the modulus: one. */
  private static final long[] ONE = {
    0x00000001fffffffeL, 0x5884b7fa00034802L, 0x998c4fefecbc4ff5L, 0x1824b159acc5056fL
  };

  /** 2^512 mod the modulus: takes a canonical value to its Montgomery form. */
  private static final long[] R2 = {
    0xc999e990f3f29c6dL, 0x2b6cedcb87925c23L, 0x05d314967254398fL, 0x0748d9d99f59ff11L
  };

  /** 2^768 mod the modulus: takes the inverse of Montgomery words to its Montgomery form. */
  private static final long[] R3 = {
    0xc62c1807439b73afL, 0x1b3e0d188cf06990L, 0x73d13c71c7b5f418L, 0x6e2a5bb9c8db33e9L
  };

  private static final ModularInverse INVERSE = new ModularInverse(MODULUS);

  private static final long[] CANONICAL_ONE = {1L, 0L, 0L, 0L};

  private Fr() {}

  /**
   * z = x·y. Operands may alias the result.
   *
   * <p>Montgomery multiplication by product scanning over 5 limbs of 52 bits, the reduction
   * interleaved. Java has no add-with-carry, and a carry worked out of a comparison costs as much
   * as a product; with 12 spare bits a limb a column is summed without one. The high part of a limb
   * product is ⌊ab/2^52⌋ = ⌊(a·2^12)b/2^64⌋; the low parts are summed modulo 2^64 and freed of what
   * the high parts hold at the end of the column, so neither needs a mask. 5 limbs divide by 2^260
   * and not by 2^256: x is taken 16 times (x < 2^255, so 16x fits).
   */
  public static void mul(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    final long x0 = x[xo];
    final long x1 = x[xo + 1];
    final long x2 = x[xo + 2];
    final long x3 = x[xo + 3];
    final long a0 = x0 << 4 & MASK;
    final long a1 = (x0 >>> 48 | x1 << 16) & MASK;
    final long a2 = (x1 >>> 36 | x2 << 28) & MASK;
    final long a3 = (x2 >>> 24 | x3 << 40) & MASK;
    final long a4 = x3 >>> 12;
    final long y0 = y[yo];
    final long y1 = y[yo + 1];
    final long y2 = y[yo + 2];
    final long y3 = y[yo + 3];
    final long b0 = y0 & MASK;
    final long b1 = (y0 >>> 52 | y1 << 12) & MASK;
    final long b2 = (y1 >>> 40 | y2 << 24) & MASK;
    final long b3 = (y2 >>> 28 | y3 << 36) & MASK;
    final long b4 = y3 >>> 16;
    final long s0 = a0 << 12;
    final long s1 = a1 << 12;
    final long s2 = a2 << 12;
    final long s3 = a3 << 12;
    final long s4 = a4 << 12;
    long lo, hi, carry = 0;
    hi = Math.unsignedMultiplyHigh(s0, b0);
    lo = a0 * b0 + carry - (hi << 52);
    final long m0 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m0, H0) + ((lo + MASK) >>> 52);
    hi =
        Math.unsignedMultiplyHigh(s0, b1)
            + Math.unsignedMultiplyHigh(s1, b0)
            + Math.unsignedMultiplyHigh(m0, H1);
    lo = a0 * b1 + a1 * b0 + m0 * L1 + carry - (hi << 52);
    final long m1 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m1, H0) + ((lo + MASK) >>> 52);
    hi =
        Math.unsignedMultiplyHigh(s0, b2)
            + Math.unsignedMultiplyHigh(s1, b1)
            + Math.unsignedMultiplyHigh(s2, b0)
            + Math.unsignedMultiplyHigh(m0, H2)
            + Math.unsignedMultiplyHigh(m1, H1);
    lo = a0 * b2 + a1 * b1 + a2 * b0 + m0 * L2 + m1 * L1 + carry - (hi << 52);
    final long m2 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m2, H0) + ((lo + MASK) >>> 52);
    hi =
        Math.unsignedMultiplyHigh(s0, b3)
            + Math.unsignedMultiplyHigh(s1, b2)
            + Math.unsignedMultiplyHigh(s2, b1)
            + Math.unsignedMultiplyHigh(s3, b0)
            + Math.unsignedMultiplyHigh(m0, H3)
            + Math.unsignedMultiplyHigh(m1, H2)
            + Math.unsignedMultiplyHigh(m2, H1);
    lo = a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + m0 * L3 + m1 * L2 + m2 * L1 + carry - (hi << 52);
    final long m3 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m3, H0) + ((lo + MASK) >>> 52);
    hi =
        Math.unsignedMultiplyHigh(s0, b4)
            + Math.unsignedMultiplyHigh(s1, b3)
            + Math.unsignedMultiplyHigh(s2, b2)
            + Math.unsignedMultiplyHigh(s3, b1)
            + Math.unsignedMultiplyHigh(s4, b0)
            + Math.unsignedMultiplyHigh(m0, H4)
            + Math.unsignedMultiplyHigh(m1, H3)
            + Math.unsignedMultiplyHigh(m2, H2)
            + Math.unsignedMultiplyHigh(m3, H1);
    lo =
        a0 * b4
            + a1 * b3
            + a2 * b2
            + a3 * b1
            + a4 * b0
            + m0 * L4
            + m1 * L3
            + m2 * L2
            + m3 * L1
            + carry
            - (hi << 52);
    final long m4 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m4, H0) + ((lo + MASK) >>> 52);
    hi =
        Math.unsignedMultiplyHigh(s1, b4)
            + Math.unsignedMultiplyHigh(s2, b3)
            + Math.unsignedMultiplyHigh(s3, b2)
            + Math.unsignedMultiplyHigh(s4, b1)
            + Math.unsignedMultiplyHigh(m1, H4)
            + Math.unsignedMultiplyHigh(m2, H3)
            + Math.unsignedMultiplyHigh(m3, H2)
            + Math.unsignedMultiplyHigh(m4, H1);
    lo =
        a1 * b4
            + a2 * b3
            + a3 * b2
            + a4 * b1
            + m1 * L4
            + m2 * L3
            + m3 * L2
            + m4 * L1
            + carry
            - (hi << 52);
    final long t0 = lo & MASK;
    carry = hi + (lo >>> 52);
    hi =
        Math.unsignedMultiplyHigh(s2, b4)
            + Math.unsignedMultiplyHigh(s3, b3)
            + Math.unsignedMultiplyHigh(s4, b2)
            + Math.unsignedMultiplyHigh(m2, H4)
            + Math.unsignedMultiplyHigh(m3, H3)
            + Math.unsignedMultiplyHigh(m4, H2);
    lo = a2 * b4 + a3 * b3 + a4 * b2 + m2 * L4 + m3 * L3 + m4 * L2 + carry - (hi << 52);
    final long t1 = lo & MASK;
    carry = hi + (lo >>> 52);
    hi =
        Math.unsignedMultiplyHigh(s3, b4)
            + Math.unsignedMultiplyHigh(s4, b3)
            + Math.unsignedMultiplyHigh(m3, H4)
            + Math.unsignedMultiplyHigh(m4, H3);
    lo = a3 * b4 + a4 * b3 + m3 * L4 + m4 * L3 + carry - (hi << 52);
    final long t2 = lo & MASK;
    carry = hi + (lo >>> 52);
    hi = Math.unsignedMultiplyHigh(s4, b4) + Math.unsignedMultiplyHigh(m4, H4);
    lo = a4 * b4 + m4 * L4 + carry - (hi << 52);
    final long t3 = lo & MASK;
    carry = hi + (lo >>> 52);
    storeLimbs(z, zo, t0, t1, t2, t3, carry);
  }

  /** z = x², as {@link #mul} with each mixed product taken once and doubled. */
  public static void square(long[] z, int zo, long[] x, int xo) {
    final long x0 = x[xo];
    final long x1 = x[xo + 1];
    final long x2 = x[xo + 2];
    final long x3 = x[xo + 3];
    final long a0 = x0 & MASK;
    final long a1 = (x0 >>> 52 | x1 << 12) & MASK;
    final long a2 = (x1 >>> 40 | x2 << 24) & MASK;
    final long a3 = (x2 >>> 28 | x3 << 36) & MASK;
    final long a4 = x3 >>> 16;
    final long s0 = a0 << 8;
    final long s1 = a1 << 8;
    final long s2 = a2 << 8;
    final long s3 = a3 << 8;
    final long s4 = a4 << 8;
    long lo, hi, carry = 0;
    hi = Math.unsignedMultiplyHigh(a0 << 8, s0);
    lo = (a0 << 4) * a0 + carry - (hi << 52);
    final long m0 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m0, H0) + ((lo + MASK) >>> 52);
    hi = Math.unsignedMultiplyHigh(a0 << 9, s1) + Math.unsignedMultiplyHigh(m0, H1);
    lo = (a0 << 5) * a1 + m0 * L1 + carry - (hi << 52);
    final long m1 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m1, H0) + ((lo + MASK) >>> 52);
    hi =
        Math.unsignedMultiplyHigh(a0 << 9, s2)
            + Math.unsignedMultiplyHigh(a1 << 8, s1)
            + Math.unsignedMultiplyHigh(m0, H2)
            + Math.unsignedMultiplyHigh(m1, H1);
    lo = (a0 << 5) * a2 + (a1 << 4) * a1 + m0 * L2 + m1 * L1 + carry - (hi << 52);
    final long m2 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m2, H0) + ((lo + MASK) >>> 52);
    hi =
        Math.unsignedMultiplyHigh(a0 << 9, s3)
            + Math.unsignedMultiplyHigh(a1 << 9, s2)
            + Math.unsignedMultiplyHigh(m0, H3)
            + Math.unsignedMultiplyHigh(m1, H2)
            + Math.unsignedMultiplyHigh(m2, H1);
    lo = (a0 << 5) * a3 + (a1 << 5) * a2 + m0 * L3 + m1 * L2 + m2 * L1 + carry - (hi << 52);
    final long m3 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m3, H0) + ((lo + MASK) >>> 52);
    hi =
        Math.unsignedMultiplyHigh(a0 << 9, s4)
            + Math.unsignedMultiplyHigh(a1 << 9, s3)
            + Math.unsignedMultiplyHigh(a2 << 8, s2)
            + Math.unsignedMultiplyHigh(m0, H4)
            + Math.unsignedMultiplyHigh(m1, H3)
            + Math.unsignedMultiplyHigh(m2, H2)
            + Math.unsignedMultiplyHigh(m3, H1);
    lo =
        (a0 << 5) * a4
            + (a1 << 5) * a3
            + (a2 << 4) * a2
            + m0 * L4
            + m1 * L3
            + m2 * L2
            + m3 * L1
            + carry
            - (hi << 52);
    final long m4 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m4, H0) + ((lo + MASK) >>> 52);
    hi =
        Math.unsignedMultiplyHigh(a1 << 9, s4)
            + Math.unsignedMultiplyHigh(a2 << 9, s3)
            + Math.unsignedMultiplyHigh(m1, H4)
            + Math.unsignedMultiplyHigh(m2, H3)
            + Math.unsignedMultiplyHigh(m3, H2)
            + Math.unsignedMultiplyHigh(m4, H1);
    lo =
        (a1 << 5) * a4
            + (a2 << 5) * a3
            + m1 * L4
            + m2 * L3
            + m3 * L2
            + m4 * L1
            + carry
            - (hi << 52);
    final long t0 = lo & MASK;
    carry = hi + (lo >>> 52);
    hi =
        Math.unsignedMultiplyHigh(a2 << 9, s4)
            + Math.unsignedMultiplyHigh(a3 << 8, s3)
            + Math.unsignedMultiplyHigh(m2, H4)
            + Math.unsignedMultiplyHigh(m3, H3)
            + Math.unsignedMultiplyHigh(m4, H2);
    lo = (a2 << 5) * a4 + (a3 << 4) * a3 + m2 * L4 + m3 * L3 + m4 * L2 + carry - (hi << 52);
    final long t1 = lo & MASK;
    carry = hi + (lo >>> 52);
    hi =
        Math.unsignedMultiplyHigh(a3 << 9, s4)
            + Math.unsignedMultiplyHigh(m3, H4)
            + Math.unsignedMultiplyHigh(m4, H3);
    lo = (a3 << 5) * a4 + m3 * L4 + m4 * L3 + carry - (hi << 52);
    final long t2 = lo & MASK;
    carry = hi + (lo >>> 52);
    hi = Math.unsignedMultiplyHigh(a4 << 8, s4) + Math.unsignedMultiplyHigh(m4, H4);
    lo = (a4 << 4) * a4 + m4 * L4 + carry - (hi << 52);
    final long t3 = lo & MASK;
    carry = hi + (lo >>> 52);
    storeLimbs(z, zo, t0, t1, t2, t3, carry);
  }

  /**
   * z = x₀·y₀ + … + x₍ₙ₋₁₎·y₍ₙ₋₁₎, reduced once: about half the work of n products. x's elements
   * stand one after the other, y's {@code step} elements apart. The result may overlap the
   * operands.
   *
   * <p>The columns of {@link #mul} are summed over all products first; they stay below 2^59.
   *
   * @param n 1 to 12
   * @throws IllegalArgumentException if n is out of range
   */
  public static void dot(long[] z, int zo, long[] x, int xo, long[] y, int yo, int step, int n) {
    if (n < 1 || n > 12) {
      throw new IllegalArgumentException("a sum of " + n + " products");
    }
    long c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0, c6 = 0, c7 = 0, c8 = 0, c9 = 0;
    for (int i = 0; i < n; i++) {
      final int xi = xo + i * WORDS;
      final int yi = yo + i * step * WORDS;
      final long x0 = x[xi];
      final long x1 = x[xi + 1];
      final long x2 = x[xi + 2];
      final long x3 = x[xi + 3];
      final long a0 = x0 << 4 & MASK;
      final long a1 = (x0 >>> 48 | x1 << 16) & MASK;
      final long a2 = (x1 >>> 36 | x2 << 28) & MASK;
      final long a3 = (x2 >>> 24 | x3 << 40) & MASK;
      final long a4 = x3 >>> 12;
      final long y0 = y[yi];
      final long y1 = y[yi + 1];
      final long y2 = y[yi + 2];
      final long y3 = y[yi + 3];
      final long b0 = y0 & MASK;
      final long b1 = (y0 >>> 52 | y1 << 12) & MASK;
      final long b2 = (y1 >>> 40 | y2 << 24) & MASK;
      final long b3 = (y2 >>> 28 | y3 << 36) & MASK;
      final long b4 = y3 >>> 16;
      final long s0 = a0 << 12;
      final long s1 = a1 << 12;
      final long s2 = a2 << 12;
      final long s3 = a3 << 12;
      final long s4 = a4 << 12;
      long hi;
      hi = Math.unsignedMultiplyHigh(s0, b0);
      c0 += a0 * b0 - (hi << 52);
      c1 += hi;
      hi = Math.unsignedMultiplyHigh(s0, b1) + Math.unsignedMultiplyHigh(s1, b0);
      c1 += a0 * b1 + a1 * b0 - (hi << 52);
      c2 += hi;
      hi =
          Math.unsignedMultiplyHigh(s0, b2)
              + Math.unsignedMultiplyHigh(s1, b1)
              + Math.unsignedMultiplyHigh(s2, b0);
      c2 += a0 * b2 + a1 * b1 + a2 * b0 - (hi << 52);
      c3 += hi;
      hi =
          Math.unsignedMultiplyHigh(s0, b3)
              + Math.unsignedMultiplyHigh(s1, b2)
              + Math.unsignedMultiplyHigh(s2, b1)
              + Math.unsignedMultiplyHigh(s3, b0);
      c3 += a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 - (hi << 52);
      c4 += hi;
      hi =
          Math.unsignedMultiplyHigh(s0, b4)
              + Math.unsignedMultiplyHigh(s1, b3)
              + Math.unsignedMultiplyHigh(s2, b2)
              + Math.unsignedMultiplyHigh(s3, b1)
              + Math.unsignedMultiplyHigh(s4, b0);
      c4 += a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0 - (hi << 52);
      c5 += hi;
      hi =
          Math.unsignedMultiplyHigh(s1, b4)
              + Math.unsignedMultiplyHigh(s2, b3)
              + Math.unsignedMultiplyHigh(s3, b2)
              + Math.unsignedMultiplyHigh(s4, b1);
      c5 += a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 - (hi << 52);
      c6 += hi;
      hi =
          Math.unsignedMultiplyHigh(s2, b4)
              + Math.unsignedMultiplyHigh(s3, b3)
              + Math.unsignedMultiplyHigh(s4, b2);
      c6 += a2 * b4 + a3 * b3 + a4 * b2 - (hi << 52);
      c7 += hi;
      hi = Math.unsignedMultiplyHigh(s3, b4) + Math.unsignedMultiplyHigh(s4, b3);
      c7 += a3 * b4 + a4 * b3 - (hi << 52);
      c8 += hi;
      hi = Math.unsignedMultiplyHigh(s4, b4);
      c8 += a4 * b4 - (hi << 52);
      c9 += hi;
    }
    long m, h;
    m = c0 * LIMB_INV & MASK;
    h = Math.unsignedMultiplyHigh(m, H0);
    c1 += h + (c0 + m * L0 - (h << 52) >>> 52);
    h = Math.unsignedMultiplyHigh(m, H1);
    c1 += m * L1 - (h << 52);
    c2 += h;
    h = Math.unsignedMultiplyHigh(m, H2);
    c2 += m * L2 - (h << 52);
    c3 += h;
    h = Math.unsignedMultiplyHigh(m, H3);
    c3 += m * L3 - (h << 52);
    c4 += h;
    h = Math.unsignedMultiplyHigh(m, H4);
    c4 += m * L4 - (h << 52);
    c5 += h;
    m = c1 * LIMB_INV & MASK;
    h = Math.unsignedMultiplyHigh(m, H0);
    c2 += h + (c1 + m * L0 - (h << 52) >>> 52);
    h = Math.unsignedMultiplyHigh(m, H1);
    c2 += m * L1 - (h << 52);
    c3 += h;
    h = Math.unsignedMultiplyHigh(m, H2);
    c3 += m * L2 - (h << 52);
    c4 += h;
    h = Math.unsignedMultiplyHigh(m, H3);
    c4 += m * L3 - (h << 52);
    c5 += h;
    h = Math.unsignedMultiplyHigh(m, H4);
    c5 += m * L4 - (h << 52);
    c6 += h;
    m = c2 * LIMB_INV & MASK;
    h = Math.unsignedMultiplyHigh(m, H0);
    c3 += h + (c2 + m * L0 - (h << 52) >>> 52);
    h = Math.unsignedMultiplyHigh(m, H1);
    c3 += m * L1 - (h << 52);
    c4 += h;
    h = Math.unsignedMultiplyHigh(m, H2);
    c4 += m * L2 - (h << 52);
    c5 += h;
    h = Math.unsignedMultiplyHigh(m, H3);
    c5 += m * L3 - (h << 52);
    c6 += h;
    h = Math.unsignedMultiplyHigh(m, H4);
    c6 += m * L4 - (h << 52);
    c7 += h;
    m = c3 * LIMB_INV & MASK;
    h = Math.unsignedMultiplyHigh(m, H0);
    c4 += h + (c3 + m * L0 - (h << 52) >>> 52);
    h = Math.unsignedMultiplyHigh(m, H1);
    c4 += m * L1 - (h << 52);
    c5 += h;
    h = Math.unsignedMultiplyHigh(m, H2);
    c5 += m * L2 - (h << 52);
    c6 += h;
    h = Math.unsignedMultiplyHigh(m, H3);
    c6 += m * L3 - (h << 52);
    c7 += h;
    h = Math.unsignedMultiplyHigh(m, H4);
    c7 += m * L4 - (h << 52);
    c8 += h;
    m = c4 * LIMB_INV & MASK;
    h = Math.unsignedMultiplyHigh(m, H0);
    c5 += h + (c4 + m * L0 - (h << 52) >>> 52);
    h = Math.unsignedMultiplyHigh(m, H1);
    c5 += m * L1 - (h << 52);
    c6 += h;
    h = Math.unsignedMultiplyHigh(m, H2);
    c6 += m * L2 - (h << 52);
    c7 += h;
    h = Math.unsignedMultiplyHigh(m, H3);
    c7 += m * L3 - (h << 52);
    c8 += h;
    h = Math.unsignedMultiplyHigh(m, H4);
    c8 += m * L4 - (h << 52);
    c9 += h;
    // below (0.46n + 1)·q: as many q go as the top limb shows, which leaves less than 2q
    c6 += c5 >> 52;
    c7 += c6 >> 52;
    c8 += c7 >> 52;
    c9 += c8 >> 52;
    final long times = (long) (c9 * PER_TOP);
    c5 = (c5 & MASK) - times * L0;
    c6 = (c6 & MASK) - times * L1 + (c5 >> 52);
    c7 = (c7 & MASK) - times * L2 + (c6 >> 52);
    c8 = (c8 & MASK) - times * L3 + (c7 >> 52);
    c9 += (c8 >> 52) - times * L4;
    storeLimbs(z, zo, c5 & MASK, c6 & MASK, c7 & MASK, c8 & MASK, c9);
  }

  /** Stores t − modulus if t ≥ modulus, else t, for limbs of t < 2·modulus. */
  private static void storeLimbs(long[] z, int zo, long t0, long t1, long t2, long t3, long t4) {
    long d = t0 - L0;
    final long r0 = d & MASK;
    d = t1 - L1 + (d >> 52);
    final long r1 = d & MASK;
    d = t2 - L2 + (d >> 52);
    final long r2 = d & MASK;
    d = t3 - L3 + (d >> 52);
    final long r3 = d & MASK;
    d = t4 - L4 + (d >> 52);
    final long keep = d >> 63; // all ones if t < modulus
    final long u0 = r0 ^ ((t0 ^ r0) & keep);
    final long u1 = r1 ^ ((t1 ^ r1) & keep);
    final long u2 = r2 ^ ((t2 ^ r2) & keep);
    final long u3 = r3 ^ ((t3 ^ r3) & keep);
    final long u4 = d ^ ((t4 ^ d) & keep);
    z[zo] = u0 | u1 << 52;
    z[zo + 1] = u1 >>> 12 | u2 << 40;
    z[zo + 2] = u2 >>> 24 | u3 << 28;
    z[zo + 3] = u3 >>> 36 | u4 << 16;
  }

  /** Stores t − modulus if t ≥ modulus, else t, for t < 2·modulus. */
  private static void store(long[] z, int zo, long t0, long t1, long t2, long t3) {
    long b;
    final long s0 = t0 - Q0;
    b = borrow(t0, Q0, s0);
    final long s1 = t1 - Q1 - b;
    b = borrow(t1, Q1, s1);
    final long s2 = t2 - Q2 - b;
    b = borrow(t2, Q2, s2);
    final long s3 = t3 - Q3 - b;
    b = borrow(t3, Q3, s3);
    final long keep = -b; // all ones if t < modulus
    z[zo] = s0 ^ ((s0 ^ t0) & keep);
    z[zo + 1] = s1 ^ ((s1 ^ t1) & keep);
    z[zo + 2] = s2 ^ ((s2 ^ t2) & keep);
    z[zo + 3] = s3 ^ ((s3 ^ t3) & keep);
  }

  /** z = x + y. */
  public static void add(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    long a, e, c;
    a = x[xo];
    e = y[yo];
    final long t0 = a + e;
    c = carry(a, e, t0);
    a = x[xo + 1];
    e = y[yo + 1];
    final long t1 = a + e + c;
    c = carry(a, e, t1);
    a = x[xo + 2];
    e = y[yo + 2];
    final long t2 = a + e + c;
    c = carry(a, e, t2);
    a = x[xo + 3];
    e = y[yo + 3];
    final long t3 = a + e + c;
    store(z, zo, t0, t1, t2, t3);
  }

  /** z = 2·x. */
  public static void dbl(long[] z, int zo, long[] x, int xo) {
    final long a0 = x[xo];
    final long a1 = x[xo + 1];
    final long a2 = x[xo + 2];
    final long a3 = x[xo + 3];
    store(
        z, zo, a0 << 1, (a1 << 1) | (a0 >>> 63), (a2 << 1) | (a1 >>> 63), (a3 << 1) | (a2 >>> 63));
  }

  /** z = x − y. */
  public static void sub(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    long a, e, b, c;
    a = x[xo];
    e = y[yo];
    final long t0 = a - e;
    b = borrow(a, e, t0);
    a = x[xo + 1];
    e = y[yo + 1];
    final long t1 = a - e - b;
    b = borrow(a, e, t1);
    a = x[xo + 2];
    e = y[yo + 2];
    final long t2 = a - e - b;
    b = borrow(a, e, t2);
    a = x[xo + 3];
    e = y[yo + 3];
    final long t3 = a - e - b;
    b = borrow(a, e, t3);
    final long mask = -b; // add the modulus back after a borrow
    e = Q0 & mask;
    a = t0 + e;
    c = carry(t0, e, a);
    z[zo] = a;
    e = Q1 & mask;
    a = t1 + e + c;
    c = carry(t1, e, a);
    z[zo + 1] = a;
    e = Q2 & mask;
    a = t2 + e + c;
    c = carry(t2, e, a);
    z[zo + 2] = a;
    e = Q3 & mask;
    a = t3 + e + c;
    z[zo + 3] = a;
  }

  /** z = −x. */
  public static void neg(long[] z, int zo, long[] x, int xo) {
    final long a0 = x[xo];
    final long a1 = x[xo + 1];
    final long a2 = x[xo + 2];
    final long a3 = x[xo + 3];
    final long or = a0 | a1 | a2 | a3;
    final long mask = (or | -or) >> 63; // zero for x = 0, all ones else
    long e, b, t;
    e = Q0 & mask;
    t = e - a0;
    b = borrow(e, a0, t);
    z[zo] = t;
    e = Q1 & mask;
    t = e - a1 - b;
    b = borrow(e, a1, t);
    z[zo + 1] = t;
    e = Q2 & mask;
    t = e - a2 - b;
    b = borrow(e, a2, t);
    z[zo + 2] = t;
    e = Q3 & mask;
    t = e - a3 - b;
    z[zo + 3] = t;
  }

  /**
   * The carry out of t = x + y + a carry in; without a branch, since carries are unpredictable: the
   * majority of the top bits of x, y and ¬t.
   */
  private static long carry(long x, long y, long t) {
    return ((x & y) | ((x | y) & ~t)) >>> 63;
  }

  /** The borrow out of t = x − y − a borrow in: the majority of the top bits of ¬x, y and t. */
  private static long borrow(long x, long y, long t) {
    return ((~x & y) | (~(x ^ y) & t)) >>> 63;
  }

  /** z = 0. */
  public static void setZero(long[] z, int zo) {
    for (int i = 0; i < WORDS; i++) {
      z[zo + i] = 0;
    }
  }

  /** z = 1. */
  public static void setOne(long[] z, int zo) {
    System.arraycopy(ONE, 0, z, zo, WORDS);
  }

  /** z = x. */
  public static void set(long[] z, int zo, long[] x, int xo) {
    System.arraycopy(x, xo, z, zo, WORDS);
  }

  /** z = v, {@code v} read as unsigned. */
  public static void setLong(long[] z, int zo, long v) {
    long[] w = new long[WORDS];
    w[0] = v;
    mul(z, zo, w, 0, R2, 0);
  }

  /** Whether x = 0. */
  public static boolean isZero(long[] x, int xo) {
    long or = 0;
    for (int i = 0; i < WORDS; i++) {
      or |= x[xo + i];
    }
    return or == 0;
  }

  /** Whether x = 1. */
  public static boolean isOne(long[] x, int xo) {
    return equal(x, xo, ONE, 0);
  }

  /** Whether x = y. */
  public static boolean equal(long[] x, int xo, long[] y, int yo) {
    long or = 0;
    for (int i = 0; i < WORDS; i++) {
      or |= x[xo + i] ^ y[yo + i];
    }
    return or == 0;
  }

  /** z = Montgomery form of the canonical little-endian words x; x must be below the modulus. */
  public static void fromCanonical(long[] z, int zo, long[] x, int xo) {
    mul(z, zo, x, xo, R2, 0);
  }

  /** z = canonical little-endian words of x. */
  public static void toCanonical(long[] z, int zo, long[] x, int xo) {
    mul(z, zo, x, xo, CANONICAL_ONE, 0);
  }

  /** Whether the little-endian words x are below the modulus. */
  public static boolean isCanonical(long[] x, int xo) {
    for (int i = WORDS - 1; i >= 0; i--) {
      int order = Long.compareUnsigned(x[xo + i], MODULUS_WORDS[i]);
      if (order != 0) {
        return order < 0;
      }
    }
    return false;
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
    long[] acc = ONE.clone();
    for (int i = e.bitLength() - 1; i >= 0; i--) {
      square(acc, 0, acc, 0);
      if (e.testBit(i)) {
        mul(acc, 0, acc, 0, base, 0);
      }
    }
    set(z, zo, acc, 0);
  }

  /**
   * z = x⁻¹; variable time.
   *
   * @throws ArithmeticException if x = 0
   */
  public static void inv(long[] z, int zo, long[] x, int xo) {
    if (isZero(x, xo)) {
      throw new ArithmeticException("Fr: zero has no inverse");
    }
    INVERSE.invert(z, zo, x, xo);
    mul(z, zo, z, zo, R3, 0);
  }

  /** The integer 0 ≤ x < modulus. */
  public static BigInteger toBigInteger(long[] x, int xo) {
    byte[] bytes = new byte[BYTES];
    toBytesBigEndian(bytes, 0, x, xo);
    return new BigInteger(1, bytes);
  }

  /** z = v mod modulus. */
  public static void fromBigInteger(long[] z, int zo, BigInteger v) {
    BigInteger reduced = v.mod(MODULUS);
    long[] w = new long[WORDS];
    for (int i = 0; i < WORDS; i++) {
      w[i] = reduced.shiftRight(64 * i).longValue();
    }
    fromCanonical(z, zo, w, 0);
  }

  /** Writes the {@link #BYTES} bytes of the canonical little-endian encoding. */
  public static void toBytes(byte[] out, int at, long[] x, int xo) {
    long[] w = new long[WORDS];
    toCanonical(w, 0, x, xo);
    for (int i = 0; i < WORDS; i++) {
      LITTLE.set(out, at + 8 * i, w[i]);
    }
  }

  /** Writes the {@link #BYTES} bytes of the canonical big-endian encoding. */
  public static void toBytesBigEndian(byte[] out, int at, long[] x, int xo) {
    long[] w = new long[WORDS];
    toCanonical(w, 0, x, xo);
    for (int i = 0; i < WORDS; i++) {
      BIG.set(out, at + BYTES - 8 * (i + 1), w[i]);
    }
  }

  /**
   * Reads a canonical little-endian encoding.
   *
   * @return false, leaving z untouched, if the value is not below the modulus
   */
  public static boolean fromBytes(long[] z, int zo, byte[] in, int at) {
    long[] w = new long[WORDS];
    for (int i = 0; i < WORDS; i++) {
      w[i] = (long) LITTLE.get(in, at + 8 * i);
    }
    return fromWords(z, zo, w);
  }

  /**
   * Reads a canonical big-endian encoding.
   *
   * @return false, leaving z untouched, if the value is not below the modulus
   */
  public static boolean fromBytesBigEndian(long[] z, int zo, byte[] in, int at) {
    long[] w = new long[WORDS];
    for (int i = 0; i < WORDS; i++) {
      w[i] = (long) BIG.get(in, at + BYTES - 8 * (i + 1));
    }
    return fromWords(z, zo, w);
  }

  private static boolean fromWords(long[] z, int zo, long[] w) {
    if (!isCanonical(w, 0)) {
      return false;
    }
    fromCanonical(z, zo, w, 0);
    return true;
  }

  private static final long[] MODULUS_WORDS = {Q0, Q1, Q2, Q3};
  private static final VarHandle LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BIG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
}
