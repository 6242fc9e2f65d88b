package io.cuzk.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.field.CoordinateField;
import io.cuzk.field.Fr;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Group laws on every kind of operand, the same for both groups. */
abstract class GroupTest {
  final Group group;
  final CoordinateField field;
  private final int affine;
  private final int jacobian;
  private final Random random = new Random(381);

  GroupTest(Group group) {
    this.group = group;
    field = group.field();
    affine = group.affineWords();
    jacobian = group.jacobianWords();
  }

  static long[] scalar(BigInteger v) {
    long[] s = new long[4];
    for (int i = 0; i < 4; i++) {
      s[i] = v.shiftRight(64 * i).longValue();
    }
    return s;
  }

  long[] generator() {
    long[] a = new long[affine];
    group.generator(a, 0);
    return a;
  }

  /** k·G as a Jacobian point, by adding up the affine generator. */
  long[] multiple(int k) {
    long[] p = new long[jacobian];
    for (int i = 0; i < k; i++) {
      group.addMixed(p, 0, p, 0, generator(), 0);
    }
    return p;
  }

  long[] times(long[] p, BigInteger k) {
    long[] z = new long[jacobian];
    group.mul(z, 0, p, 0, scalar(k), 0);
    return z;
  }

  long[] negative(long[] p) {
    long[] z = new long[jacobian];
    group.neg(z, 0, p, 0);
    return z;
  }

  long[] affineOf(long[] p) {
    long[] a = new long[affine];
    group.toAffine(a, 0, p, 0);
    return a;
  }

  /** The same point with another Z. */
  long[] rescaled(long[] p) {
    int n = field.words();
    long[] z = new long[n];
    field.setOne(z, 0);
    for (int i = random.nextInt(9) + 2; i > 0; i--) {
      field.add(z, 0, z, 0, p, 0);
      field.dbl(z, 0, z, 0);
    }
    long[] q = p.clone();
    long[] zz = new long[n];
    field.square(zz, 0, z, 0);
    field.mul(q, 0, q, 0, zz, 0);
    field.mul(zz, 0, zz, 0, z, 0);
    field.mul(q, n, q, n, zz, 0);
    field.mul(q, 2 * n, q, 2 * n, z, 0);
    return q;
  }

  void assertSame(long[] actual, long[] expected) {
    assertThat(group.equal(actual, 0, expected, 0)).isTrue();
    assertThat(affineOf(actual)).isEqualTo(affineOf(expected));
    long[] a = affineOf(actual);
    assertThat(group.isOnCurve(a, 0)).isTrue();
  }

  /** Every addition of every shape agrees with multiples of the generator. */
  @Test
  void additionsAreComplete() {
    long[][] points = new long[7][];
    for (int k = 0; k < 4; k++) {
      points[k] = multiple(k);
    }
    for (int k = 1; k < 4; k++) {
      points[3 + k] = negative(points[k]);
    }
    int[] value = {0, 1, 2, 3, -1, -2, -3};
    for (int i = 0; i < 7; i++) {
      for (int j = 0; j < 7; j++) {
        int sum = value[i] + value[j];
        long[] expected = multiple(Math.abs(sum));
        if (sum < 0) {
          expected = negative(expected);
        }
        long[] z = new long[jacobian];
        long[] p = rescaled(points[i]);
        long[] q = rescaled(points[j]);
        group.add(z, 0, p, 0, q, 0);
        assertSame(z, expected);
        long[] aliased = p.clone();
        group.add(aliased, 0, aliased, 0, q, 0);
        assertThat(aliased).isEqualTo(z);
        aliased = q.clone();
        group.add(aliased, 0, p, 0, aliased, 0);
        assertThat(aliased).isEqualTo(z);
        group.addMixed(z, 0, p, 0, affineOf(q), 0);
        assertSame(z, expected);
        aliased = p.clone();
        group.addMixed(aliased, 0, aliased, 0, affineOf(q), 0);
        assertSame(aliased, expected);
        group.addAffine(z, 0, affineOf(p), 0, affineOf(q), 0);
        assertSame(z, expected);
      }
    }
  }

  @Test
  void doublingAgreesWithAddition() {
    for (int k = 0; k < 5; k++) {
      long[] p = rescaled(multiple(k));
      long[] z = new long[jacobian];
      group.dbl(z, 0, p, 0);
      assertSame(z, multiple(2 * k));
      group.dbl(p, 0, p, 0);
      assertThat(p).isEqualTo(z);
    }
  }

  @Test
  void scalarsCoverTheWholeRange() {
    BigInteger r = Fr.MODULUS;
    long[] g = multiple(1);
    assertThat(group.isInfinity(times(g, BigInteger.ZERO), 0)).isTrue();
    assertThat(group.isInfinity(times(g, r), 0)).isTrue();
    assertSame(times(g, r.subtract(BigInteger.ONE)), negative(g));
    for (int k = 0; k < 40; k++) {
      assertSame(times(g, BigInteger.valueOf(k)), multiple(k));
    }
    BigInteger top = BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE);
    assertSame(times(g, top), times(g, top.mod(r)));
    for (int i = 0; i < 20; i++) {
      BigInteger a = new BigInteger(256, random);
      BigInteger b = new BigInteger(255, random);
      long[] sum = new long[jacobian];
      group.add(sum, 0, times(g, a), 0, times(g, b), 0);
      assertSame(sum, times(g, a.add(b).mod(r)));
    }
    assertThat(group.isInfinity(times(new long[jacobian], top), 0)).isTrue();
  }

  @Test
  void batchAgreesWithSinglePoints() {
    int count = 9;
    long[] points = new long[count * jacobian];
    for (int i = 0; i < count; i++) {
      long[] p = i == 0 || i == 4 || i == 8 ? multiple(0) : rescaled(multiple(i));
      System.arraycopy(p, 0, points, i * jacobian, jacobian);
    }
    long[] out = new long[count * affine];
    group.toAffineBatch(out, 0, points, 0, count);
    for (int i = 0; i < count; i++) {
      long[] single = new long[affine];
      group.toAffine(single, 0, points, i * jacobian);
      assertThat(Arrays.copyOfRange(out, i * affine, (i + 1) * affine)).isEqualTo(single);
    }
    group.toAffineBatch(out, 0, points, 0, 0);
  }

  @Test
  void theCurveCheckSeesEveryCoordinate() {
    long[] g = generator();
    assertThat(group.isOnCurve(g, 0)).isTrue();
    for (int i = 0; i < affine; i++) {
      long[] bad = g.clone();
      bad[i] ^= 1;
      assertThat(group.isOnCurve(bad, 0)).isFalse();
    }
    assertThat(group.isOnCurve(new long[affine], 0)).isTrue();
  }

  /** The endomorphism test says exactly what multiplication by r says, inside and outside. */
  @Test
  void subgroupCheckAgreesWithMultiplicationByTheOrder() {
    int n = field.words();
    int outside = 0;
    long[] x = new long[n];
    long[] one = new long[n];
    field.setOne(one, 0);
    for (int i = 0; i < 40; i++) {
      field.add(x, 0, x, 0, one, 0);
      long[] p = new long[affine];
      field.set(p, 0, x, 0);
      group.rightHandSide(p, n, x, 0);
      if (!field.sqrt(p, n, p, n)) {
        continue;
      }
      assertThat(group.isOnCurve(p, 0)).isTrue();
      long[] j = new long[jacobian];
      group.fromAffine(j, 0, p, 0);
      boolean member = group.isInfinity(times(j, Fr.MODULUS), 0);
      assertThat(group.isInSubgroup(p, 0)).isEqualTo(member);
      outside += member ? 0 : 1;
      // What r leaves over has an order that divides the cofactor.
      long[] rest = affineOf(times(j, Fr.MODULUS));
      assertThat(group.isInSubgroup(rest, 0)).isEqualTo(group.isAffineInfinity(rest, 0));
    }
    assertThat(outside).isGreaterThan(5);
    for (int k = 0; k < 5; k++) {
      assertThat(group.isInSubgroup(affineOf(multiple(k)), 0)).isTrue();
    }
  }

  @Test
  void flatPointsReadWithinTheirBounds() {
    long[] words = new long[3 * affine];
    for (int i = 0; i < 3; i++) {
      System.arraycopy(affineOf(multiple(i)), 0, words, i * affine, affine);
    }
    FlatPoints points = new FlatPoints(group, words);
    assertThat(points.size()).isEqualTo(3);
    long[] out = new long[2 * affine + 1];
    points.read(1, 2, out, 1);
    assertThat(Arrays.copyOfRange(out, 1, out.length))
        .isEqualTo(Arrays.copyOfRange(words, affine, 3 * affine));
    assertThatThrownBy(() -> points.read(2, 2, out, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> new FlatPoints(group, new long[5]))
        .hasMessageContaining("found 5 words");
  }
}
