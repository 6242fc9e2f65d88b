package io.cuzk.gpu.ptx;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Little-endian values of other sizes in memory that is an array of 32-bit words. */
final class Words {
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(int[].class);

  private Words() {}

  static long load64(int[] words, int at) {
    return Integer.toUnsignedLong(words[at >>> 2]) | (long) words[(at >>> 2) + 1] << 32;
  }

  static void store64(int[] words, int at, long value) {
    words[at >>> 2] = (int) value;
    words[(at >>> 2) + 1] = (int) (value >>> 32);
  }

  /** Eight or sixteen bits, zero-extended. */
  static int loadNarrow(int[] words, int at, int bits) {
    return words[at >>> 2] >>> (8 * (at & 3)) & ((1 << bits) - 1);
  }

  /** Eight or sixteen bits; the rest of the word may be written by others at the same time. */
  static void storeNarrow(int[] words, int at, int bits, int value) {
    int shift = 8 * (at & 3);
    int mask = (1 << bits) - 1 << shift;
    int before;
    do {
      before = words[at >>> 2];
    } while (!WORD.compareAndSet(words, at >>> 2, before, before & ~mask | value << shift & mask));
  }
}
