package io.cuzk.field;

/**
 * Affine points of a curve y² = x³ + b in flat storage. The layout inside belongs to the {@link
 * Arithmetic} that allocated it; what goes in and comes out is x ‖ y in Montgomery words, reduced,
 * with infinity as all zero words (no point of either curve has x = y = 0).
 *
 * <p>Disjoint ranges may be written by several threads at once, and one range read by many.
 */
public abstract class AffineVector {
  private final int size;

  /** For providers. */
  protected AffineVector(int size) {
    this.size = size;
  }

  /** Number of points. */
  public final int size() {
    return size;
  }

  /** Points at … at+count−1 become those at {@code words[off]}. */
  public abstract void load(int at, long[] words, int off, int count);

  /** Writes points at … at+count−1. */
  public abstract void store(int at, long[] words, int off, int count);

  /** Points at … at+count−1 become infinity. */
  public abstract void clear(int at, int count);
}
