package io.cuzk.r1cs;

import java.util.Arrays;

/**
 * Which variables of a query have a non-zero coefficient somewhere: a growing bit set with a count,
 * 64 variables a word, the lowest bit first. Not thread-safe while it is written.
 */
public final class Density {
  private long[] words = new long[16];
  private int size;
  private int count;

  /** So many variables, none of them dense. */
  public static Density ofSize(int size) {
    Density density = new Density();
    density.words = new long[(size + 63) >>> 6];
    density.size = size;
    return density;
  }

  /**
   * Variables whose bits are given; the array is not copied.
   *
   * @throws IllegalArgumentException if bits beyond the size are set
   */
  public static Density of(long[] words, int size) {
    int used = (size + 63) >>> 6;
    if (words.length < used || (size & 63) != 0 && words[used - 1] >>> size != 0) {
      throw new IllegalArgumentException("the words of a density hold more than its variables");
    }
    Density density = new Density();
    density.words = words;
    density.size = size;
    for (int i = 0; i < used; i++) {
      density.count += Long.bitCount(words[i]);
    }
    return density;
  }

  /** An empty set with room for so many variables. */
  public static Density withCapacity(int variables) {
    Density density = new Density();
    density.words = new long[Math.max(16, (variables + 63) >>> 6)];
    return density;
  }

  /** Adds a variable, not dense. */
  public void append() {
    if (size >>> 6 == words.length) {
      words = Arrays.copyOf(words, Math.max(16, words.length + (words.length >>> 1)));
    }
    size++;
  }

  /** Marks variable i as dense. */
  public void set(int i) {
    long bit = 1L << i;
    long word = words[i >>> 6];
    if ((word & bit) == 0) {
      words[i >>> 6] = word | bit;
      count++;
    }
  }

  /** Whether variable i is dense. */
  public boolean isSet(int i) {
    return (words[i >>> 6] >>> i & 1) != 0;
  }

  /** The bits; at least {@code (size + 63) / 64} words, not a copy, for reading only. */
  public long[] words() {
    return words;
  }

  /** Number of dense variables. */
  public int count() {
    return count;
  }

  /** Number of variables. */
  public int size() {
    return size;
  }
}
