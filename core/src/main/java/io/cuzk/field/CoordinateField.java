package io.cuzk.field;

/**
 * The field that holds the coordinates of a group of BLS12-381: Fp for G1, Fp2 for G2. Lets one set
 * of curve formulas serve both.
 *
 * <p>Elements are {@link #words()} 64-bit words at an offset of a flat {@code long[]}, in
 * Montgomery form and fully reduced, so that equal elements have equal words and zero has only zero
 * words. The result comes first; operands may alias it. Stateless and thread-safe.
 */
public abstract sealed class CoordinateField permits FpField, Fp2Field {
  CoordinateField() {}

  /** 64-bit words of an element. */
  public abstract int words();

  /** z = x·y. */
  public abstract void mul(long[] z, int zo, long[] x, int xo, long[] y, int yo);

  /** z = x². */
  public abstract void square(long[] z, int zo, long[] x, int xo);

  /** z = x + y. */
  public abstract void add(long[] z, int zo, long[] x, int xo, long[] y, int yo);

  /** z = x − y. */
  public abstract void sub(long[] z, int zo, long[] x, int xo, long[] y, int yo);

  /** z = 2·x. */
  public abstract void dbl(long[] z, int zo, long[] x, int xo);

  /** z = −x. */
  public abstract void neg(long[] z, int zo, long[] x, int xo);

  /**
   * z = x⁻¹; variable time.
   *
   * @throws ArithmeticException if x = 0
   */
  public abstract void inv(long[] z, int zo, long[] x, int xo);

  /**
   * z = a square root of x, which of the two is unspecified; variable time.
   *
   * @return false, leaving z untouched, if x is not a square
   */
  public abstract boolean sqrt(long[] z, int zo, long[] x, int xo);

  /** z = 1. */
  public abstract void setOne(long[] z, int zo);

  /** Whether x = 1. */
  public abstract boolean isOne(long[] x, int xo);

  /** z = x. */
  public final void set(long[] z, int zo, long[] x, int xo) {
    System.arraycopy(x, xo, z, zo, words());
  }

  /** z = 0. */
  public final void setZero(long[] z, int zo) {
    int n = words();
    for (int i = 0; i < n; i++) {
      z[zo + i] = 0;
    }
  }

  /** Whether x = 0. */
  public final boolean isZero(long[] x, int xo) {
    long or = 0;
    int n = words();
    for (int i = 0; i < n; i++) {
      or |= x[xo + i];
    }
    return or == 0;
  }

  /** Whether x = y. */
  public final boolean equal(long[] x, int xo, long[] y, int yo) {
    long or = 0;
    int n = words();
    for (int i = 0; i < n; i++) {
      or |= x[xo + i] ^ y[yo + i];
    }
    return or == 0;
  }
}
