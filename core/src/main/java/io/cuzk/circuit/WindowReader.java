package io.cuzk.circuit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Evaluates small rows as {@link WindowWriter} wrote them, eight rows a step. Not thread-safe. */
final class WindowReader {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long DIAGONAL = 0x8040201008040201L;
  private static final long LOW = 0x7f7f7f7f7f7f7f7fL;
  private static final long SIGNS = 0x8080808080808080L;

  private final long[] plus = new long[8];
  private final long[] minus = new long[8];

  void read(int[] code, int rows, long[] bits, byte[] out, int at) {
    int p = 0;
    for (int row = 0; row < rows; row += WindowWriter.ROWS) {
      p = window(code, p, bits);
      int n = Math.min(WindowWriter.ROWS, rows - row);
      for (int i = 0; i < n; i += 8) {
        long eight = ((plus[i >>> 3] | SIGNS) - minus[i >>> 3]) ^ SIGNS;
        if (n - i >= 8) {
          LONGS.set(out, at + row + i, eight);
        } else {
          for (int k = i; k < n; k++, eight >>>= 8) {
            out[at + row + k] = (byte) eight;
          }
        }
      }
    }
  }

  private int window(int[] code, int at, long[] bits) {
    for (int i = 0; i < 8; i++) {
      plus[i] = 0;
      minus[i] = 0;
    }
    int layers = code[at];
    int p = at + 1;
    for (; layers > 0; layers--) {
      int coefficient = code[p];
      long word = code[p + 1] & 0xffffffffL | (long) code[p + 2] << 32;
      p += 3;
      word |= LaneWord.take(code, p, bits);
      p += LaneWord.size(code, p);
      if (coefficient > 0) {
        add(plus, word, coefficient);
      } else {
        add(minus, word, -coefficient);
      }
    }
    return p;
  }

  private static void add(long[] sums, long word, long factor) {
    for (int i = 0; i < 8; i++) {
      sums[i] += spread(word >>> 8 * i & 0xff) * factor;
    }
  }

  /** Eight bits as the bytes 0 or 1. */
  private static long spread(long bits) {
    return (bits * ONES & DIAGONAL) + LOW >>> 7 & ONES;
  }
}
