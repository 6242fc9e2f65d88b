package io.cuzk.bench;

import io.cuzk.curve.AffinePoints;
import io.cuzk.curve.Group;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/**
 * A long list of points that repeats a few, computed when it is read.
 *
 * @param size how many points the list has
 * @param few affine, one after another
 * @param index of the list's place, which modulo the number of the few says which of them it is
 */
record PeriodicPoints(Group group, long size, long[] few, LongUnaryOperator index)
    implements AffinePoints {
  @Override
  public void read(long from, int count, long[] out, int at) {
    Objects.checkFromIndexSize(from, count, size);
    int words = group.affineWords();
    int period = few.length / words;
    for (int i = 0; i < count; i++) {
      int k = (int) (index.applyAsLong(from + i) % period);
      System.arraycopy(few, k * words, out, at + i * words, words);
    }
  }

  /** Two lists with the same points are not compared, they are the same object. */
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
