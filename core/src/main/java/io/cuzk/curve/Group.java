package io.cuzk.curve;

import io.cuzk.field.CoordinateField;
import io.cuzk.field.Fp;
import io.cuzk.field.Fp2;
import io.cuzk.field.Fp2Field;
import io.cuzk.field.FpField;
import java.math.BigInteger;

/**
 * The two source groups of the BLS12-381 pairing: G1 on y² = x³ + 4 over Fp, G2 on y² = x³ + 4(1 +
 * u) over Fp2.
 *
 * <p>Representation: an affine point is x ‖ y, infinity all zero words (no point of either curve
 * has x = y = 0); a Jacobian point is X ‖ Y ‖ Z with x = X/Z², y = Y/Z³, infinity any words with Z
 * = 0. Coordinates are reduced Montgomery words of {@link #field()} in flat {@code long[]} arrays.
 * The result comes first; operands may alias it, if they start at the same word.
 *
 * <p>All operations are complete: infinity, equal and opposite operands give the right sum. They
 * work on every point of the curve, inside the subgroup of order r or not. Each allocates a small
 * scratch array and is variable time. Instances are stateless and thread-safe.
 *
 * <p>Formulas: Bernstein and Lange's database, shortw/jacobian-0: dbl-2009-l, add-2007-bl,
 * madd-2007-bl, mmadd-2007-bl. Subgroup checks: Scott, "A note on group membership tests for G1, G2
 * and GT on BLS pairing-friendly curves" (2021).
 */
public final class Group {
  /** The absolute value of the curve parameter u, which is negative. */
  static final long PARAMETER = 0xd201000000010000L;

  /** The subgroup of E(Fp). */
  public static final Group G1 =
      new Group(
          "G1",
          FpField.INSTANCE,
          "17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
          "08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1");

  /** The subgroup of the twist E'(Fp2). */
  public static final Group G2 =
      new Group(
          "G2",
          Fp2Field.INSTANCE,
          "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8",
          "13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e",
          "0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801",
          "0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be");

  private static final int WINDOW = 5;

  private final String name;
  private final CoordinateField field;
  private final int n;
  private final long[] b;
  private final long[] generator;

  /** Factors of x and y in the endomorphism that {@link #isInSubgroup} uses. */
  private final long[] endoX;

  private final long[] endoY;

  private Group(String name, CoordinateField field, String... generator) {
    this.name = name;
    this.field = field;
    n = field.words();
    this.generator = new long[2 * n];
    for (int i = 0; i < generator.length; i++) {
      Fp.fromBigInteger(this.generator, i * Fp.WORDS, new BigInteger(generator[i], 16));
    }
    b = new long[n];
    Fp.setLong(b, 0, 4);
    endoX = new long[n];
    endoY = new long[n];
    BigInteger third = Fp.MODULUS.divide(BigInteger.valueOf(3)); // (p − 1)/3, rounded down
    if (n == Fp.WORDS) {
      // A cube root of unity: (x, y) -> (βx, y) is multiplication by −u² on G1.
      Fp.setLong(endoX, 0, 2);
      Fp.pow(endoX, 0, endoX, 0, third);
      Fp.setOne(endoY, 0);
    } else {
      Fp.setLong(b, Fp.WORDS, 4);
      // ψ = untwist, Frobenius, twist: ξ^(−(p − 1)/3) and ξ^(−(p − 1)/2) on the conjugates.
      long[] inverse = new long[n];
      Fp2.setOne(inverse, 0);
      Fp2.mulByNonResidue(inverse, 0, inverse, 0);
      Fp2.inv(inverse, 0, inverse, 0);
      Fp2.pow(endoX, 0, inverse, 0, third);
      Fp2.pow(endoY, 0, inverse, 0, Fp.MODULUS.shiftRight(1));
    }
  }

  /** "G1" or "G2". */
  public String name() {
    return name;
  }

  /** The field of the coordinates. */
  public CoordinateField field() {
    return field;
  }

  /** 64-bit words of an affine point: 12 or 24. */
  public int affineWords() {
    return 2 * n;
  }

  /** 64-bit words of a Jacobian point: 18 or 36. */
  public int jacobianWords() {
    return 3 * n;
  }

  /** Writes the standard generator of the subgroup, affine. */
  public void generator(long[] affine, int at) {
    System.arraycopy(generator, 0, affine, at, 2 * n);
  }

  /** Makes a Jacobian point infinity. */
  public void setInfinity(long[] jac, int at) {
    for (int i = 0; i < 3 * n; i++) {
      jac[at + i] = 0;
    }
  }

  /** Whether a Jacobian point is infinity. */
  public boolean isInfinity(long[] jac, int at) {
    return field.isZero(jac, at + 2 * n);
  }

  /** Makes an affine point infinity. */
  public void setAffineInfinity(long[] affine, int at) {
    for (int i = 0; i < 2 * n; i++) {
      affine[at + i] = 0;
    }
  }

  /** Whether an affine point is infinity. */
  public boolean isAffineInfinity(long[] affine, int at) {
    return field.isZero(affine, at) && field.isZero(affine, at + n);
  }

  /** Copies a Jacobian point. */
  public void set(long[] z, int zo, long[] x, int xo) {
    System.arraycopy(x, xo, z, zo, 3 * n);
  }

  /** z = x for an affine x. */
  public void fromAffine(long[] z, int zo, long[] x, int xo) {
    if (isAffineInfinity(x, xo)) {
      setInfinity(z, zo);
      return;
    }
    System.arraycopy(x, xo, z, zo, 2 * n);
    field.setOne(z, zo + 2 * n);
  }

  /** z = −x, Jacobian. */
  public void neg(long[] z, int zo, long[] x, int xo) {
    field.set(z, zo, x, xo);
    field.neg(z, zo + n, x, xo + n);
    field.set(z, zo + 2 * n, x, xo + 2 * n);
  }

  /** z = −x, both affine. */
  public void negAffine(long[] z, int zo, long[] x, int xo) {
    field.set(z, zo, x, xo);
    field.neg(z, zo + n, x, xo + n);
  }

  /** z = 2·x, Jacobian. */
  public void dbl(long[] z, int zo, long[] x, int xo) {
    final CoordinateField f = field;
    final int w = n;
    long[] t = new long[5 * w];
    final int a = 0, bb = w, c = 2 * w, d = 3 * w, e = 4 * w;
    f.square(t, a, x, xo);
    f.square(t, bb, x, xo + w);
    f.square(t, c, t, bb);
    f.add(t, d, x, xo, t, bb);
    f.square(t, d, t, d);
    f.sub(t, d, t, d, t, a);
    f.sub(t, d, t, d, t, c);
    f.dbl(t, d, t, d); // 4·X·Y²
    f.dbl(t, e, t, a);
    f.add(t, e, t, e, t, a); // 3·X²
    f.mul(z, zo + 2 * w, x, xo + w, x, xo + 2 * w);
    f.dbl(z, zo + 2 * w, z, zo + 2 * w);
    f.square(t, a, t, e);
    f.sub(t, a, t, a, t, d);
    f.sub(z, zo, t, a, t, d);
    f.sub(t, d, t, d, z, zo);
    f.mul(t, d, t, d, t, e);
    f.dbl(t, c, t, c);
    f.dbl(t, c, t, c);
    f.dbl(t, c, t, c);
    f.sub(z, zo + w, t, d, t, c);
  }

  /** z = x + y, all Jacobian. */
  public void add(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    final CoordinateField f = field;
    final int w = n;
    if (isInfinity(y, yo)) {
      set(z, zo, x, xo);
      return;
    }
    if (isInfinity(x, xo)) {
      set(z, zo, y, yo);
      return;
    }
    long[] t = new long[7 * w];
    final int zz1 = 0, zz2 = w, u1 = 2 * w, h = 3 * w, s1 = 4 * w, r = 5 * w, zsum = 6 * w;
    f.square(t, zz1, x, xo + 2 * w);
    f.square(t, zz2, y, yo + 2 * w);
    f.mul(t, u1, x, xo, t, zz2);
    f.mul(t, h, y, yo, t, zz1);
    f.mul(t, s1, x, xo + w, y, yo + 2 * w);
    f.mul(t, s1, t, s1, t, zz2);
    f.mul(t, r, y, yo + w, x, xo + 2 * w);
    f.mul(t, r, t, r, t, zz1);
    f.sub(t, h, t, h, t, u1);
    f.sub(t, r, t, r, t, s1);
    if (f.isZero(t, h)) {
      if (f.isZero(t, r)) {
        dbl(z, zo, x, xo);
      } else {
        setInfinity(z, zo);
      }
      return;
    }
    f.add(t, zsum, x, xo + 2 * w, y, yo + 2 * w);
    f.square(t, zsum, t, zsum);
    f.sub(t, zsum, t, zsum, t, zz1);
    f.sub(t, zsum, t, zsum, t, zz2);
    f.mul(z, zo + 2 * w, t, zsum, t, h);
    finishAddition(z, zo, t, h, r, u1, s1, zz1, zz2);
  }

  /** z = x + y for a Jacobian x and an affine y; z is Jacobian. */
  public void addMixed(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    final CoordinateField f = field;
    final int w = n;
    if (isAffineInfinity(y, yo)) {
      set(z, zo, x, xo);
      return;
    }
    if (isInfinity(x, xo)) {
      fromAffine(z, zo, y, yo);
      return;
    }
    long[] t = new long[7 * w];
    final int zz1 = 0, hh = w, x1 = 2 * w, h = 3 * w, y1 = 4 * w, r = 5 * w, zsum = 6 * w;
    f.square(t, zz1, x, xo + 2 * w);
    f.mul(t, h, y, yo, t, zz1);
    f.mul(t, r, y, yo + w, x, xo + 2 * w);
    f.mul(t, r, t, r, t, zz1);
    f.sub(t, h, t, h, x, xo);
    f.sub(t, r, t, r, x, xo + w);
    if (f.isZero(t, h)) {
      if (f.isZero(t, r)) {
        dbl(z, zo, x, xo);
      } else {
        setInfinity(z, zo);
      }
      return;
    }
    f.set(t, x1, x, xo);
    f.set(t, y1, x, xo + w);
    f.add(t, zsum, x, xo + 2 * w, t, h);
    f.square(t, zsum, t, zsum);
    f.square(t, hh, t, h);
    f.sub(t, zsum, t, zsum, t, zz1);
    f.sub(z, zo + 2 * w, t, zsum, t, hh);
    finishAddition(z, zo, t, h, r, x1, y1, zz1, hh);
  }

  /** z = x + y for affine x and y; z is Jacobian. */
  public void addAffine(long[] z, int zo, long[] x, int xo, long[] y, int yo) {
    final CoordinateField f = field;
    final int w = n;
    if (isAffineInfinity(y, yo)) {
      fromAffine(z, zo, x, xo);
      return;
    }
    if (isAffineInfinity(x, xo)) {
      fromAffine(z, zo, y, yo);
      return;
    }
    long[] t = new long[6 * w];
    final int v = 0, hh = w, x1 = 2 * w, h = 3 * w, y1 = 4 * w, r = 5 * w;
    f.sub(t, h, y, yo, x, xo);
    f.sub(t, r, y, yo + w, x, xo + w);
    f.set(t, x1, x, xo);
    f.set(t, y1, x, xo + w);
    if (f.isZero(t, h)) {
      if (f.isZero(t, r)) {
        fromAffine(z, zo, x, xo);
        dbl(z, zo, z, zo);
      } else {
        setInfinity(z, zo);
      }
      return;
    }
    f.dbl(z, zo + 2 * w, t, h);
    finishAddition(z, zo, t, h, r, x1, y1, v, hh);
  }

  /**
   * X and Y of a sum, given h = U2 − U1 and S2 − S1 (in {@code r}), and Z done: i = 4h², j = h·i, r
   * = 2(S2 − S1), v = U1·i, X = r² − j − 2v, Y = r(v − X) − 2·S1·j. Uses {@code i} and {@code v} as
   * scratch and spoils the rest.
   */
  private void finishAddition(
      long[] z, int zo, long[] t, int h, int r, int u1, int s1, int v, int i) {
    final CoordinateField f = field;
    f.dbl(t, r, t, r);
    f.dbl(t, i, t, h);
    f.square(t, i, t, i);
    f.mul(t, v, t, u1, t, i);
    f.mul(t, h, t, h, t, i); // j
    f.square(t, u1, t, r);
    f.sub(t, u1, t, u1, t, h);
    f.sub(t, u1, t, u1, t, v);
    f.sub(z, zo, t, u1, t, v);
    f.sub(t, v, t, v, z, zo);
    f.mul(t, v, t, v, t, r);
    f.mul(t, s1, t, s1, t, h);
    f.dbl(t, s1, t, s1);
    f.sub(z, zo + n, t, v, t, s1);
  }

  /** Whether two Jacobian points are the same point. */
  public boolean equal(long[] x, int xo, long[] y, int yo) {
    boolean xInfinity = isInfinity(x, xo);
    boolean yInfinity = isInfinity(y, yo);
    if (xInfinity || yInfinity) {
      return xInfinity == yInfinity;
    }
    final CoordinateField f = field;
    long[] t = new long[4 * n];
    final int zz1 = 0, zz2 = n, l = 2 * n, r = 3 * n;
    f.square(t, zz1, x, xo + 2 * n);
    f.square(t, zz2, y, yo + 2 * n);
    f.mul(t, l, x, xo, t, zz2);
    f.mul(t, r, y, yo, t, zz1);
    if (!f.equal(t, l, t, r)) {
      return false;
    }
    f.mul(t, zz1, t, zz1, x, xo + 2 * n);
    f.mul(t, zz2, t, zz2, y, yo + 2 * n);
    f.mul(t, l, x, xo + n, t, zz2);
    f.mul(t, r, y, yo + n, t, zz1);
    return f.equal(t, l, t, r);
  }

  /**
   * z = s·x for a Jacobian x, by signed windows of five bits.
   *
   * @param s four little-endian words, any unsigned 256-bit number
   */
  public void mul(long[] z, int zo, long[] x, int xo, long[] s, int so) {
    final int w = 3 * n;
    byte[] digits = signedDigits(s, so);
    int top = digits.length - 1;
    while (top >= 0 && digits[top] == 0) {
      top--;
    }
    long[] acc = new long[w];
    if (top >= 0) {
      final int entries = 1 << (WINDOW - 2);
      long[] odd = new long[(entries + 1) * w]; // x, 3x, 5x, … and scratch
      set(odd, 0, x, xo);
      dbl(odd, entries * w, x, xo);
      for (int i = 1; i < entries; i++) {
        add(odd, i * w, odd, (i - 1) * w, odd, entries * w);
      }
      for (int i = top; i >= 0; i--) {
        if (i != top) {
          dbl(acc, 0, acc, 0);
        }
        int d = digits[i];
        if (d > 0) {
          add(acc, 0, acc, 0, odd, (d >> 1) * w);
        } else if (d < 0) {
          neg(odd, entries * w, odd, (-d >> 1) * w);
          add(acc, 0, acc, 0, odd, entries * w);
        }
      }
    }
    set(z, zo, acc, 0);
  }

  /** The non-adjacent form of width {@link #WINDOW}: digits odd and below 16 in absolute value. */
  private static byte[] signedDigits(long[] s, int so) {
    byte[] digits = new byte[257];
    int carry = 0;
    int i = 0;
    while (i < digits.length) {
      int bit = bits(s, so, i, 1) + carry;
      if ((bit & 1) == 0) {
        i++;
        continue; // an even value keeps its carry: 1 + 1 stays a carry, 0 + 0 none
      }
      int d = bits(s, so, i, WINDOW) + carry;
      carry = 0;
      if (d > 1 << (WINDOW - 1)) {
        d -= 1 << WINDOW;
        carry = 1;
      }
      digits[i] = (byte) d;
      i += WINDOW;
    }
    return digits;
  }

  /** Bits {@code from … from + count − 1}, zero beyond the top. */
  private static int bits(long[] s, int so, int from, int count) {
    int word = from >>> 6;
    int shift = from & 63;
    if (word >= 4) {
      return 0;
    }
    long v = s[so + word] >>> shift;
    if (shift + count > 64 && word < 3) {
      v |= s[so + word + 1] << (64 - shift);
    }
    return (int) (v & ((1L << count) - 1));
  }

  /** out = the affine form of a Jacobian point. */
  public void toAffine(long[] out, int at, long[] jac, int ja) {
    if (isInfinity(jac, ja)) {
      setAffineInfinity(out, at);
      return;
    }
    long[] inverse = new long[n];
    field.inv(inverse, 0, jac, ja + 2 * n);
    scaleToAffine(out, at, jac, ja, inverse, 0);
  }

  /**
   * The affine forms of n consecutive Jacobian points, with one shared inversion (Montgomery's
   * trick). {@code out} must not overlap {@code jac}. Allocates n field elements.
   */
  public void toAffineBatch(long[] out, int at, long[] jac, int ja, int count) {
    final CoordinateField f = field;
    final int w = n;
    long[] prefix = new long[(count + 1) * w]; // products of the Z before each point
    f.setOne(prefix, 0);
    for (int i = 0; i < count; i++) {
      int z = ja + (3 * i + 2) * w;
      if (f.isZero(jac, z)) {
        f.set(prefix, (i + 1) * w, prefix, i * w);
      } else {
        f.mul(prefix, (i + 1) * w, prefix, i * w, jac, z);
      }
    }
    long[] t = new long[2 * w];
    f.inv(t, 0, prefix, count * w);
    for (int i = count - 1; i >= 0; i--) {
      int point = ja + 3 * i * w;
      int target = at + 2 * i * w;
      if (f.isZero(jac, point + 2 * w)) {
        setAffineInfinity(out, target);
      } else {
        f.mul(t, w, t, 0, prefix, i * w);
        f.mul(t, 0, t, 0, jac, point + 2 * w);
        scaleToAffine(out, target, jac, point, t, w);
      }
    }
  }

  private void scaleToAffine(long[] out, int at, long[] jac, int ja, long[] inverse, int io) {
    long[] t = new long[n];
    field.square(t, 0, inverse, io);
    field.mul(out, at, jac, ja, t, 0);
    field.mul(t, 0, t, 0, inverse, io);
    field.mul(out, at + n, jac, ja + n, t, 0);
  }

  /** z = x³ + b, the square that y must have. */
  void rightHandSide(long[] z, int zo, long[] x, int xo) {
    long[] t = new long[n];
    field.square(t, 0, x, xo);
    field.mul(t, 0, t, 0, x, xo);
    field.add(z, zo, t, 0, b, 0);
  }

  /** Whether an affine point lies on the curve; infinity does. */
  public boolean isOnCurve(long[] affine, int at) {
    if (isAffineInfinity(affine, at)) {
      return true;
    }
    long[] t = new long[2 * n];
    rightHandSide(t, 0, affine, at);
    field.square(t, n, affine, at + n);
    return field.equal(t, 0, t, n);
  }

  /**
   * Whether an affine point that lies on the curve is in the subgroup of order r. Tests that the
   * curve's endomorphism multiplies it by the eigenvalue it has on the subgroup: −u² for (βx, y) on
   * G1, u for ψ on G2; Scott shows that no other point passes.
   */
  public boolean isInSubgroup(long[] affine, int at) {
    if (isAffineInfinity(affine, at)) {
      return true;
    }
    long[] expected = new long[3 * n];
    long[] image = new long[3 * n];
    fromAffine(expected, 0, affine, at);
    mulByParameter(expected, expected);
    if (n == Fp.WORDS) {
      mulByParameter(expected, expected);
    }
    neg(expected, 0, expected, 0); // u < 0, and −u² < 0
    applyEndomorphism(image, 0, affine, at);
    field.setOne(image, 2 * n);
    return equal(image, 0, expected, 0);
  }

  /** The endomorphism of {@link #isInSubgroup} on an affine point. */
  void applyEndomorphism(long[] z, int zo, long[] x, int xo) {
    System.arraycopy(x, xo, z, zo, 2 * n);
    if (n == Fp2.WORDS) {
      Fp2.conjugate(z, zo, z, zo);
      Fp2.conjugate(z, zo + n, z, zo + n);
    }
    field.mul(z, zo, z, zo, endoX, 0);
    field.mul(z, zo + n, z, zo + n, endoY, 0);
  }

  /** z = |u|·x, six additions. */
  private void mulByParameter(long[] z, long[] x) {
    long[] acc = x.clone();
    long[] base = x.clone();
    for (int i = 62; i >= 0; i--) {
      dbl(acc, 0, acc, 0);
      if ((PARAMETER >>> i & 1) != 0) {
        add(acc, 0, acc, 0, base, 0);
      }
    }
    set(z, 0, acc, 0);
  }

  @Override
  public String toString() {
    return name;
  }
}
