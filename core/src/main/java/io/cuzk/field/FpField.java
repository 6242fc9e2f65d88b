package io.cuzk.field;

/** {@link Fp} as the coordinates of G1. */
public final class FpField extends CoordinateField {
  /** The field; it has no state. */
  public static final FpField INSTANCE = new FpField();

  private FpField() {}

  @Override
  public int words() {
    return Fp.WORDS;
  }

  @Override
  public void mul(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    Fp.mul(z, zo, x, xo, y, yo);
  }

  @Override
  public void square(long[] z, int zo, long[] x, int xo) {
    Fp.square(z, zo, x, xo);
  }

  @Override
  public void add(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    Fp.add(z, zo, x, xo, y, yo);
  }

  @Override
  public void sub(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    Fp.sub(z, zo, x, xo, y, yo);
  }

  @Override
  public void dbl(long[] z, int zo, long[] x, int xo) {
    Fp.dbl(z, zo, x, xo);
  }

  @Override
  public void neg(long[] z, int zo, long[] x, int xo) {
    Fp.neg(z, zo, x, xo);
  }

  @Override
  public void inv(long[] z, int zo, long[] x, int xo) {
    Fp.inv(z, zo, x, xo);
  }

  @Override
  public boolean sqrt(long[] z, int zo, long[] x, int xo) {
    return Fp.sqrt(z, zo, x, xo);
  }

  @Override
  public void setOne(long[] z, int zo) {
    Fp.setOne(z, zo);
  }

  @Override
  public boolean isOne(long[] x, int xo) {
    return Fp.isOne(x, xo);
  }
}
