package io.cuzk.circuit;

/**
 * Bits of a bit set taken or put in runs: {@code length} ≤ 64 bits at {@code start}, {@code start +
 * stride}, …, which are the bits 0, 1, … of a word. Strides are 0, ±1 and, for at most 32 bits, ±2:
 * those that numbers of bits have in circuits. A run is written as two ints, the start and {@code
 * length | stride << 8}.
 */
final class BitRuns {
  private static final long EVEN = 0x5555555555555555L;

  private BitRuns() {}

  static int info(int length, int stride) {
    return length | stride << 8;
  }

  static int length(int info) {
    return info & 0xff;
  }

  static int stride(int info) {
    return info >> 8;
  }

  /** How many of the values from … to−1 form one run; at least 1. */
  static int longest(int[] values, int from, int to) {
    if (to - from < 2) {
      return to - from;
    }
    int stride = values[from + 1] - values[from];
    if (stride < -2 || stride > 2) {
      return 1;
    }
    int limit = Math.min(to, from + limit(stride));
    int end = from + 2;
    while (end < limit && values[end] - values[end - 1] == stride) {
      end++;
    }
    return end - from;
  }

  /** The longest run of a stride. */
  static int limit(int stride) {
    return stride == 2 || stride == -2 ? 32 : 64;
  }

  /** The lowest n bits. */
  static long mask(int n) {
    return n == 64 ? -1L : (1L << n) - 1;
  }

  /** Bits start … start+n−1; the bit set has a word beyond its last bit. */
  static long extract(long[] bits, int start, int n) {
    int w = start >>> 6;
    long v = bits[w] >>> start;
    int s = start & 63;
    if (s + n > 64) {
      v |= bits[w + 1] << -s;
    }
    return v & mask(n);
  }

  /** Sets those of bits start … start+n−1 that are set in the word, which has no others. */
  static void deposit(long[] bits, int start, int n, long word) {
    int w = start >>> 6;
    int s = start & 63;
    bits[w] |= word << s;
    if (s + n > 64) {
      bits[w + 1] |= word >>> -s;
    }
  }

  static long take(long[] bits, int start, int info) {
    int n = info & 0xff;
    return switch (info >> 8) {
      case 1 -> extract(bits, start, n);
      case -1 -> Long.reverse(extract(bits, start - n + 1, n)) >>> -n;
      case 2 -> Long.compress(extract(bits, start, 2 * n - 1), EVEN);
      case -2 ->
          Long.reverse(Long.compress(extract(bits, start - 2 * n + 2, 2 * n - 1), EVEN)) >>> -n;
      default -> (bits[start >>> 6] >>> start & 1) == 0 ? 0 : mask(n);
    };
  }

  static void put(long[] bits, int start, int info, long word) {
    int n = info & 0xff;
    switch (info >> 8) {
      case 1 -> deposit(bits, start, n, word);
      case -1 -> deposit(bits, start - n + 1, n, Long.reverse(word) >>> -n);
      case 2 -> deposit(bits, start, 2 * n - 1, Long.expand(word, EVEN));
      case -2 ->
          deposit(bits, start - 2 * n + 2, 2 * n - 1, Long.expand(Long.reverse(word) >>> -n, EVEN));
      default -> throw new IllegalStateException("a run of " + n + " bits at one place");
    }
  }
}
