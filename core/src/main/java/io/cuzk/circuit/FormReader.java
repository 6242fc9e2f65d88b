package io.cuzk.circuit;

import io.cuzk.field.Fr;
import java.math.BigInteger;

/** Evaluates forms ({@link Opcodes}) over a template's scratch. Not thread-safe. */
final class FormReader {
  private static final int PRODUCTS = 12;
  private static final long[] MODULUS = new long[Fr.WORDS];
  private static final long[] TWO_256 = new long[Fr.WORDS];

  static {
    for (int i = 0; i < Fr.WORDS; i++) {
      MODULUS[i] = Fr.MODULUS.shiftRight(64 * i).longValue();
    }
    Fr.fromBigInteger(TWO_256, 0, BigInteger.ONE.shiftLeft(256).mod(Fr.MODULUS));
  }

  private final long[] gathered = new long[PRODUCTS * Fr.WORDS];
  private final long[] sum = new long[7];
  private final long[] term = new long[Fr.WORDS];

  /** Of the form read last: {@link Opcodes#ZERO}, {@link Opcodes#ONE}, or anything else. */
  int kind;

  /** Evaluates the form at a place; returns where it ends. */
  int read(
      int[] code, int at, long[] bits, long[] numbers, long[] constants, long[] out, int outAt) {
    kind = code[at];
    switch (kind) {
      case Opcodes.ZERO -> Fr.setZero(out, outAt);
      case Opcodes.ONE -> Fr.setOne(out, outAt);
      case Opcodes.NUMBER -> Fr.set(out, outAt, numbers, code[at + 1] * Fr.WORDS);
      case Opcodes.BIT -> {
        int bit = code[at + 1];
        kind = (bits[bit >>> 6] >>> bit & 1) == 0 ? Opcodes.ZERO : Opcodes.ONE;
        if (kind == Opcodes.ONE) {
          Fr.setOne(out, outAt);
        } else {
          Fr.setZero(out, outAt);
        }
        return at + 2;
      }
      default -> {
        return terms(code, at + 1, bits, numbers, constants, out, outAt);
      }
    }
    return kind == Opcodes.NUMBER ? at + 2 : at + 1;
  }

  private int terms(
      int[] code, int at, long[] bits, long[] numbers, long[] constants, long[] out, int outAt) {
    if (code[at] < 0) {
      Fr.setZero(out, outAt);
    } else {
      Fr.set(out, outAt, constants, code[at] * Fr.WORDS);
    }
    int n = code[at + 1];
    int factors = code[at + 2] * Fr.WORDS;
    int p = at + 3;
    while (n > 0) {
      int m = Math.min(n, PRODUCTS);
      for (int i = 0; i < m; i++) {
        System.arraycopy(numbers, code[p + i] * Fr.WORDS, gathered, i * Fr.WORDS, Fr.WORDS);
      }
      Fr.dot(term, 0, gathered, 0, constants, factors, 1, m);
      Fr.add(out, outAt, out, outAt, term, 0);
      p += m;
      n -= m;
      factors += m * Fr.WORDS;
    }
    if (code[p] > 0) {
      p = runs(code, p, bits);
      Fr.add(out, outAt, out, outAt, term, 0);
    } else {
      p++;
    }
    if (code[p] > 0) {
      p = runs(code, p, bits);
      Fr.sub(out, outAt, out, outAt, term, 0);
    } else {
      p++;
    }
    int others = code[p++];
    for (; others > 0; others--, p += 2) {
      int bit = code[p];
      if ((bits[bit >>> 6] >>> bit & 1) != 0) {
        Fr.add(out, outAt, out, outAt, constants, code[p + 1] * Fr.WORDS);
      }
    }
    return p;
  }

  /** term = Σ word·2^exponent. */
  private int runs(int[] code, int at, long[] bits) {
    long[] s = sum;
    for (int i = 0; i < 7; i++) {
      s[i] = 0;
    }
    int end = at + 1 + 3 * code[at];
    for (int p = at + 1; p < end; p += 3) {
      long word = BitRuns.take(bits, code[p], code[p + 1]);
      int exponent = code[p + 2];
      int w = exponent >>> 6;
      long low = word << exponent;
      long high = (exponent & 63) == 0 ? 0 : word >>> -exponent;
      long old = s[w];
      s[w] = old + low;
      long carry = Long.compareUnsigned(s[w], old) < 0 ? 1 : 0;
      // high is below 2^63 and at most all ones shifted: high + carry does not wrap
      high += carry;
      for (int i = w + 1; high != 0; i++) {
        old = s[i];
        s[i] = old + high;
        high = Long.compareUnsigned(s[i], old) < 0 ? 1 : 0;
      }
    }
    long top = s[4];
    while (!Fr.isCanonical(s, 0)) {
      subtractModulus(s);
    }
    Fr.fromCanonical(term, 0, s, 0);
    if (top != 0 || s[5] != 0) {
      large(s[5], top);
    }
    return end;
  }

  private static void subtractModulus(long[] s) {
    long borrow = 0;
    for (int i = 0; i < Fr.WORDS; i++) {
      long x = s[i] - MODULUS[i];
      long under = Long.compareUnsigned(s[i], MODULUS[i]) < 0 ? 1 : 0;
      long y = x - borrow;
      borrow = under | (x == 0 && borrow != 0 ? 1 : 0);
      s[i] = y;
    }
  }

  /** term += 2^256·(top + 2^64·above). */
  private void large(long above, long top) {
    long[] high = {top, above, 0, 0};
    Fr.fromCanonical(high, 0, high, 0);
    Fr.mul(high, 0, high, 0, TWO_256, 0);
    Fr.add(term, 0, term, 0, high, 0);
  }
}
