package io.cuzk.field;

/** {@link Fp2} as the coordinates of G2. */
public final class Fp2Field extends CoordinateField {
  /** The field; it has no state. */
  public static final Fp2Field INSTANCE = new Fp2Field();

  private Fp2Field() {}

  @Override
  public int words() {
    return Fp2.WORDS;
  }

  @Override
  public void mul(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    Fp2.mul(z, zo, x, xo, y, yo);
  }

  @Override
  public void square(long[] z, int zo, long[] x, int xo) {
    Fp2.square(z, zo, x, xo);
  }

  @Override
  public void add(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    Fp2.add(z, zo, x, xo, y, yo);
  }

  @Override
  public void sub(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    Fp2.sub(z, zo, x, xo, y, yo);
  }

  @Override
  public void dbl(long[] z, int zo, long[] x, int xo) {
    Fp2.dbl(z, zo, x, xo);
  }

  @Override
  public void neg(long[] z, int zo, long[] x, int xo) {
    Fp2.neg(z, zo, x, xo);
  }

  @Override
  public void inv(long[] z, int zo, long[] x, int xo) {
    Fp2.inv(z, zo, x, xo);
  }

  @Override
  public boolean sqrt(long[] z, int zo, long[] x, int xo) {
    return Fp2.sqrt(z, zo, x, xo);
  }

  @Override
  public void setOne(long[] z, int zo) {
    Fp2.setOne(z, zo);
  }

  @Override
  public boolean isOne(long[] x, int xo) {
    return Fp2.isOne(x, xo);
  }
}
