package io.cuzk.field;

import java.math.BigInteger;

/**
 * Inverses modulo an odd prime by division steps (Bernstein and Yang, "Fast constant-time gcd
 * computation and modular inversion", 2019), here in variable time: runs of zero bits are skipped
 * and up to six bits cancelled at once, as in libsecp256k1.
 *
 * <p>Numbers are limbs of 60 bits in two's complement, the top one signed. Sixty steps on the
 * lowest limbs of f and g give a matrix t with |t| ≤ 2^60, which is then applied to f and g, and
 * modulo the modulus to d and e, where d·x ≡ f and e·x ≡ g. When g is zero, f is ±1 and d the
 * inverse up to sign. Immutable and thread-safe; a call allocates its limbs.
 */
final class ModularInverse {
  private static final int BITS = 60;
  private static final long MASK = (1L << BITS) - 1;

  private final int words;
  private final int limbs;
  private final long[] modulus;

  /** modulus⁻¹ mod 2^60. */
  private final long inverse;

  ModularInverse(BigInteger modulus) {
    words = (modulus.bitLength() + 63) / 64;
    limbs = (modulus.bitLength() + 3 + BITS) / BITS; // d and e range over ±2·modulus
    this.modulus = new long[limbs];
    for (int i = 0; i < limbs; i++) {
      this.modulus[i] = modulus.shiftRight(BITS * i).longValue() & MASK;
    }
    inverse = modulus.modInverse(BigInteger.ONE.shiftLeft(BITS)).longValue();
  }

  /** z = x⁻¹ for words x, not zero and below the modulus. */
  void invert(long[] z, int zo, long[] x, int xo) {
    final int n = limbs;
    long[] f = modulus.clone();
    long[] g = new long[n];
    long[] d = new long[n];
    long[] e = new long[n];
    long[] t = new long[4];
    for (int i = 0; i < n; i++) {
      int word = (BITS * i) >>> 6;
      int shift = (BITS * i) & 63;
      long limb = word < words ? x[xo + word] >>> shift : 0;
      if (shift > 64 - BITS && word + 1 < words) {
        limb |= x[xo + word + 1] << (64 - shift);
      }
      g[i] = limb & MASK;
    }
    e[0] = 1;
    long eta = -1;
    int length = n; // limbs of f and g still in use
    while (true) {
      eta = steps(eta, f[0], g[0], t);
      updateModular(d, e, t);
      updateExact(f, g, t, length);
      long rest = 0;
      for (int i = 0; i < length; i++) {
        rest |= g[i];
      }
      if (rest == 0) {
        break;
      }
      while (length > 1 && isSignOnly(f, length) && isSignOnly(g, length)) {
        length--;
        f[length - 1] |= f[length] << BITS;
        g[length - 1] |= g[length] << BITS;
      }
    }
    addModulusIfNegative(d); // now between −modulus and modulus
    if (f[length - 1] < 0) { // f = −1
      long carry = 0;
      for (int i = 0; i < n; i++) {
        long v = carry - d[i];
        d[i] = i < n - 1 ? v & MASK : v;
        carry = v >> BITS;
      }
    }
    addModulusIfNegative(d);
    for (int i = 0; i < words; i++) {
      int limb = 64 * i / BITS;
      int shift = 64 * i % BITS;
      long word = d[limb] >>> shift;
      for (int have = BITS - shift; have < 64 && ++limb < n; have += BITS) {
        word |= d[limb] << have;
      }
      z[zo + i] = word;
    }
  }

  /** Whether the top limb is only the sign of the one below. */
  private static boolean isSignOnly(long[] v, int length) {
    long top = v[length - 1];
    // Joined to the limb below, which has BITS bits, the sign must still fit in 62 bits.
    return (top == 0 && v[length - 2] >>> (BITS - 1) == 0)
        || (top == -1 && v[length - 2] >>> (BITS - 1) == 1);
  }

  /**
   * Sixty division steps on the lowest bits: t = (u, v, q, r) with (u·f + v·g, q·f + r·g) = 2^60
   * times the new (f, g).
   *
   * @return the new eta = −delta
   */
  private static long steps(long eta, long f, long g, long[] t) {
    long u = 1, v = 0, q = 0, r = 1;
    int left = BITS;
    while (true) {
      int zeros = Long.numberOfTrailingZeros(g | (-1L << left));
      g >>>= zeros;
      u <<= zeros;
      v <<= zeros;
      eta -= zeros;
      left -= zeros;
      if (left == 0) {
        break;
      }
      long w;
      if (eta < 0) {
        eta = -eta;
        long swap = f;
        f = g;
        g = -swap;
        swap = u;
        u = q;
        q = -swap;
        swap = v;
        v = r;
        r = -swap;
        long limit = Math.min(eta + 1, left);
        // −g/f modulo 2^6, of which only `limit` bits may be cancelled
        w = f * g * (f * f - 2) & (-1L >>> (64 - limit)) & 63;
      } else {
        long limit = Math.min(eta + 1, left);
        w = f + (((f + 1) & 4) << 1); // 1/f modulo 2^4
        w = -w * g & (-1L >>> (64 - limit)) & 15;
      }
      g += f * w;
      q += u * w;
      r += v * w;
    }
    t[0] = u;
    t[1] = v;
    t[2] = q;
    t[3] = r;
    return eta;
  }

  /** (f, g) = t·(f, g)/2^60, which is exact. */
  private static void updateExact(long[] f, long[] g, long[] t, int length) {
    final long u = t[0], v = t[1], q = t[2], r = t[3];
    long carryF = 0;
    long carryG = 0;
    for (int i = 0; i < length; i++) {
      long a = f[i];
      long b = g[i];
      long hi = high(u, a) + high(v, b);
      long lo = u * a + v * b - (hi << BITS) + carryF;
      carryF = hi + (lo >> BITS);
      if (i > 0) {
        f[i - 1] = lo & MASK;
      }
      hi = high(q, a) + high(r, b);
      lo = q * a + r * b - (hi << BITS) + carryG;
      carryG = hi + (lo >> BITS);
      if (i > 0) {
        g[i - 1] = lo & MASK;
      }
    }
    f[length - 1] = carryF;
    g[length - 1] = carryG;
  }

  /** (d, e) = t·(d, e)/2^60 modulo the modulus, both kept between −2·modulus and modulus. */
  private void updateModular(long[] d, long[] e, long[] t) {
    final long[] p = modulus;
    final int n = limbs;
    final long u = t[0], v = t[1], q = t[2], r = t[3];
    final long signD = d[n - 1] >> 63;
    final long signE = e[n - 1] >> 63;
    long md = (u & signD) + (v & signE);
    long me = (q & signD) + (r & signE);
    md -= inverse * (u * d[0] + v * e[0]) + md & MASK;
    me -= inverse * (q * d[0] + r * e[0]) + me & MASK;
    long carryD = 0;
    long carryE = 0;
    for (int i = 0; i < n; i++) {
      long a = d[i];
      long b = e[i];
      long hi = high(u, a) + high(v, b) + high(md, p[i]);
      long lo = u * a + v * b + md * p[i] - (hi << BITS) + carryD;
      carryD = hi + (lo >> BITS);
      if (i > 0) {
        d[i - 1] = lo & MASK;
      }
      hi = high(q, a) + high(r, b) + high(me, p[i]);
      lo = q * a + r * b + me * p[i] - (hi << BITS) + carryE;
      carryE = hi + (lo >> BITS);
      if (i > 0) {
        e[i - 1] = lo & MASK;
      }
    }
    d[n - 1] = carryD;
    e[n - 1] = carryE;
  }

  /** ⌊t·a/2^60⌋ for |t| ≤ 2^60 and |a| < 2^61. */
  private static long high(long t, long a) {
    return Math.multiplyHigh(t << 2, a << 2);
  }

  private void addModulusIfNegative(long[] d) {
    final int n = limbs;
    final long mask = d[n - 1] >> 63;
    long carry = 0;
    for (int i = 0; i < n; i++) {
      long v = d[i] + (modulus[i] & mask) + carry;
      d[i] = i < n - 1 ? v & MASK : v;
      carry = v >> BITS;
    }
  }
}
