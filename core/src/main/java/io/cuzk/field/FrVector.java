package io.cuzk.field;

import io.cuzk.parallel.Workers;

/**
 * A vector of scalars in flat storage. The layout inside belongs to the {@link Arithmetic} that
 * allocated it; what goes in and comes out is 4-word Montgomery form as in {@link Fr}, always
 * reduced, or canonical little-endian words.
 *
 * <p>Vectors of different providers must not meet in one operation (IllegalArgumentException).
 * Memory: 32 bytes an element in the scalar layout, 48 in lanes. Disjoint ranges may be loaded and
 * stored by several threads at once; otherwise a vector belongs to one thread at a time. Nothing
 * here allocates per element.
 */
public abstract class FrVector {
  /** The largest size: 2^28 elements, one JVM array. */
  public static final long MAX_SIZE = 1L << 28;

  private final long size;

  /** For providers. */
  protected FrVector(long size) {
    if (size < 0 || size > MAX_SIZE) {
      throw new IllegalArgumentException(
          "a vector holds 0 to 2^28 scalars, asked for %d".formatted(size));
    }
    this.size = size;
  }

  /** A vector of zeros in the layout of {@link Arithmetic#current()}. */
  public static FrVector allocate(long size) {
    return Arithmetic.current().allocate(size);
  }

  /** Number of elements. */
  public final long size() {
    return size;
  }

  /** The provider whose layout this is. */
  public abstract Arithmetic arithmetic();

  /** Elements at … at+count−1 become the Montgomery words at {@code montgomery[off]}. */
  public abstract void load(long at, long[] montgomery, int off, int count);

  /** Writes elements at … at+count−1 as Montgomery words, reduced. */
  public abstract void store(long at, long[] montgomery, int off, int count);

  /** Writes elements at … at+count−1 as canonical little-endian words. */
  public abstract void storeCanonical(long at, long[] canonical, int off, int count);

  /** Elements from … to−1 become zero. */
  public abstract void clear(long from, long to);

  /** this[i] = x[i]·y[i]; x and y may be this. All three have one size. */
  public abstract void setProduct(FrVector x, FrVector y, Workers workers);

  /** this[i] = x[i] − y[i]; x and y may be this. All three have one size. */
  public abstract void setDifference(FrVector x, FrVector y, Workers workers);

  /** this[i] = x[i]; one size. */
  public abstract void set(FrVector x, Workers workers);

  /** Throws unless [at, at + count) lies inside. */
  protected final void checkRange(long at, long count) {
    if (at < 0 || count < 0 || at + count > size) {
      throw new IllegalArgumentException(
          "elements %d … %d of a vector of %d".formatted(at, at + count - 1, size));
    }
  }

  /** Throws unless x has this vector's size. */
  protected final void checkSameSize(FrVector x) {
    if (x.size != size) {
      throw new IllegalArgumentException(
          "vectors of %d and %d elements in one operation".formatted(size, x.size));
    }
  }
}
