package io.cuzk.msm;

import io.cuzk.field.CoefficientOrder;
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

  /**
   * The coefficients of a polynomial, the last one left out, in the order of the points they belong
   * to. Nothing is moved where that is the order they lie in; else each is fetched from its place,
   * neighbours together.
   *
   * @param v 2^k coefficients in the order {@code lies}
   */
  static Scalars ofCoefficients(FrVector v, CoefficientOrder lies, CoefficientOrder wanted) {
    long size = v.size() - 1;
    if (lies == wanted) {
      return of(v, size);
    }
    int logSize = Long.numberOfTrailingZeros(v.size());
    return new Scalars() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public void read(long from, int count, long[] out, int at) {
        Objects.checkFromIndexSize(from, count, size);
        int i = 0;
        while (i < count) {
          long place = lies.position(wanted.index(from + i, logSize), logSize);
          int run = 1;
          while (i + run < count
              && lies.position(wanted.index(from + i + run, logSize), logSize) == place + run) {
            run++;
          }
          v.storeCanonical(place, out, at + i * Fr.WORDS, run);
          i += run;
        }
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
