package io.cuzk.r1cs;

import io.cuzk.field.Fr;
import java.util.Arrays;

/** Distinct field elements, numbered in the order of their first appearance. Not thread-safe. */
final class CoefficientTable {
  private long[] words = new long[16 * Fr.WORDS];
  private int[] slots = new int[64]; // number + 1, or 0
  private int size;

  /** The number of an element, which is added if it is new. */
  int number(long[] value, int at) {
    int mask = slots.length - 1;
    int slot = hash(value, at) & mask;
    while (slots[slot] != 0) {
      int found = slots[slot] - 1;
      if (Fr.equal(words, found * Fr.WORDS, value, at)) {
        return found;
      }
      slot = slot + 1 & mask;
    }
    if (size * Fr.WORDS == words.length) {
      words = Arrays.copyOf(words, 2 * words.length);
    }
    Fr.set(words, size * Fr.WORDS, value, at);
    slots[slot] = ++size;
    if (2 * size > slots.length) {
      grow();
    }
    return size - 1;
  }

  private void grow() {
    slots = new int[2 * slots.length];
    int mask = slots.length - 1;
    for (int i = 0; i < size; i++) {
      int slot = hash(words, i * Fr.WORDS) & mask;
      while (slots[slot] != 0) {
        slot = slot + 1 & mask;
      }
      slots[slot] = i + 1;
    }
  }

  private static int hash(long[] value, int at) {
    long h = value[at] * 0x9e3779b97f4a7c15L + value[at + 1];
    h = (h ^ h >>> 31) * 0xbf58476d1ce4e5b9L + value[at + 2];
    h = (h ^ h >>> 29) * 0x94d049bb133111ebL + value[at + 3];
    return (int) (h ^ h >>> 32);
  }

  /** The elements, four Montgomery words each. */
  long[] toArray() {
    return Arrays.copyOf(words, size * Fr.WORDS);
  }
}
