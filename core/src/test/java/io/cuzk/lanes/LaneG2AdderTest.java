package io.cuzk.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.curve.Group;
import io.cuzk.field.AffineAdder;
import io.cuzk.field.AffineVector;
import io.cuzk.field.Arithmetic;
import io.cuzk.field.Fp2Field;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Additions in G2 with the kernels for sums of two products, and where HotSpot refused those. */
final class LaneG2AdderTest {
  private static final int N = 21;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void additionsAgreeWithThoseOnWords(boolean withDots) {
    Group group = Group.G2;
    int a = group.affineWords();
    long[] points = new long[N * a];
    long[] generator = new long[a];
    group.generator(generator, 0);
    long[] sum = new long[group.jacobianWords()];
    group.fromAffine(sum, 0, generator, 0);
    for (int i = 1; i < N; i++) { // the first one is infinity
      group.toAffine(points, i * a, sum, 0);
      group.addMixed(sum, 0, sum, 0, generator, 0);
    }
    int[] left = new int[N];
    int[] right = new int[N];
    for (int i = 0; i < N; i++) { // all kinds: distinct, equal, opposite, with infinity
      left[i] = i << 1;
      right[i] = i % 5 == 4 ? i << 1 | i & 1 : (7 * i + 3) % N << 1 | i & 1;
    }
    FpKernels kernels = Kernels.fp(LaneField.LANES);
    AffineAdder lanes = new LaneG2Adder(kernels, withDots ? kernels : null, new Transposition(), N);
    AffineVector ours = new LaneAffineVector(Fp2Field.INSTANCE, 2 * N);
    Arithmetic scalar = Arithmetic.scalar();
    AffineVector theirs = scalar.allocatePoints(Fp2Field.INSTANCE, 2 * N);
    assertThat(sums(lanes, ours, points, left, right))
        .isEqualTo(sums(scalar.adder(Fp2Field.INSTANCE, N), theirs, points, left, right));
  }

  private static long[] sums(
      AffineAdder adder, AffineVector vector, long[] points, int[] left, int[] right) {
    vector.load(0, points, 0, N);
    adder.add(vector, N, vector, left, 0, vector, right, 0, N);
    long[] sums = new long[points.length];
    vector.store(N, sums, 0, N);
    return sums;
  }
}
