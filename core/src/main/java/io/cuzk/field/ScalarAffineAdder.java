package io.cuzk.field;

/** {@link AffineAdder} on 64-bit words: 5 multiplications and a square per addition. */
final class ScalarAffineAdder extends AffineAdder {
  /** What becomes of a pair. */
  private static final byte ADD = 0, DOUBLE = 1, LEFT = 2, RIGHT = 3, INFINITY = 4;

  private final CoordinateField field;
  private final int w;
  private final int maxBatch;

  /** Denominators, and the products of those before. */
  private final long[] denominators;

  private final long[] products;
  private final byte[] kinds;
  private final long[] t;

  /** What {@link #touch} read, so that it is not optimised away. */
  private long touched;

  ScalarAffineAdder(CoordinateField field, int maxBatch) {
    this.field = field;
    this.w = field.words();
    this.maxBatch = maxBatch;
    denominators = new long[maxBatch * w];
    products = new long[maxBatch * w];
    kinds = new byte[maxBatch];
    t = new long[7 * w];
  }

  @Override
  public void add(
      AffineVector out,
      int at,
      AffineVector x,
      int[] xRefs,
      int xo,
      AffineVector y,
      int[] yRefs,
      int yo,
      int n) {
    if (n > maxBatch) {
      throw new IllegalArgumentException(
          "%d additions in an adder made for %d".formatted(n, maxBatch));
    }
    final CoordinateField f = field;
    long[] z = words(out);
    long[] xs = words(x);
    long[] ys = words(y);
    final int stride = 2 * w;
    final int acc = 0;
    touch(xs, xRefs, xo, n);
    touch(ys, yRefs, yo, n);
    f.setOne(t, acc);
    for (int k = 0; k < n; k++) {
      int i = (xRefs[xo + k] >> 1) * stride;
      int j = (yRefs[yo + k] >> 1) * stride;
      if (i >= 0 && j >= 0) {
        f.sub(denominators, k * w, ys, j, xs, i);
        if (!f.isZero(denominators, k * w) && !f.isZero(xs, i) && !f.isZero(ys, j)) {
          kinds[k] = ADD;
        } else {
          exception(k, xs, i, xRefs[xo + k], ys, j, yRefs[yo + k]);
        }
      } else {
        kinds[k] = j >= 0 ? RIGHT : i >= 0 ? LEFT : INFINITY;
      }
      if (kinds[k] <= DOUBLE) {
        f.set(products, k * w, t, acc);
        f.mul(t, acc, t, acc, denominators, k * w);
      }
    }
    if (!f.isOne(t, acc)) {
      f.inv(t, acc, t, acc);
    }
    for (int k = n - 1; k >= 0; k--) {
      int i = (xRefs[xo + k] >> 1) * stride;
      int j = (yRefs[yo + k] >> 1) * stride;
      int to = (at + k) * stride;
      switch (kinds[k]) {
        case ADD, DOUBLE -> sum(z, to, xs, i, xRefs[xo + k], ys, j, yRefs[yo + k], k);
        case LEFT -> copy(z, to, xs, i, xRefs[xo + k]);
        case RIGHT -> copy(z, to, ys, j, yRefs[yo + k]);
        default -> {
          f.setZero(z, to);
          f.setZero(z, to + w);
        }
      }
    }
  }

  /**
   * Brings the operands into the cache: loads that depend on nothing overlap, whereas those between
   * multiplications would each wait for memory.
   */
  private void touch(long[] points, int[] refs, int from, int n) {
    final int stride = 2 * w;
    long any = 0;
    for (int k = from; k < from + n; k++) {
      int i = Math.max(0, refs[k] >> 1) * stride;
      for (int word = 0; word < stride; word += 8) {
        any ^= points[i + word];
      }
      any ^= points[i + stride - 1];
    }
    touched ^= any;
  }

  /** The slow way for an infinity, an equal or an opposite pair, or an x of zero. */
  private void exception(int k, long[] xs, int i, int xRef, long[] ys, int j, int yRef) {
    final CoordinateField f = field;
    boolean xInfinity = f.isZero(xs, i) && f.isZero(xs, i + w);
    boolean yInfinity = f.isZero(ys, j) && f.isZero(ys, j + w);
    if (xInfinity) {
      kinds[k] = yInfinity ? INFINITY : RIGHT;
    } else if (yInfinity) {
      kinds[k] = LEFT;
    } else if (!f.isZero(denominators, k * w)) {
      kinds[k] = ADD;
    } else {
      final int y1 = w;
      final int y2 = 2 * w;
      signed(t, y1, xs, i + w, xRef);
      signed(t, y2, ys, j + w, yRef);
      f.add(denominators, k * w, t, y1, t, y2);
      kinds[k] = f.isZero(denominators, k * w) ? INFINITY : DOUBLE; // else y1 = y2: 2·y
    }
  }

  private void sum(
      long[] z, int to, long[] xs, int i, int xRef, long[] ys, int j, int yRef, int k) {
    final CoordinateField f = field;
    final int acc = 0, inverse = w, slope = 2 * w, y1 = 3 * w, x3 = 4 * w, square = 5 * w;
    f.mul(t, inverse, t, acc, products, k * w);
    f.mul(t, acc, t, acc, denominators, k * w);
    if (kinds[k] == ADD) {
      if ((xRef & 1) == 0) {
        f.set(t, y1, xs, i + w);
      } else {
        f.neg(t, y1, xs, i + w);
      }
      if ((yRef & 1) == 0) {
        f.sub(t, slope, ys, j + w, t, y1);
      } else {
        f.neg(t, slope, ys, j + w);
        f.sub(t, slope, t, slope, t, y1);
      }
    } else {
      signed(t, y1, xs, i + w, xRef);
      f.square(t, square, xs, i);
      f.dbl(t, slope, t, square);
      f.add(t, slope, t, slope, t, square);
    }
    f.mul(t, slope, t, slope, t, inverse);
    f.square(t, square, t, slope);
    f.sub(t, x3, t, square, xs, i);
    f.sub(t, x3, t, x3, ys, j);
    f.sub(t, square, xs, i, t, x3);
    f.mul(t, slope, t, slope, t, square);
    f.set(z, to, t, x3);
    f.sub(z, to + w, t, slope, t, y1);
  }

  private void signed(long[] z, int zo, long[] y, int yo, int ref) {
    if ((ref & 1) == 0) {
      field.set(z, zo, y, yo);
    } else {
      field.neg(z, zo, y, yo);
    }
  }

  private void copy(long[] z, int to, long[] xs, int i, int ref) {
    field.set(z, to, xs, i);
    signed(z, to + w, xs, i + w, ref);
  }

  @Override
  public void gather(AffineVector out, int at, AffineVector x, int[] refs, int from, int n) {
    long[] z = words(out);
    long[] xs = words(x);
    for (int k = 0; k < n; k++) {
      int to = (at + k) * 2 * w;
      int ref = refs[from + k];
      if (ref < 0) {
        field.setZero(z, to);
        field.setZero(z, to + w);
      } else {
        copy(z, to, xs, (ref >> 1) * 2 * w, ref);
      }
    }
  }

  private long[] words(AffineVector v) {
    if (v instanceof ScalarAffineVector s && s.field == field) {
      return s.words;
    }
    throw new IllegalArgumentException(
        "points of another field or arithmetic in a scalar adder: " + v.getClass().getName());
  }
}
