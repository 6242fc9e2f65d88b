package io.cuzk.r1cs;

import io.cuzk.field.Fr;
import java.util.Arrays;

/**
 * A growing list of field elements in chunks of 2^14, so that growth never copies values and more
 * than 2^29 words fit. Four Montgomery words each. Not thread-safe while it grows; reads may run in
 * parallel afterwards.
 */
public final class FrList {
  private static final int SHIFT = 14;
  private static final int MASK = (1 << SHIFT) - 1;

  private long[][] chunks = new long[16][];
  private int size;

  /** An empty list whose memory for so many elements is allocated already. */
  public static FrList withCapacity(int elements) {
    FrList list = new FrList();
    int count = elements + MASK >>> SHIFT;
    list.chunks = new long[Math.max(16, count)][];
    for (int i = 0; i < count; i++) {
      list.chunks[i] = new long[Fr.WORDS << SHIFT];
    }
    return list;
  }

  /** Number of elements. */
  public int size() {
    return size;
  }

  /** Appends a copy of an element and returns its index. */
  public int append(long[] value, int at) {
    long[] chunk = grow();
    int o = (size & MASK) * Fr.WORDS;
    chunk[o] = value[at];
    chunk[o + 1] = value[at + 1];
    chunk[o + 2] = value[at + 2];
    chunk[o + 3] = value[at + 3];
    return size++;
  }

  private long[] grow() {
    int c = size >>> SHIFT;
    if ((size & MASK) == 0) {
      if (size < 0) {
        throw new IllegalStateException("more than 2^31 field elements");
      }
      if (c == chunks.length) {
        chunks = Arrays.copyOf(chunks, 2 * c);
      }
      if (chunks[c] == null) {
        chunks[c] = new long[Fr.WORDS << SHIFT];
      }
    }
    return chunks[c];
  }

  /** The array that holds element i, at {@link #offset}. */
  public long[] chunk(int i) {
    return chunks[i >>> SHIFT];
  }

  /** Where element i begins in its {@link #chunk}. */
  public static int offset(int i) {
    return (i & MASK) * Fr.WORDS;
  }

  /** Copies element i. */
  public void get(int i, long[] out, int at) {
    System.arraycopy(chunk(i), offset(i), out, at, Fr.WORDS);
  }

  /** Copies elements from … from+n−1. */
  public void read(int from, int n, long[] out, int at) {
    if (from < 0 || n < 0 || from > size - n) {
      throw new IndexOutOfBoundsException(from + " + " + n + " of " + size + " elements");
    }
    int i = from;
    int o = at;
    while (i < from + n) {
      int run = Math.min(from + n - i, MASK + 1 - (i & MASK));
      System.arraycopy(chunk(i), offset(i), out, o, run * Fr.WORDS);
      i += run;
      o += run * Fr.WORDS;
    }
  }
}
