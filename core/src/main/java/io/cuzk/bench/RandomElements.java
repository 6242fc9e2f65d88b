package io.cuzk.bench;

import io.cuzk.field.Fp;
import io.cuzk.field.Fr;
import java.util.SplittableRandom;

/** Uniform field elements from a seed, the same on every machine. */
final class RandomElements {
  private final SplittableRandom random;

  RandomElements(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Canonical (and as well Montgomery) words of {@code count} elements of Fr. */
  long[] fr(int count) {
    long[] words = new long[Math.multiplyExact(count, Fr.WORDS)];
    for (int i = 0; i < count; i++) {
      do {
        fill(words, i * Fr.WORDS, Fr.WORDS, 0x7fff_ffff_ffff_ffffL);
      } while (!Fr.isCanonical(words, i * Fr.WORDS));
    }
    return words;
  }

  /** Words below p of {@code count} elements of Fp. */
  long[] fp(int count) {
    long[] words = new long[Math.multiplyExact(count, Fp.WORDS)];
    for (int i = 0; i < count; i++) {
      do {
        fill(words, i * Fp.WORDS, Fp.WORDS, 0x1fff_ffff_ffff_ffffL);
      } while (!Fp.isCanonical(words, i * Fp.WORDS));
    }
    return words;
  }

  private void fill(long[] words, int at, int count, long topMask) {
    for (int j = 0; j < count; j++) {
      words[at + j] = random.nextLong();
    }
    words[at + count - 1] &= topMask;
  }
}
