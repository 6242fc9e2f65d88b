package io.cuzk.lanes;

import io.cuzk.field.Fp;
import io.cuzk.field.Fr;

/**
 * Between 64-bit words and limbs in doubles. Stateless; elements of a group are {@code step} = 8
 * doubles a limb apart, points at rest 1.
 */
final class Packing {
  private static final double[] FP_SCALE = scale(LaneField.FP, 1);
  private static final double[] FP_UNSCALE = scale(LaneField.FP, -1);
  private static final double[] FR_SCALE = scale(LaneField.FR, 1);
  private static final double[] FR_UNSCALE = scale(LaneField.FR, -1);
  private static final long MASK48 = (1L << 48) - 1;
  private static final long MASK44 = (1L << 44) - 1;
  private static final long[] P = words(Fp.MODULUS, Fp.WORDS);
  private static final long[] R = words(Fr.MODULUS, Fr.WORDS);

  private Packing() {}

  private static double[] scale(LaneField field, int sign) {
    double[] scale = new double[field.limbs()];
    for (int j = 0; j < scale.length; j++) {
      scale[j] = Math.scalb(1.0, sign * (field.width() * j - field.bits()));
    }
    return scale;
  }

  private static long[] words(java.math.BigInteger v, int n) {
    long[] words = new long[n];
    for (int i = 0; i < n; i++) {
      words[i] = v.shiftRight(64 * i).longValue();
    }
    return words;
  }

  /** An element of Fp, six words, as a normal residue: R is the same. */
  static void unpackFp(long[] w, int o, double[] d, int at, int step) {
    long carry = 0;
    for (int j = 0; j < 8; j++) {
      int bit = 48 * j;
      int word = bit >> 6;
      int shift = bit & 63;
      long v = w[o + word] >>> shift;
      if (shift > 16 && word < 5) {
        v |= w[o + word + 1] << (64 - shift);
      }
      v = (v & MASK48) + carry;
      carry = v + (1L << 47) >> 48; // top limbs are below 2^46
      d[at + j * step] = (double) (v - (carry << 48)) * FP_SCALE[j];
    }
  }

  /** The reduced words of a normal residue in (−p, p). */
  static void packFp(double[] d, int at, int step, long[] w, int o) {
    long c = 0;
    long a0 = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0, a5 = 0;
    for (int j = 0; j < 7; j++) {
      long v = (long) (d[at + j * step] * FP_UNSCALE[j]) + c;
      c = v >> 48;
      v &= MASK48;
      switch (j) {
        case 0 -> a0 = v;
        case 1 -> {
          a0 |= v << 48;
          a1 = v >>> 16;
        }
        case 2 -> {
          a1 |= v << 32;
          a2 = v >>> 32;
        }
        case 3 -> a2 |= v << 16;
        case 4 -> a3 = v;
        case 5 -> {
          a3 |= v << 48;
          a4 = v >>> 16;
        }
        default -> {
          a4 |= v << 32;
          a5 = v >>> 32;
        }
      }
    }
    a5 |= (long) (d[at + 7 * step] * FP_UNSCALE[7]) + c << 16;
    w[o] = a0;
    w[o + 1] = a1;
    w[o + 2] = a2;
    w[o + 3] = a3;
    w[o + 4] = a4;
    w[o + 5] = a5;
    if (a5 < 0) {
      add(w, o, P);
    }
  }

  /**
   * 2^8 times an element of Fr, four words, not reduced: limbs up to 2^44, value up to 2^8·r. That
   * is the element in lane form up to multiples of r.
   */
  static void unpackFr(long[] w, int o, double[] d, int at, int step) {
    long w0 = w[o], w1 = w[o + 1], w2 = w[o + 2], w3 = w[o + 3];
    d[at] = (double) (w0 << 8 & MASK44) * FR_SCALE[0];
    d[at + step] = (double) ((w0 >>> 36 | w1 << 28) & MASK44) * FR_SCALE[1];
    d[at + 2 * step] = (double) ((w1 >>> 16 | w2 << 48) & MASK44) * FR_SCALE[2];
    d[at + 3 * step] = (double) ((w1 >>> 60 | w2 << 4) & MASK44) * FR_SCALE[3];
    d[at + 4 * step] = (double) ((w2 >>> 40 | w3 << 24) & MASK44) * FR_SCALE[4];
    d[at + 5 * step] = (double) (w3 >>> 20) * FR_SCALE[5];
  }

  /** The reduced words of a normal residue in (−r, r), as they stand: no change of radix. */
  static void packFr(double[] d, int at, int step, long[] w, int o) {
    long v = (long) (d[at] * FR_UNSCALE[0]);
    long d0 = v & MASK44;
    v = (v >> 44) + (long) (d[at + step] * FR_UNSCALE[1]);
    long d1 = v & MASK44;
    v = (v >> 44) + (long) (d[at + 2 * step] * FR_UNSCALE[2]);
    long d2 = v & MASK44;
    v = (v >> 44) + (long) (d[at + 3 * step] * FR_UNSCALE[3]);
    long d3 = v & MASK44;
    v = (v >> 44) + (long) (d[at + 4 * step] * FR_UNSCALE[4]);
    long d4 = v & MASK44;
    long d5 = (v >> 44) + (long) (d[at + 5 * step] * FR_UNSCALE[5]);
    w[o] = d0 | d1 << 44;
    w[o + 1] = d1 >>> 20 | d2 << 24;
    w[o + 2] = d2 >>> 40 | d3 << 4 | d4 << 48;
    w[o + 3] = d4 >>> 16 | d5 << 28;
    if (w[o + 3] < 0) {
      add(w, o, R);
    }
  }

  private static void add(long[] w, int o, long[] x) {
    long carry = 0;
    for (int i = 0; i < x.length; i++) {
      long a = w[o + i];
      long s = a + x[i];
      long t = s + carry;
      carry = (Long.compareUnsigned(s, a) < 0 || Long.compareUnsigned(t, s) < 0) ? 1 : 0;
      w[o + i] = t;
    }
  }
}
