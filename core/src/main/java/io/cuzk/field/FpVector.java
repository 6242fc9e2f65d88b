package io.cuzk.field;

/**
 * A vector of elements of the base field in flat storage, for products of many independent pairs.
 * The layout inside belongs to the {@link Arithmetic} that allocated it; what goes in and comes out
 * is 6-word Montgomery form as in {@link Fp}, reduced.
 *
 * <p>Vectors of different providers must not meet in one operation (IllegalArgumentException). A
 * vector belongs to one thread at a time. Memory: 48 bytes an element in the scalar layout, 64 in
 * lanes.
 */
public abstract class FpVector {
  private final int size;

  /** For providers. */
  protected FpVector(int size) {
    this.size = size;
  }

  /** Number of elements. */
  public final int size() {
    return size;
  }

  /** Elements at … at+count−1 become the Montgomery words at {@code montgomery[off]}. */
  public abstract void load(int at, long[] montgomery, int off, int count);

  /** Writes elements at … at+count−1 as Montgomery words, reduced. */
  public abstract void store(int at, long[] montgomery, int off, int count);

  /** this[i] = x[i]·y[i], on the calling thread; x and y may be this. All three have one size. */
  public abstract void setProduct(FpVector x, FpVector y);

  /** Throws unless x has this vector's size. */
  protected final void checkSameSize(FpVector x) {
    if (x.size != size) {
      throw new IllegalArgumentException(
          "vectors of %d and %d elements in one operation".formatted(size, x.size));
    }
  }
}
