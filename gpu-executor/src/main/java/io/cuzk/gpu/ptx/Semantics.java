package io.cuzk.gpu.ptx;

/**
 * What rare instructions compute, as the PTX ISA defines it. Called from generated code; values of
 * up to 32 bits come sign- or zero-extended by their type.
 */
final class Semantics {
  private Semantics() {}

  private static int limited(int count, boolean wrap) {
    return wrap ? count & 31 : (int) Math.min(Integer.toUnsignedLong(count), 32);
  }

  /** {@code shf.l}: the upper word of {@code hi:lo << count}. */
  static int funnelLeft(int lo, int hi, int count, boolean wrap) {
    long both = Integer.toUnsignedLong(lo) | (long) hi << 32;
    return (int) (both << limited(count, wrap) >>> 32);
  }

  /** {@code shf.r}: the lower word of {@code hi:lo >> count}. */
  static int funnelRight(int lo, int hi, int count, boolean wrap) {
    long both = Integer.toUnsignedLong(lo) | (long) hi << 32;
    return (int) (both >>> limited(count, wrap));
  }

  static long shiftLeft(long value, int count, int bits) {
    return Integer.compareUnsigned(count, bits) >= 0 ? 0 : value << count;
  }

  static long shiftRight(long value, int count, int bits) {
    return Integer.compareUnsigned(count, bits) >= 0 ? 0 : value >>> count;
  }

  static long shiftRightSigned(long value, int count, int bits) {
    return value >> (Integer.compareUnsigned(count, bits) >= 0 ? 63 : count);
  }

  /** {@code prmt} in its default mode. */
  static int permute(int a, int b, int selector) {
    long both = Integer.toUnsignedLong(a) | (long) b << 32;
    int result = 0;
    for (int k = 0; k < 4; k++) {
      int choice = selector >>> (4 * k);
      int value = (int) (both >>> (8 * (choice & 7))) & 0xff;
      if ((choice & 8) != 0) {
        value = (value & 0x80) == 0 ? 0 : 0xff;
      }
      result |= value << (8 * k);
    }
    return result;
  }

  static int lookup3(int a, int b, int c, int table) {
    int result = 0;
    for (int k = 0; k < 8; k++) {
      if ((table >>> k & 1) != 0) {
        result |= ((k & 4) != 0 ? a : ~a) & ((k & 2) != 0 ? b : ~b) & ((k & 1) != 0 ? c : ~c);
      }
    }
    return result;
  }

  static long extract(long value, int position, int length, int bits, boolean signed) {
    int from = position & 0xff;
    int count = length & 0xff;
    if (count == 0) {
      return 0;
    }
    long sign = signed && value < 0 ? -1 : 0;
    if (from >= bits) {
      return sign;
    }
    int kept = Math.min(count, bits - from);
    long moved = signed ? value >> from : value >>> from;
    if (kept == 64) {
      return moved;
    }
    int above = 64 - kept;
    return signed ? moved << above >> above : moved << above >>> above;
  }

  static long insert(long field, long into, int position, int length, int bits) {
    int from = position & 0xff;
    int count = length & 0xff;
    if (from >= bits || count == 0) {
      return into;
    }
    int kept = Math.min(count, bits - from);
    long mask = (kept == 64 ? -1 : (1L << kept) - 1) << from;
    return into & ~mask | field << from & mask;
  }

  /** {@code bfind}: the place of the highest bit that differs from the sign, or -1. */
  static int highest(long value, int bits, boolean signed) {
    long folded = signed && value < 0 ? ~value : value;
    return 63 - Long.numberOfLeadingZeros(folded);
  }

  static long minUnsigned(long a, long b) {
    return Long.compareUnsigned(a, b) < 0 ? a : b;
  }

  static long maxUnsigned(long a, long b) {
    return Long.compareUnsigned(a, b) > 0 ? a : b;
  }

  /** Division by zero gives all ones, as the hardware's sequence does; PTX leaves it open. */
  static long divide(long a, long b, int bits, boolean signed) {
    return b == 0 ? -1 : signed ? a / b : Long.divideUnsigned(a, b);
  }

  static long remainder(long a, long b, int bits, boolean signed) {
    return b == 0 ? -1 : signed ? a % b : Long.remainderUnsigned(a, b);
  }

  /** The carry out of the 64-bit sum {@code a + b + carry}. */
  static long carryOfSum(long a, long b, long carry) {
    long sum = a + b;
    return Long.compareUnsigned(sum, a) < 0 || carry != 0 && sum == -1 ? 1 : 0;
  }

  /** The borrow out of the 64-bit difference {@code a - b - borrow}. */
  static long borrowOfDifference(long a, long b, long borrow) {
    return Long.compareUnsigned(a, b) < 0 || borrow != 0 && a == b ? 1 : 0;
  }
}
