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

  /** −modulus⁻¹ mod 2^64. */
  private static final long INV = 0x89f3fffcfffcfffdL;

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

  private static final long[] CANONICAL_ONE = {1L, 0L, 0L, 0L, 0L, 0L};

  private Fp() {}

  /**
   * z = x·y. CIOS Montgomery multiplication without the extra carry word (the modulus leaves the
   * top bit of the last word free; Acar, 1996). Operands may alias the result.
   */
  public static void mul(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    final long x0 = x[xo];
    final long x1 = x[xo + 1];
    final long x2 = x[xo + 2];
    final long x3 = x[xo + 3];
    final long x4 = x[xo + 4];
    final long x5 = x[xo + 5];
    long t0 = 0, t1 = 0, t2 = 0, t3 = 0, t4 = 0, t5 = 0;
    long carry, reduce, lo, hi, m, v;
    for (int i = 0; i < 6; i++) {
      v = y[yo + i];
      lo = x0 * v;
      hi = Math.unsignedMultiplyHigh(x0, v);
      t0 += lo;
      carry = hi + less(t0, lo);
      m = t0 * INV;
      lo = m * Q0;
      reduce = Math.unsignedMultiplyHigh(m, Q0) + ((t0 | -t0) >>> 63); // t0 + lo ≡ 0 (mod 2^64)
      lo = x1 * v;
      hi = Math.unsignedMultiplyHigh(x1, v);
      lo += carry;
      hi += less(lo, carry);
      t1 += lo;
      carry = hi + less(t1, lo);
      lo = m * Q1;
      hi = Math.unsignedMultiplyHigh(m, Q1);
      lo += reduce;
      hi += less(lo, reduce);
      t0 = t1 + lo;
      reduce = hi + less(t0, lo);
      lo = x2 * v;
      hi = Math.unsignedMultiplyHigh(x2, v);
      lo += carry;
      hi += less(lo, carry);
      t2 += lo;
      carry = hi + less(t2, lo);
      lo = m * Q2;
      hi = Math.unsignedMultiplyHigh(m, Q2);
      lo += reduce;
      hi += less(lo, reduce);
      t1 = t2 + lo;
      reduce = hi + less(t1, lo);
      lo = x3 * v;
      hi = Math.unsignedMultiplyHigh(x3, v);
      lo += carry;
      hi += less(lo, carry);
      t3 += lo;
      carry = hi + less(t3, lo);
      lo = m * Q3;
      hi = Math.unsignedMultiplyHigh(m, Q3);
      lo += reduce;
      hi += less(lo, reduce);
      t2 = t3 + lo;
      reduce = hi + less(t2, lo);
      lo = x4 * v;
      hi = Math.unsignedMultiplyHigh(x4, v);
      lo += carry;
      hi += less(lo, carry);
      t4 += lo;
      carry = hi + less(t4, lo);
      lo = m * Q4;
      hi = Math.unsignedMultiplyHigh(m, Q4);
      lo += reduce;
      hi += less(lo, reduce);
      t3 = t4 + lo;
      reduce = hi + less(t3, lo);
      lo = x5 * v;
      hi = Math.unsignedMultiplyHigh(x5, v);
      lo += carry;
      hi += less(lo, carry);
      t5 += lo;
      carry = hi + less(t5, lo);
      lo = m * Q5;
      hi = Math.unsignedMultiplyHigh(m, Q5);
      lo += reduce;
      hi += less(lo, reduce);
      t4 = t5 + lo;
      reduce = hi + less(t4, lo);
      t5 = reduce + carry;
    }
    store(z, zo, t0, t1, t2, t3, t4, t5);
  }

  /** z = x². */
  public static void square(long[] z, int zo, long[] x, int xo) {
    mul(z, zo, x, xo, x, xo);
  }

  /** Stores t − modulus if t ≥ modulus, else t, for t < 2·modulus. */
  private static void store(
      long[] z, int zo, long t0, long t1, long t2, long t3, long t4, long t5) {
    long b, c, d;
    final long s0 = t0 - Q0;
    b = less(t0, Q0);
    d = t1 - Q1;
    c = less(t1, Q1);
    final long s1 = d - b;
    b = c | less(d, b);
    d = t2 - Q2;
    c = less(t2, Q2);
    final long s2 = d - b;
    b = c | less(d, b);
    d = t3 - Q3;
    c = less(t3, Q3);
    final long s3 = d - b;
    b = c | less(d, b);
    d = t4 - Q4;
    c = less(t4, Q4);
    final long s4 = d - b;
    b = c | less(d, b);
    d = t5 - Q5;
    c = less(t5, Q5);
    final long s5 = d - b;
    b = c | less(d, b);
    final long keep = -b; // all ones if t < modulus
    z[zo] = (t0 & keep) | (s0 & ~keep);
    z[zo + 1] = (t1 & keep) | (s1 & ~keep);
    z[zo + 2] = (t2 & keep) | (s2 & ~keep);
    z[zo + 3] = (t3 & keep) | (s3 & ~keep);
    z[zo + 4] = (t4 & keep) | (s4 & ~keep);
    z[zo + 5] = (t5 & keep) | (s5 & ~keep);
  }

  /** z = x + y. */
  public static void add(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    long a, c;
    a = x[xo];
    final long t0 = a + y[yo];
    c = less(t0, a);
    a = x[xo + 1];
    long u1 = a + y[yo + 1];
    final long t1 = u1 + c;
    c = less(u1, a) | less(t1, u1);
    a = x[xo + 2];
    long u2 = a + y[yo + 2];
    final long t2 = u2 + c;
    c = less(u2, a) | less(t2, u2);
    a = x[xo + 3];
    long u3 = a + y[yo + 3];
    final long t3 = u3 + c;
    c = less(u3, a) | less(t3, u3);
    a = x[xo + 4];
    long u4 = a + y[yo + 4];
    final long t4 = u4 + c;
    c = less(u4, a) | less(t4, u4);
    a = x[xo + 5];
    final long t5 = a + y[yo + 5] + c;
    store(z, zo, t0, t1, t2, t3, t4, t5);
  }

  /** z = 2·x. */
  public static void dbl(long[] z, int zo, long[] x, int xo) {
    add(z, zo, x, xo, x, xo);
  }

  /** z = x − y. */
  public static void sub(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    long a, e, b, c;
    a = x[xo];
    e = y[yo];
    long t0 = a - e;
    b = less(a, e);
    a = x[xo + 1];
    e = y[yo + 1];
    long t1 = a - e;
    c = less(a, e);
    c |= less(t1, b);
    t1 -= b;
    b = c;
    a = x[xo + 2];
    e = y[yo + 2];
    long t2 = a - e;
    c = less(a, e);
    c |= less(t2, b);
    t2 -= b;
    b = c;
    a = x[xo + 3];
    e = y[yo + 3];
    long t3 = a - e;
    c = less(a, e);
    c |= less(t3, b);
    t3 -= b;
    b = c;
    a = x[xo + 4];
    e = y[yo + 4];
    long t4 = a - e;
    c = less(a, e);
    c |= less(t4, b);
    t4 -= b;
    b = c;
    a = x[xo + 5];
    e = y[yo + 5];
    long t5 = a - e;
    c = less(a, e);
    c |= less(t5, b);
    t5 -= b;
    b = c;
    final long mask = -b; // add the modulus back after a borrow
    long k;
    a = t0 + (Q0 & mask);
    c = less(a, t0);
    z[zo] = a;
    a = t1 + (Q1 & mask);
    k = less(a, t1);
    z[zo + 1] = a + c;
    c = k | less(z[zo + 1], a);
    a = t2 + (Q2 & mask);
    k = less(a, t2);
    z[zo + 2] = a + c;
    c = k | less(z[zo + 2], a);
    a = t3 + (Q3 & mask);
    k = less(a, t3);
    z[zo + 3] = a + c;
    c = k | less(z[zo + 3], a);
    a = t4 + (Q4 & mask);
    k = less(a, t4);
    z[zo + 4] = a + c;
    c = k | less(z[zo + 4], a);
    z[zo + 5] = t5 + (Q5 & mask) + c;
  }

  /** z = −x. */
  public static void neg(long[] z, int zo, long[] x, int xo) {
    if (isZero(x, xo)) {
      setZero(z, zo);
      return;
    }
    long b = 0;
    for (int i = 0; i < WORDS; i++) {
      long q = MODULUS_WORDS[i];
      long e = x[xo + i];
      long d = q - e;
      long c = less(q, e);
      z[zo + i] = d - b;
      b = c | less(d, b);
    }
  }

  /** 1 if x < y as unsigned numbers, else 0; without a branch, since carries are unpredictable. */
  private static long less(long x, long y) {
    return ((~x & y) | ((~x | y) & (x - y))) >>> 63;
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
    fromBigInteger(z, zo, toBigInteger(x, xo).modInverse(MODULUS));
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
