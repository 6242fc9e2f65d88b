package io.cuzk.gpu.ptx;

import java.math.BigInteger;
import java.util.List;
import java.util.function.Function;

/**
 * A piece of PTX that computes {@code %d} and {@code %e} from {@code %a}, {@code %b} and {@code
 * %c}, and what it should compute.
 *
 * @param in bits of the operands
 * @param out bits of the results
 * @param oracle from the operands, unsigned, to the results, unsigned
 */
record GoldenCase(String body, int in, int out, Function<BigInteger[], List<BigInteger>> oracle) {
  static GoldenCase of(
      String body, int in, int out, Function<BigInteger[], List<BigInteger>> oracle) {
    return new GoldenCase(body, in, out, oracle);
  }

  /** A kernel that runs the piece once a thread: three operands of 64 bits in, two results out. */
  String kernel(String name) {
    return """
    .visible .entry %s(.param .u64 in, .param .u64 out)
    {
      .reg .u64 %%from, %%to, %%offset, %%x0, %%x1, %%x2, %%y0, %%y1;
      .reg .u32 %%t;
      .reg .b%d %%a, %%b, %%c;
      .reg .b%d %%d, %%e;
      .reg .b32 %%n, %%m;
      .reg .b16 %%h, %%i;
      .reg .pred %%p, %%q, %%r;
      ld.param.u64 %%from, [in];
      ld.param.u64 %%to, [out];
      mov.u32 %%t, %%tid.x;
      mul.wide.u32 %%offset, %%t, 32;
      add.s64 %%from, %%from, %%offset;
      mul.wide.u32 %%offset, %%t, 16;
      add.s64 %%to, %%to, %%offset;
      ld.global.v2.u64 {%%x0, %%x1}, [%%from];
      ld.global.u64 %%x2, [%%from+16];
      cvt.u%d.u64 %%a, %%x0;
      cvt.u%d.u64 %%b, %%x1;
      cvt.u%d.u64 %%c, %%x2;
      mov.b%d %%d, 0;
      mov.b%d %%e, 0;
      %s
      cvt.u64.u%d %%y0, %%d;
      cvt.u64.u%d %%y1, %%e;
      st.global.u64 [%%to], %%y0;
      st.global.u64 [%%to+8], %%y1;
      ret;
    }
    """
        .formatted(name, in, out, in, in, in, out, out, body, out, out);
  }

  static BigInteger cut(BigInteger value, int bits) {
    return value.mod(BigInteger.ONE.shiftLeft(bits));
  }

  static BigInteger signed(BigInteger value, int bits) {
    return value.testBit(bits - 1) ? value.subtract(BigInteger.ONE.shiftLeft(bits)) : value;
  }

  static BigInteger bit(boolean truth) {
    return truth ? BigInteger.ONE : BigInteger.ZERO;
  }

  static boolean combined(String operation, boolean a, boolean b) {
    return switch (operation) {
      case "and" -> a && b;
      case "or" -> a || b;
      default -> a != b;
    };
  }

  /** {@code bfe} as the manual's pseudo code has it, bit by bit. */
  static BigInteger extracted(
      BigInteger value, BigInteger position, BigInteger length, boolean signed, int bits) {
    int from = position.intValue() & 0xff;
    int count = length.intValue() & 0xff;
    boolean fill = signed && count > 0 && value.testBit(Math.min(from + count - 1, bits - 1));
    BigInteger result = BigInteger.ZERO;
    for (int k = 0; k < bits; k++) {
      boolean set = k < count && from + k < bits ? value.testBit(from + k) : fill;
      result = set ? result.setBit(k) : result;
    }
    return result;
  }

  static BigInteger permuted(BigInteger a, BigInteger b, BigInteger selector) {
    BigInteger both = b.shiftLeft(32).or(a);
    BigInteger result = BigInteger.ZERO;
    for (int k = 0; k < 4; k++) {
      int choice = selector.shiftRight(4 * k).intValue() & 15;
      int value = both.shiftRight(8 * (choice & 7)).intValue() & 0xff;
      if (choice >= 8) {
        value = value >= 128 ? 255 : 0;
      }
      result = result.or(BigInteger.valueOf(value).shiftLeft(8 * k));
    }
    return result;
  }

  static BigInteger lookedUp(BigInteger a, BigInteger b, BigInteger c, int table) {
    BigInteger result = BigInteger.ZERO;
    for (int k = 0; k < 32; k++) {
      int row = (a.testBit(k) ? 4 : 0) + (b.testBit(k) ? 2 : 0) + (c.testBit(k) ? 1 : 0);
      result = (table >> row & 1) != 0 ? result.setBit(k) : result;
    }
    return result;
  }
}
