package io.cuzk.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kernels against integers, interpreted: correctness depends neither on who compiles them nor on
 * how wide the machine's vectors are.
 */
final class KernelsTest {
  private static final int GROUPS = 3;
  private static final int N = GROUPS * LaneField.LANES;

  /** Limb-major groups, and the integers they stand for. */
  private record Elements(LaneField field, double[] limbs, BigInteger[] values) {
    static Elements of(LaneField field, BigInteger[] values) {
      Elements x = new Elements(field, new double[GROUPS * field.groupDoubles()], values);
      for (int i = 0; i < N; i++) {
        x.put(i, field.digits(values[i]));
      }
      return x;
    }

    private int at(int i) {
      return (i >> 3) * field.groupDoubles() + (i & 7);
    }

    void put(int i, long[] digits) {
      BigInteger v = BigInteger.ZERO;
      for (int j = 0; j < field.limbs(); j++) {
        limbs[at(i) + 8 * j] = field.stored(digits[j], j);
        v = v.add(BigInteger.valueOf(digits[j]).shiftLeft(field.width() * j));
      }
      values[i] = v;
    }

    /** The integer of element i of a result, after checking what its limbs promise. */
    BigInteger read(int i, double limb, double multiple) {
      BigInteger v = BigInteger.ZERO;
      for (int j = 0; j < field.limbs(); j++) {
        double digit = Math.scalb(limbs[at(i) + 8 * j], field.bits() - field.width() * j);
        assertThat(digit).isEqualTo(Math.rint(digit));
        if (j < field.limbs() - 1) {
          assertThat(Math.abs(digit)).isLessThanOrEqualTo(limb);
        }
        v = v.add(BigInteger.valueOf((long) digit).shiftLeft(field.width() * j));
      }
      assertThat(v.abs().doubleValue())
          .isLessThanOrEqualTo(multiple * field.modulus().doubleValue());
      return v;
    }
  }

  private static final double NORMAL_FP = 0x1p47 + 0x1p9;
  private static final double NORMAL_FR = 0x1p43 + 0x1p9;

  /** Random values, edge values, and limbs at the documented bounds. */
  private static Elements elements(LaneField field, double limb, double multiple, long seed) {
    Random random = new Random(seed);
    BigInteger p = field.modulus();
    BigInteger[] values = new BigInteger[N];
    for (int i = 0; i < N; i++) {
      values[i] = new BigInteger(p.bitLength() + 20, random).mod(p);
      if (random.nextBoolean()) {
        values[i] = values[i].subtract(p);
      }
    }
    values[0] = BigInteger.ZERO;
    values[1] = BigInteger.ONE;
    values[2] = p.subtract(BigInteger.ONE);
    values[3] = p.subtract(BigInteger.TWO.pow(random.nextInt(field.bits() / 2)));
    values[4] = BigInteger.ONE.negate();
    values[5] = p.shiftRight(1);
    Elements x = Elements.of(field, values);
    int top = field.limbs() - 1;
    double unit = Math.scalb(1.0, field.width() * top);
    long highest =
        (long) (multiple * p.doubleValue() / unit) - (long) Math.scalb(limb, 1 - field.width()) - 2;
    for (int i = 8; i < 16; i++) { // all limbs as far as they may be, in all mixtures of signs
      long[] digits = new long[field.limbs()];
      for (int j = 0; j < top; j++) {
        digits[j] = (i == 8 || (i > 9 && random.nextBoolean()) ? 1 : -1) * (long) limb;
      }
      digits[top] = (i & 1) == 0 ? highest : -highest;
      x.put(i, digits);
    }
    return x;
  }

  private static Elements empty(LaneField field) {
    return new Elements(field, new double[GROUPS * field.groupDoubles()], new BigInteger[N]);
  }

  private static void assertCongruent(LaneField f, BigInteger found, BigInteger expected) {
    assertThat(found.mod(f.modulus())).isEqualTo(expected.mod(f.modulus()));
  }

  private static BigInteger overRadix(LaneField f, BigInteger v) {
    return v.multiply(BigInteger.TWO.pow(f.bits()).modInverse(f.modulus()));
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8})
  void productsInFp(int lanes) {
    FpKernels k = Kernels.fp(lanes);
    LaneField f = LaneField.FP;
    for (int seed = 0; seed < 6; seed++) {
      Elements x = elements(f, seed % 2 == 0 ? NORMAL_FP : 2 * NORMAL_FP, 2.5, seed);
      Elements y = elements(f, NORMAL_FP, 2.5, seed + 100);
      Elements d = elements(f, NORMAL_FP, 2.5, seed + 200);
      Elements e = elements(f, NORMAL_FP, 2.5, seed + 300);
      Elements z = empty(f);
      double[] t = new double[GROUPS * FpKernels.HALF];
      k.mulLow(x.limbs, 0, y.limbs, 0, t, 0, GROUPS);
      k.mulHigh(x.limbs, 0, y.limbs, 0, t, 0, z.limbs, 0, GROUPS);
      for (int i = 0; i < N; i++) {
        BigInteger product = overRadix(f, x.values[i].multiply(y.values[i]));
        assertCongruent(f, z.read(i, NORMAL_FP, 2.5), product);
      }
      k.mulHighWide(x.limbs, 0, y.limbs, 0, t, 0, z.limbs, 0, GROUPS);
      k.difference(z.limbs, 0, d.limbs, 0, e.limbs, 0, z.limbs, 0, GROUPS);
      for (int i = 0; i < N; i++) {
        BigInteger product = overRadix(f, x.values[i].multiply(y.values[i]));
        BigInteger expected = product.subtract(d.values[i]).subtract(e.values[i]);
        assertCongruent(f, z.read(i, NORMAL_FP, 0.51), expected);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8})
  void sumsOfTwoProductsInFp(int lanes) {
    FpKernels k = Kernels.fp(lanes);
    LaneField f = LaneField.FP;
    for (int seed = 0; seed < 6; seed++) {
      Elements x = elements(f, NORMAL_FP, 1.3, seed);
      Elements y = elements(f, NORMAL_FP, 1.3, seed + 100);
      Elements u = elements(f, NORMAL_FP, 1.3, seed + 200);
      Elements v = elements(f, NORMAL_FP, 1.3, seed + 300);
      Elements z = empty(f);
      double[] t = new double[GROUPS * FpKernels.HALF];
      int sign = seed % 2 == 0 ? 1 : -1;
      double[] sums = new double[GROUPS * FpKernels.SUMS];
      k.productLow(x.limbs, 0, y.limbs, 0, sums, 0, GROUPS);
      k.dotLow(u.limbs, 0, v.limbs, 0, sign, sums, 0, t, 0, GROUPS);
      k.productHigh(x.limbs, 0, y.limbs, 0, t, 0, sums, 0, GROUPS);
      k.dotHigh(u.limbs, 0, v.limbs, 0, sign, sums, 0, t, 0, z.limbs, 0, GROUPS);
      for (int i = 0; i < N; i++) {
        BigInteger second = u.values[i].multiply(v.values[i]);
        BigInteger sum = x.values[i].multiply(y.values[i]);
        sum = sign > 0 ? sum.add(second) : sum.subtract(second);
        assertCongruent(f, z.read(i, NORMAL_FP, 1.3), overRadix(f, sum));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8})
  void differencesInFp(int lanes) {
    FpKernels k = Kernels.fp(lanes);
    LaneField f = LaneField.FP;
    Elements x = elements(f, NORMAL_FP, 2.5, 1);
    Elements c = elements(f, NORMAL_FP, 2.5, 2);
    Elements d = elements(f, NORMAL_FP, 2.5, 3);
    Elements z = empty(f);
    k.difference(x.limbs, 0, c.limbs, 0, d.limbs, 0, z.limbs, 0, GROUPS);
    for (int i = 0; i < N; i++) {
      BigInteger expected = x.values[i].subtract(c.values[i]).subtract(d.values[i]);
      assertCongruent(f, z.read(i, NORMAL_FP, 0.51), expected);
    }
    k.subtract(x.limbs, 0, c.limbs, 0, z.limbs, 0, GROUPS);
    for (int i = 0; i < N; i++) {
      assertThat(z.read(i, 2 * NORMAL_FP, 5)).isEqualTo(x.values[i].subtract(c.values[i]));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8})
  void kernelsOfFr(int lanes) {
    FrKernels k = Kernels.fr(lanes);
    LaneField f = LaneField.FR;
    final int g = FrKernels.GROUP;
    double lazy = 0x1.6ap47;
    for (int seed = 0; seed < 6; seed++) {
      Elements x = elements(f, lazy, 64, seed);
      Elements y = elements(f, NORMAL_FR, 4, seed + 100);
      Elements z = empty(f);
      k.mul(x.limbs, 0, g, y.limbs, 0, g, z.limbs, 0, g, GROUPS);
      for (int i = 0; i < N; i++) {
        BigInteger expected = overRadix(f, x.values[i].multiply(y.values[i]));
        assertCongruent(f, z.read(i, NORMAL_FR, 4), expected);
      }
      k.mul(x.limbs, 0, g, y.limbs, g, 0, z.limbs, 0, g, GROUPS); // one group for all
      for (int i = 0; i < N; i++) {
        BigInteger expected = overRadix(f, x.values[i].multiply(y.values[8 + (i & 7)]));
        assertCongruent(f, z.read(i, NORMAL_FR, 4), expected);
      }
      Elements w = elements(f, lazy, 260, seed + 200);
      k.difference(x.limbs, 0, g, w.limbs, 0, g, z.limbs, 0, g, GROUPS);
      for (int i = 0; i < N; i++) {
        assertCongruent(f, z.read(i, NORMAL_FR, 0.51), x.values[i].subtract(w.values[i]));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8})
  void butterflies(int lanes) {
    FrKernels k = Kernels.fr(lanes);
    LaneField f = LaneField.FR;
    final int g = FrKernels.GROUP;
    double lazy = 0x1.6ap47;
    Elements x = elements(f, lazy, 64, 1);
    Elements y = elements(f, lazy, 64, 2);
    Elements t = elements(f, NORMAL_FR, 4, 3);
    double[] twiddles = new double[6 * GROUPS];
    for (int i = 0; i < twiddles.length; i++) {
      twiddles[i] = t.limbs[g + 8 * (i % 6) + i / 6]; // elements 8, 9, 10
    }
    double[] both = new double[2 * GROUPS * g];
    for (int i = 0; i < GROUPS; i++) { // x0 y0 x1 y1 …
      System.arraycopy(x.limbs, i * g, both, 2 * i * g, g);
      System.arraycopy(y.limbs, i * g, both, (2 * i + 1) * g, g);
    }
    double[] sums = both.clone();
    k.butterfly(both, 0, g, 2 * g, twiddles, 0, 6, GROUPS);
    k.sums(sums, 0, g, 2 * g, GROUPS);
    for (int i = 0; i < N; i++) {
      Elements z = empty(f);
      BigInteger product = overRadix(f, y.values[i].multiply(t.values[8 + i / 8]));
      for (int half = 0; half < 2; half++) {
        System.arraycopy(both, (2 * (i / 8) + half) * g, z.limbs, i / 8 * g, g);
        BigInteger signed = half == 0 ? product : product.negate();
        assertCongruent(f, z.read(i, lazy + NORMAL_FR, 66.25), x.values[i].add(signed));
        System.arraycopy(sums, (2 * (i / 8) + half) * g, z.limbs, i / 8 * g, g);
        BigInteger other = half == 0 ? y.values[i] : y.values[i].negate();
        assertThat(z.read(i, 2 * lazy, 128)).isEqualTo(x.values[i].add(other));
      }
    }
  }

  /** HotSpot leaves longer methods interpreted, and its first compiler gives up on some above. */
  @Test
  void kernelsAreSmallEnoughToBeCompiled() {
    for (int lanes : new int[] {4, 8}) {
      assertThat(Kernels.sizes(lanes)).hasSizeGreaterThan(10);
      assertThat(Kernels.sizes(lanes))
          .allSatisfy((name, size) -> assertThat(size).as(name).isBetween(1, 4000));
    }
    assertThat(Kernels.MAX_BYTECODES).isLessThan(8000);
  }
}
