package io.cuzk.msm;

import io.cuzk.field.Fr;
import io.cuzk.field.FrVector;
import java.util.Objects;

/**
 * A readable list of scalars, wherever they lie. Implementations may be read by many threads at
 * once.
 */
public interface Scalars {
  /** How many scalars there are. */
  long size();

  /** Writes scalars {@code from … from + count − 1} as four canonical little-endian words each. */
  void read(long from, int count, long[] canonical, int at);

  /** Canonical words one after another in one array, which is shared and not copied. */
  static Scalars of(long[] canonical) {
    if (canonical.length % Fr.WORDS != 0) {
      throw new IllegalArgumentException(
          "scalars take %d words each, found %d".formatted(Fr.WORDS, canonical.length));
    }
    long size = canonical.length / Fr.WORDS;
    return new Scalars() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public void read(long from, int count, long[] out, int at) {
        Objects.checkFromIndexSize(from, count, size);
        System.arraycopy(canonical, (int) from * Fr.WORDS, out, at, count * Fr.WORDS);
      }
    };
  }

  /** The first {@code size} elements of a vector. */
  static Scalars of(FrVector v, long size) {
    Objects.checkFromIndexSize(0, size, v.size());
    return new Scalars() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public void read(long from, int count, long[] out, int at) {
        Objects.checkFromIndexSize(from, count, size);
        v.storeCanonical(from, out, at, count);
      }
    };
  }
}
