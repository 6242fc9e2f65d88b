package io.cuzk.curve;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A readable list of affine points of one group, wherever they lie. Implementations may be read by
 * many threads at once.
 */
public interface AffinePoints {
  /** Points that go through the heap at a time on their way to other memory. */
  int STEP = 256;

  /** The group of the points. */
  Group group();

  /** How many points there are. */
  long size();

  /**
   * Copies points {@code from … from + count − 1} as Montgomery words x ‖ y, infinity as zero
   * words.
   *
   * @throws IndexOutOfBoundsException if the range leaves the list
   */
  void read(long from, int count, long[] out, int at);

  /**
   * The same into memory in the machine's byte order.
   *
   * @param at byte of {@code out} where the first point begins
   */
  default void read(long from, int count, MemorySegment out, long at) {
    int words = group().affineWords();
    long[] some = new long[Math.min(count, STEP) * words];
    for (int done = 0; done < count; done += STEP) {
      int n = Math.min(STEP, count - done);
      read(from + done, n, some, 0);
      MemorySegment.copy(
          some, 0, out, ValueLayout.JAVA_LONG_UNALIGNED, at + 8L * done * words, n * words);
    }
  }
}
