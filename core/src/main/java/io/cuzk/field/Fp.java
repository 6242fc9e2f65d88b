package io.cuzk.field;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;

/**
 * The base field of BLS12-381, integers modulo the 381-bit prime p.
 *
 * <p>Representation: an element is six little-endian 64-bit words of x·2^384 mod p at an offset of
 * a flat {@code long[]}; always fully reduced, so equal elements have equal words. This is blst's
 * own domain. No method allocates unless its doc says otherwise; all are static and thread-safe.
 */
public final class Fp {
  /** 64-bit words of an element. */
  public static final int WORDS = 6;

  /** Bytes of a canonical encoding. */
  public static final int BYTES = 48;

  /** The prime p as an integer. */
  public static final BigInteger MODULUS =
      new BigInteger(
          "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
          16);

  private static final long Q0 = 0xb9feffffffffaaabL;
  private static final long Q1 = 0x1eabfffeb153ffffL;
  private static final long Q2 = 0x6730d2a0f6b0f624L;
  private static final long Q3 = 0x64774b84f38512bfL;
  private static final long Q4 = 0x4b1ba7b6434bacd7L;
  private static final long Q5 = 0x1a0111ea397fe69aL;

  /** The modulus in limbs of 55 bits, for products. */
  private static final long L0 = 0x7effffffffaaabL;

  private static final long L1 = 0x7ffd62a7ffff73L;
  private static final long L2 = 0x3dac3d8907aafL;
  private static final long L3 = 0x1c2895fb398695L;
  private static final long L4 = 0x3acd764774b84fL;
  private static final long L5 = 0x53496374f6c869L;
  private static final long L6 = 0x680447a8e5ff9L;

  /** The limbs times 2^9, for the high parts of products. */
  private static final long H0 = L0 << 9;

  private static final long H1 = L1 << 9;
  private static final long H2 = L2 << 9;
  private static final long H3 = L3 << 9;
  private static final long H4 = L4 << 9;
  private static final long H5 = L5 << 9;
  private static final long H6 = L6 << 9;

  private static final long MASK = (1L << 55) - 1;

  /** −modulus⁻¹ mod 2^55. */
  private static final long LIMB_INV = 0x73fffcfffcfffdL;

  /** 2^384 mod the modulus: one. */
  private static final long[] ONE = {
    0x760900000002fffdL,
    0xebf4000bc40c0002L,
    0x5f48985753c758baL,
    0x77ce585370525745L,
    0x5c071a97a256ec6dL,
    0x15f65ec3fa80e493L
  };

  /** 2^768 mod the modulus: takes a canonical value to its Montgomery form. */
  private static final long[] R2 = {
    0xf4df1f341c341746L,
    0x0a76e6a609d104f1L,
    0x8de5476c4c95b6d5L,
    0x67eb88a9939d83c0L,
    0x9a793e85b519952dL,
    0x11988fe592cae3aaL
  };

  private static final BigInteger SQRT_EXPONENT = MODULUS.add(BigInteger.ONE).shiftRight(2);

  /** 2^1152 mod the modulus: takes the inverse of Montgomery words to its Montgomery form. */
  private static final long[] R3 = {
    0xed48ac6bd94ca1e0L,
    0x315f831e03a7adf8L,
    0x9a53352a615e29ddL,
    0x34c04e5e921e1761L,
    0x2512d43565724728L,
    0x0aa6346091755d4dL
  };

  private static final ModularInverse INVERSE = new ModularInverse(MODULUS);

  private static final long[] CANONICAL_ONE = {1L, 0L, 0L, 0L, 0L, 0L};

  private Fp() {}

  /**
   * z = x·y. Operands may alias the result.
   *
   * <p>Montgomery multiplication by product scanning over 7 limbs of 55 bits, the reduction
   * interleaved. Java has no add-with-carry, and a carry worked out of a comparison costs as much
   * as a product; with 9 spare bits a limb a column is summed without one. The high part of a limb
   * product is ⌊ab/2^55⌋ = ⌊(a·2^9)b/2^64⌋; the low parts are summed modulo 2^64 and freed of what
   * the high parts hold at the end of the column, so neither needs a mask. 7 limbs divide by 2^385
   * and not by 2^384: x is taken 2 times (x < 2^381, so 2x fits).
   */
  public static void mul(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    final long x0 = x[xo];
    final long x1 = x[xo + 1];
    final long x2 = x[xo + 2];
    final long x3 = x[xo + 3];
    final long x4 = x[xo + 4];
    final long x5 = x[xo + 5];
    final long a0 = x0 << 1 & MASK;
    final long a1 = (x0 >>> 54 | x1 << 10) & MASK;
    final long a2 = (x1 >>> 45 | x2 << 19) & MASK;
    final long a3 = (x2 >>> 36 | x3 << 28) & MASK;
    final long a4 = (x3 >>> 27 | x4 << 37) & MASK;
    final long a5 = (x4 >>> 18 | x5 << 46) & MASK;
    final long a6 = x5 >>> 9;
    final long y0 = y[yo];
    final long y1 = y[yo + 1];
    final long y2 = y[yo + 2];
    final long y3 = y[yo + 3];
    final long y4 = y[yo + 4];
    final long y5 = y[yo + 5];
    final long b0 = y0 & MASK;
    final long b1 = (y0 >>> 55 | y1 << 9) & MASK;
    final long b2 = (y1 >>> 46 | y2 << 18) & MASK;
    final long b3 = (y2 >>> 37 | y3 << 27) & MASK;
    final long b4 = (y3 >>> 28 | y4 << 36) & MASK;
    final long b5 = (y4 >>> 19 | y5 << 45) & MASK;
    final long b6 = y5 >>> 10;
    final long s0 = a0 << 9;
    final long s1 = a1 << 9;
    final long s2 = a2 << 9;
    final long s3 = a3 << 9;
    final long s4 = a4 << 9;
    final long s5 = a5 << 9;
    final long s6 = a6 << 9;
    long lo, hi, carry = 0;
    hi = Math.unsignedMultiplyHigh(s0, b0);
    lo = a0 * b0 + carry - (hi << 55);
    final long m0 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m0, H0) + ((lo + MASK) >>> 55);
    hi =
        Math.unsignedMultiplyHigh(s0, b1)
            + Math.unsignedMultiplyHigh(s1, b0)
            + Math.unsignedMultiplyHigh(m0, H1);
    lo = a0 * b1 + a1 * b0 + m0 * L1 + carry - (hi << 55);
    final long m1 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m1, H0) + ((lo + MASK) >>> 55);
    hi =
        Math.unsignedMultiplyHigh(s0, b2)
            + Math.unsignedMultiplyHigh(s1, b1)
            + Math.unsignedMultiplyHigh(s2, b0)
            + Math.unsignedMultiplyHigh(m0, H2)
            + Math.unsignedMultiplyHigh(m1, H1);
    lo = a0 * b2 + a1 * b1 + a2 * b0 + m0 * L2 + m1 * L1 + carry - (hi << 55);
    final long m2 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m2, H0) + ((lo + MASK) >>> 55);
    hi =
        Math.unsignedMultiplyHigh(s0, b3)
            + Math.unsignedMultiplyHigh(s1, b2)
            + Math.unsignedMultiplyHigh(s2, b1)
            + Math.unsignedMultiplyHigh(s3, b0)
            + Math.unsignedMultiplyHigh(m0, H3)
            + Math.unsignedMultiplyHigh(m1, H2)
            + Math.unsignedMultiplyHigh(m2, H1);
    lo = a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + m0 * L3 + m1 * L2 + m2 * L1 + carry - (hi << 55);
    final long m3 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m3, H0) + ((lo + MASK) >>> 55);
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
            - (hi << 55);
    final long m4 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m4, H0) + ((lo + MASK) >>> 55);
    hi =
        Math.unsignedMultiplyHigh(s0, b5)
            + Math.unsignedMultiplyHigh(s1, b4)
            + Math.unsignedMultiplyHigh(s2, b3)
            + Math.unsignedMultiplyHigh(s3, b2)
            + Math.unsignedMultiplyHigh(s4, b1)
            + Math.unsignedMultiplyHigh(s5, b0)
            + Math.unsignedMultiplyHigh(m0, H5)
            + Math.unsignedMultiplyHigh(m1, H4)
            + Math.unsignedMultiplyHigh(m2, H3)
            + Math.unsignedMultiplyHigh(m3, H2)
            + Math.unsignedMultiplyHigh(m4, H1);
    lo =
        a0 * b5
            + a1 * b4
            + a2 * b3
            + a3 * b2
            + a4 * b1
            + a5 * b0
            + m0 * L5
            + m1 * L4
            + m2 * L3
            + m3 * L2
            + m4 * L1
            + carry
            - (hi << 55);
    final long m5 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m5, H0) + ((lo + MASK) >>> 55);
    hi =
        Math.unsignedMultiplyHigh(s0, b6)
            + Math.unsignedMultiplyHigh(s1, b5)
            + Math.unsignedMultiplyHigh(s2, b4)
            + Math.unsignedMultiplyHigh(s3, b3)
            + Math.unsignedMultiplyHigh(s4, b2)
            + Math.unsignedMultiplyHigh(s5, b1)
            + Math.unsignedMultiplyHigh(s6, b0)
            + Math.unsignedMultiplyHigh(m0, H6)
            + Math.unsignedMultiplyHigh(m1, H5)
            + Math.unsignedMultiplyHigh(m2, H4)
            + Math.unsignedMultiplyHigh(m3, H3)
            + Math.unsignedMultiplyHigh(m4, H2)
            + Math.unsignedMultiplyHigh(m5, H1);
    lo =
        a0 * b6
            + a1 * b5
            + a2 * b4
            + a3 * b3
            + a4 * b2
            + a5 * b1
            + a6 * b0
            + m0 * L6
            + m1 * L5
            + m2 * L4
            + m3 * L3
            + m4 * L2
            + m5 * L1
            + carry
            - (hi << 55);
    final long m6 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m6, H0) + ((lo + MASK) >>> 55);
    hi =
        Math.unsignedMultiplyHigh(s1, b6)
            + Math.unsignedMultiplyHigh(s2, b5)
            + Math.unsignedMultiplyHigh(s3, b4)
            + Math.unsignedMultiplyHigh(s4, b3)
            + Math.unsignedMultiplyHigh(s5, b2)
            + Math.unsignedMultiplyHigh(s6, b1)
            + Math.unsignedMultiplyHigh(m1, H6)
            + Math.unsignedMultiplyHigh(m2, H5)
            + Math.unsignedMultiplyHigh(m3, H4)
            + Math.unsignedMultiplyHigh(m4, H3)
            + Math.unsignedMultiplyHigh(m5, H2)
            + Math.unsignedMultiplyHigh(m6, H1);
    lo =
        a1 * b6
            + a2 * b5
            + a3 * b4
            + a4 * b3
            + a5 * b2
            + a6 * b1
            + m1 * L6
            + m2 * L5
            + m3 * L4
            + m4 * L3
            + m5 * L2
            + m6 * L1
            + carry
            - (hi << 55);
    final long t0 = lo & MASK;
    carry = hi + (lo >>> 55);
    hi =
        Math.unsignedMultiplyHigh(s2, b6)
            + Math.unsignedMultiplyHigh(s3, b5)
            + Math.unsignedMultiplyHigh(s4, b4)
            + Math.unsignedMultiplyHigh(s5, b3)
            + Math.unsignedMultiplyHigh(s6, b2)
            + Math.unsignedMultiplyHigh(m2, H6)
            + Math.unsignedMultiplyHigh(m3, H5)
            + Math.unsignedMultiplyHigh(m4, H4)
            + Math.unsignedMultiplyHigh(m5, H3)
            + Math.unsignedMultiplyHigh(m6, H2);
    lo =
        a2 * b6
            + a3 * b5
            + a4 * b4
            + a5 * b3
            + a6 * b2
            + m2 * L6
            + m3 * L5
            + m4 * L4
            + m5 * L3
            + m6 * L2
            + carry
            - (hi << 55);
    final long t1 = lo & MASK;
    carry = hi + (lo >>> 55);
    hi =
        Math.unsignedMultiplyHigh(s3, b6)
            + Math.unsignedMultiplyHigh(s4, b5)
            + Math.unsignedMultiplyHigh(s5, b4)
            + Math.unsignedMultiplyHigh(s6, b3)
            + Math.unsignedMultiplyHigh(m3, H6)
            + Math.unsignedMultiplyHigh(m4, H5)
            + Math.unsignedMultiplyHigh(m5, H4)
            + Math.unsignedMultiplyHigh(m6, H3);
    lo =
        a3 * b6
            + a4 * b5
            + a5 * b4
            + a6 * b3
            + m3 * L6
            + m4 * L5
            + m5 * L4
            + m6 * L3
            + carry
            - (hi << 55);
    final long t2 = lo & MASK;
    carry = hi + (lo >>> 55);
    hi =
        Math.unsignedMultiplyHigh(s4, b6)
            + Math.unsignedMultiplyHigh(s5, b5)
            + Math.unsignedMultiplyHigh(s6, b4)
            + Math.unsignedMultiplyHigh(m4, H6)
            + Math.unsignedMultiplyHigh(m5, H5)
            + Math.unsignedMultiplyHigh(m6, H4);
    lo = a4 * b6 + a5 * b5 + a6 * b4 + m4 * L6 + m5 * L5 + m6 * L4 + carry - (hi << 55);
    final long t3 = lo & MASK;
    carry = hi + (lo >>> 55);
    hi =
        Math.unsignedMultiplyHigh(s5, b6)
            + Math.unsignedMultiplyHigh(s6, b5)
            + Math.unsignedMultiplyHigh(m5, H6)
            + Math.unsignedMultiplyHigh(m6, H5);
    lo = a5 * b6 + a6 * b5 + m5 * L6 + m6 * L5 + carry - (hi << 55);
    final long t4 = lo & MASK;
    carry = hi + (lo >>> 55);
    hi = Math.unsignedMultiplyHigh(s6, b6) + Math.unsignedMultiplyHigh(m6, H6);
    lo = a6 * b6 + m6 * L6 + carry - (hi << 55);
    final long t5 = lo & MASK;
    carry = hi + (lo >>> 55);
    storeLimbs(z, zo, t0, t1, t2, t3, t4, t5, carry);
  }

  /** z = x², as {@link #mul} with each mixed product taken once and doubled. */
  public static void square(long[] z, int zo, long[] x, int xo) {
    final long x0 = x[xo];
    final long x1 = x[xo + 1];
    final long x2 = x[xo + 2];
    final long x3 = x[xo + 3];
    final long x4 = x[xo + 4];
    final long x5 = x[xo + 5];
    final long a0 = x0 & MASK;
    final long a1 = (x0 >>> 55 | x1 << 9) & MASK;
    final long a2 = (x1 >>> 46 | x2 << 18) & MASK;
    final long a3 = (x2 >>> 37 | x3 << 27) & MASK;
    final long a4 = (x3 >>> 28 | x4 << 36) & MASK;
    final long a5 = (x4 >>> 19 | x5 << 45) & MASK;
    final long a6 = x5 >>> 10;
    final long s0 = a0 << 5;
    final long s1 = a1 << 5;
    final long s2 = a2 << 5;
    final long s3 = a3 << 5;
    final long s4 = a4 << 5;
    final long s5 = a5 << 5;
    final long s6 = a6 << 5;
    long lo, hi, carry = 0;
    hi = Math.unsignedMultiplyHigh(a0 << 5, s0);
    lo = (a0 << 1) * a0 + carry - (hi << 55);
    final long m0 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m0, H0) + ((lo + MASK) >>> 55);
    hi = Math.unsignedMultiplyHigh(a0 << 6, s1) + Math.unsignedMultiplyHigh(m0, H1);
    lo = (a0 << 2) * a1 + m0 * L1 + carry - (hi << 55);
    final long m1 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m1, H0) + ((lo + MASK) >>> 55);
    hi =
        Math.unsignedMultiplyHigh(a0 << 6, s2)
            + Math.unsignedMultiplyHigh(a1 << 5, s1)
            + Math.unsignedMultiplyHigh(m0, H2)
            + Math.unsignedMultiplyHigh(m1, H1);
    lo = (a0 << 2) * a2 + (a1 << 1) * a1 + m0 * L2 + m1 * L1 + carry - (hi << 55);
    final long m2 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m2, H0) + ((lo + MASK) >>> 55);
    hi =
        Math.unsignedMultiplyHigh(a0 << 6, s3)
            + Math.unsignedMultiplyHigh(a1 << 6, s2)
            + Math.unsignedMultiplyHigh(m0, H3)
            + Math.unsignedMultiplyHigh(m1, H2)
            + Math.unsignedMultiplyHigh(m2, H1);
    lo = (a0 << 2) * a3 + (a1 << 2) * a2 + m0 * L3 + m1 * L2 + m2 * L1 + carry - (hi << 55);
    final long m3 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m3, H0) + ((lo + MASK) >>> 55);
    hi =
        Math.unsignedMultiplyHigh(a0 << 6, s4)
            + Math.unsignedMultiplyHigh(a1 << 6, s3)
            + Math.unsignedMultiplyHigh(a2 << 5, s2)
            + Math.unsignedMultiplyHigh(m0, H4)
            + Math.unsignedMultiplyHigh(m1, H3)
            + Math.unsignedMultiplyHigh(m2, H2)
            + Math.unsignedMultiplyHigh(m3, H1);
    lo =
        (a0 << 2) * a4
            + (a1 << 2) * a3
            + (a2 << 1) * a2
            + m0 * L4
            + m1 * L3
            + m2 * L2
            + m3 * L1
            + carry
            - (hi << 55);
    final long m4 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m4, H0) + ((lo + MASK) >>> 55);
    hi =
        Math.unsignedMultiplyHigh(a0 << 6, s5)
            + Math.unsignedMultiplyHigh(a1 << 6, s4)
            + Math.unsignedMultiplyHigh(a2 << 6, s3)
            + Math.unsignedMultiplyHigh(m0, H5)
            + Math.unsignedMultiplyHigh(m1, H4)
            + Math.unsignedMultiplyHigh(m2, H3)
            + Math.unsignedMultiplyHigh(m3, H2)
            + Math.unsignedMultiplyHigh(m4, H1);
    lo =
        (a0 << 2) * a5
            + (a1 << 2) * a4
            + (a2 << 2) * a3
            + m0 * L5
            + m1 * L4
            + m2 * L3
            + m3 * L2
            + m4 * L1
            + carry
            - (hi << 55);
    final long m5 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m5, H0) + ((lo + MASK) >>> 55);
    hi =
        Math.unsignedMultiplyHigh(a0 << 6, s6)
            + Math.unsignedMultiplyHigh(a1 << 6, s5)
            + Math.unsignedMultiplyHigh(a2 << 6, s4)
            + Math.unsignedMultiplyHigh(a3 << 5, s3)
            + Math.unsignedMultiplyHigh(m0, H6)
            + Math.unsignedMultiplyHigh(m1, H5)
            + Math.unsignedMultiplyHigh(m2, H4)
            + Math.unsignedMultiplyHigh(m3, H3)
            + Math.unsignedMultiplyHigh(m4, H2)
            + Math.unsignedMultiplyHigh(m5, H1);
    lo =
        (a0 << 2) * a6
            + (a1 << 2) * a5
            + (a2 << 2) * a4
            + (a3 << 1) * a3
            + m0 * L6
            + m1 * L5
            + m2 * L4
            + m3 * L3
            + m4 * L2
            + m5 * L1
            + carry
            - (hi << 55);
    final long m6 = lo * LIMB_INV & MASK;
    carry = hi + Math.unsignedMultiplyHigh(m6, H0) + ((lo + MASK) >>> 55);
    hi =
        Math.unsignedMultiplyHigh(a1 << 6, s6)
            + Math.unsignedMultiplyHigh(a2 << 6, s5)
            + Math.unsignedMultiplyHigh(a3 << 6, s4)
            + Math.unsignedMultiplyHigh(m1, H6)
            + Math.unsignedMultiplyHigh(m2, H5)
            + Math.unsignedMultiplyHigh(m3, H4)
            + Math.unsignedMultiplyHigh(m4, H3)
            + Math.unsignedMultiplyHigh(m5, H2)
            + Math.unsignedMultiplyHigh(m6, H1);
    lo =
        (a1 << 2) * a6
            + (a2 << 2) * a5
            + (a3 << 2) * a4
            + m1 * L6
            + m2 * L5
            + m3 * L4
            + m4 * L3
            + m5 * L2
            + m6 * L1
            + carry
            - (hi << 55);
    final long t0 = lo & MASK;
    carry = hi + (lo >>> 55);
    hi =
        Math.unsignedMultiplyHigh(a2 << 6, s6)
            + Math.unsignedMultiplyHigh(a3 << 6, s5)
            + Math.unsignedMultiplyHigh(a4 << 5, s4)
            + Math.unsignedMultiplyHigh(m2, H6)
            + Math.unsignedMultiplyHigh(m3, H5)
            + Math.unsignedMultiplyHigh(m4, H4)
            + Math.unsignedMultiplyHigh(m5, H3)
            + Math.unsignedMultiplyHigh(m6, H2);
    lo =
        (a2 << 2) * a6
            + (a3 << 2) * a5
            + (a4 << 1) * a4
            + m2 * L6
            + m3 * L5
            + m4 * L4
            + m5 * L3
            + m6 * L2
            + carry
            - (hi << 55);
    final long t1 = lo & MASK;
    carry = hi + (lo >>> 55);
    hi =
        Math.unsignedMultiplyHigh(a3 << 6, s6)
            + Math.unsignedMultiplyHigh(a4 << 6, s5)
            + Math.unsignedMultiplyHigh(m3, H6)
            + Math.unsignedMultiplyHigh(m4, H5)
            + Math.unsignedMultiplyHigh(m5, H4)
            + Math.unsignedMultiplyHigh(m6, H3);
    lo =
        (a3 << 2) * a6
            + (a4 << 2) * a5
            + m3 * L6
            + m4 * L5
            + m5 * L4
            + m6 * L3
            + carry
            - (hi << 55);
    final long t2 = lo & MASK;
    carry = hi + (lo >>> 55);
    hi =
        Math.unsignedMultiplyHigh(a4 << 6, s6)
            + Math.unsignedMultiplyHigh(a5 << 5, s5)
            + Math.unsignedMultiplyHigh(m4, H6)
            + Math.unsignedMultiplyHigh(m5, H5)
            + Math.unsignedMultiplyHigh(m6, H4);
    lo = (a4 << 2) * a6 + (a5 << 1) * a5 + m4 * L6 + m5 * L5 + m6 * L4 + carry - (hi << 55);
    final long t3 = lo & MASK;
    carry = hi + (lo >>> 55);
    hi =
        Math.unsignedMultiplyHigh(a5 << 6, s6)
            + Math.unsignedMultiplyHigh(m5, H6)
            + Math.unsignedMultiplyHigh(m6, H5);
    lo = (a5 << 2) * a6 + m5 * L6 + m6 * L5 + carry - (hi << 55);
    final long t4 = lo & MASK;
    carry = hi + (lo >>> 55);
    hi = Math.unsignedMultiplyHigh(a6 << 5, s6) + Math.unsignedMultiplyHigh(m6, H6);
    lo = (a6 << 1) * a6 + m6 * L6 + carry - (hi << 55);
    final long t5 = lo & MASK;
    carry = hi + (lo >>> 55);
    storeLimbs(z, zo, t0, t1, t2, t3, t4, t5, carry);
  }

  /** Stores t − modulus if t ≥ modulus, else t, for limbs of t < 2·modulus. */
  private static void storeLimbs(
      long[] z, int zo, long t0, long t1, long t2, long t3, long t4, long t5, long t6) {
    long d = t0 - L0;
    final long r0 = d & MASK;
    d = t1 - L1 + (d >> 55);
    final long r1 = d & MASK;
    d = t2 - L2 + (d >> 55);
    final long r2 = d & MASK;
    d = t3 - L3 + (d >> 55);
    final long r3 = d & MASK;
    d = t4 - L4 + (d >> 55);
    final long r4 = d & MASK;
    d = t5 - L5 + (d >> 55);
    final long r5 = d & MASK;
    d = t6 - L6 + (d >> 55);
    final long keep = d >> 63; // all ones if t < modulus
    final long u0 = r0 ^ ((t0 ^ r0) & keep);
    final long u1 = r1 ^ ((t1 ^ r1) & keep);
    final long u2 = r2 ^ ((t2 ^ r2) & keep);
    final long u3 = r3 ^ ((t3 ^ r3) & keep);
    final long u4 = r4 ^ ((t4 ^ r4) & keep);
    final long u5 = r5 ^ ((t5 ^ r5) & keep);
    final long u6 = d ^ ((t6 ^ d) & keep);
    z[zo] = u0 | u1 << 55;
    z[zo + 1] = u1 >>> 9 | u2 << 46;
    z[zo + 2] = u2 >>> 18 | u3 << 37;
    z[zo + 3] = u3 >>> 27 | u4 << 28;
    z[zo + 4] = u4 >>> 36 | u5 << 19;
    z[zo + 5] = u5 >>> 45 | u6 << 10;
  }

  /** Stores t − modulus if t ≥ modulus, else t, for t < 2·modulus. */
  private static void store(
      long[] z, int zo, long t0, long t1, long t2, long t3, long t4, long t5) {
    long b;
    final long s0 = t0 - Q0;
    b = borrow(t0, Q0, s0);
    final long s1 = t1 - Q1 - b;
    b = borrow(t1, Q1, s1);
    final long s2 = t2 - Q2 - b;
    b = borrow(t2, Q2, s2);
    final long s3 = t3 - Q3 - b;
    b = borrow(t3, Q3, s3);
    final long s4 = t4 - Q4 - b;
    b = borrow(t4, Q4, s4);
    final long s5 = t5 - Q5 - b;
    b = borrow(t5, Q5, s5);
    final long keep = -b; // all ones if t < modulus
    z[zo] = s0 ^ ((s0 ^ t0) & keep);
    z[zo + 1] = s1 ^ ((s1 ^ t1) & keep);
    z[zo + 2] = s2 ^ ((s2 ^ t2) & keep);
    z[zo + 3] = s3 ^ ((s3 ^ t3) & keep);
    z[zo + 4] = s4 ^ ((s4 ^ t4) & keep);
    z[zo + 5] = s5 ^ ((s5 ^ t5) & keep);
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
    c = carry(a, e, t3);
    a = x[xo + 4];
    e = y[yo + 4];
    final long t4 = a + e + c;
    c = carry(a, e, t4);
    a = x[xo + 5];
    e = y[yo + 5];
    final long t5 = a + e + c;
    store(z, zo, t0, t1, t2, t3, t4, t5);
  }

  /** z = 2·x. */
  public static void dbl(long[] z, int zo, long[] x, int xo) {
    final long a0 = x[xo];
    final long a1 = x[xo + 1];
    final long a2 = x[xo + 2];
    final long a3 = x[xo + 3];
    final long a4 = x[xo + 4];
    final long a5 = x[xo + 5];
    store(
        z,
        zo,
        a0 << 1,
        (a1 << 1) | (a0 >>> 63),
        (a2 << 1) | (a1 >>> 63),
        (a3 << 1) | (a2 >>> 63),
        (a4 << 1) | (a3 >>> 63),
        (a5 << 1) | (a4 >>> 63));
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
    a = x[xo + 4];
    e = y[yo + 4];
    final long t4 = a - e - b;
    b = borrow(a, e, t4);
    a = x[xo + 5];
    e = y[yo + 5];
    final long t5 = a - e - b;
    b = borrow(a, e, t5);
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
    c = carry(t3, e, a);
    z[zo + 3] = a;
    e = Q4 & mask;
    a = t4 + e + c;
    c = carry(t4, e, a);
    z[zo + 4] = a;
    e = Q5 & mask;
    a = t5 + e + c;
    z[zo + 5] = a;
  }

  /** z = −x. */
  public static void neg(long[] z, int zo, long[] x, int xo) {
    final long a0 = x[xo];
    final long a1 = x[xo + 1];
    final long a2 = x[xo + 2];
    final long a3 = x[xo + 3];
    final long a4 = x[xo + 4];
    final long a5 = x[xo + 5];
    final long or = a0 | a1 | a2 | a3 | a4 | a5;
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
    b = borrow(e, a3, t);
    z[zo + 3] = t;
    e = Q4 & mask;
    t = e - a4 - b;
    b = borrow(e, a4, t);
    z[zo + 4] = t;
    e = Q5 & mask;
    t = e - a5 - b;
    z[zo + 5] = t;
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
      throw new ArithmeticException("Fp: zero has no inverse");
    }
    INVERSE.invert(z, zo, x, xo);
    mul(z, zo, z, zo, R3, 0);
  }

  /**
   * z = x^((p + 1)/4), a square root of x if it has one (p ≡ 3 mod 4); variable time. The other
   * root is its negative.
   *
   * @return false, leaving z untouched, if x is not a square
   */
  public static boolean sqrt(long[] z, int zo, long[] x, int xo) {
    long[] root = new long[WORDS];
    long[] check = new long[WORDS];
    pow(root, 0, x, xo, SQRT_EXPONENT);
    square(check, 0, root, 0);
    if (!equal(check, 0, x, xo)) {
      return false;
    }
    set(z, zo, root, 0);
    return true;
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

  private static final long[] MODULUS_WORDS = {Q0, Q1, Q2, Q3, Q4, Q5};
  private static final VarHandle LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BIG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
}
