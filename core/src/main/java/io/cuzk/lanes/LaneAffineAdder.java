package io.cuzk.lanes;

import io.cuzk.field.AffineAdder;
import io.cuzk.field.AffineVector;
import io.cuzk.field.CoordinateField;
import io.cuzk.field.Fp;

/**
 * {@link AffineAdder} in lanes. Pairs that need an addition are gathered, transposed into groups of
 * eight, and share one inversion: a product tree over groups, a fold over the lanes, one inverse,
 * and the way back.
 *
 * <p>Infinity is seen while gathering, since it is NaN. Pairs with equal x make the product of the
 * whole batch zero; only then are they looked for, doubled or cancelled one by one. Batches without
 * them pay nothing.
 */
abstract class LaneAffineAdder extends AffineAdder {
  static final int GROUP = FpKernels.GROUP;
  static final int LANES = LaneField.LANES;

  /** Groups that the last steps of an addition are done for at a time, within the first cache. */
  static final int BLOCK = 4;

  final FpKernels kernels;
  private final Transposition moves;
  final CoordinateField field;

  /** Coordinates in Fp of x, and of y: 1 or 2. */
  final int width;

  private final int maxBatch;
  private final int stride;

  /** Where the operands of a pair begin, and where its sum goes. */
  private final int[] left;

  private final int[] right;
  private final int[] target;
  private final double[] plus;
  private final double[] leftSign;
  private final double[] rightSign;

  /** Coordinates in groups, {@link #width} of each. */
  final double[][] x1;

  final double[][] x2;
  final double[][] y1;
  final double[][] y2;

  /** The product tree; its leaves become the inverses. */
  final double[] tree;

  private final double[] swap;
  final double[] half;
  final double[] zero = new double[BLOCK * GROUP];

  /** Pairs in the batch, and those that are doublings. */
  private int pairs;

  private int doublings;

  private int[] doubling = new int[0];
  final long[] words;

  LaneAffineAdder(FpKernels kernels, Transposition moves, CoordinateField field, int maxBatch) {
    this.kernels = kernels;
    this.moves = moves;
    this.field = field;
    this.maxBatch = maxBatch;
    width = field.words() / Fp.WORDS;
    stride = 2 * width * LaneAffineVector.COORDINATE;
    int groups = Math.ceilDiv(Math.max(maxBatch, 1), LANES);
    int padded = groups * LANES;
    left = new int[padded];
    right = new int[padded];
    target = new int[padded];
    plus = new double[padded];
    java.util.Arrays.fill(plus, 1);
    leftSign = new double[padded];
    rightSign = new double[padded];
    x1 = new double[width][groups * GROUP];
    x2 = new double[width][groups * GROUP];
    y1 = new double[width][groups * GROUP];
    y2 = new double[width][groups * GROUP];
    tree = new double[(2 * groups + 40) * GROUP];
    swap = new double[BLOCK * GROUP];
    half = new double[BLOCK * FpKernels.HALF];
    words = new long[12 * field.words()];
  }

  @Override
  public final void add(
      AffineVector out,
      int at,
      AffineVector x,
      int[] xRefs,
      int xo,
      AffineVector y,
      int[] yRefs,
      int yo,
      int n) {
    if (n > maxBatch) {
      throw new IllegalArgumentException(
          "%d additions in an adder made for %d".formatted(n, maxBatch));
    }
    double[] z = LaneAffineVector.of(out, field).limbs;
    double[] xs = LaneAffineVector.of(x, field).limbs;
    double[] ys = LaneAffineVector.of(y, field).limbs;
    int m = 0;
    for (int k = 0; k < n; k++) {
      int i = xRefs[xo + k];
      int j = yRefs[yo + k];
      int a = (i >> 1) * stride;
      int b = (j >> 1) * stride;
      int to = (at + k) * stride;
      boolean noLeft = i < 0 || Double.isNaN(xs[a]);
      boolean noRight = j < 0 || Double.isNaN(ys[b]);
      if (noLeft || noRight) {
        if (!noLeft) {
          copy(z, to, xs, a, i);
        } else if (!noRight) {
          copy(z, to, ys, b, j);
        } else {
          z[to] = Double.NaN;
        }
        continue;
      }
      left[m] = a;
      right[m] = b;
      leftSign[m] = 1 - 2 * (i & 1);
      rightSign[m] = 1 - 2 * (j & 1);
      target[m++] = to;
    }
    if (m > 0) {
      addAll(z, xs, ys, m);
    }
  }

  @Override
  public final void gather(AffineVector out, int at, AffineVector x, int[] refs, int from, int n) {
    double[] z = LaneAffineVector.of(out, field).limbs;
    double[] xs = LaneAffineVector.of(x, field).limbs;
    for (int k = 0; k < n; k++) {
      int ref = refs[from + k];
      if (ref < 0) {
        z[(at + k) * stride] = Double.NaN;
      } else {
        copy(z, (at + k) * stride, xs, (ref >> 1) * stride, ref);
      }
    }
  }

  private void copy(double[] z, int to, double[] xs, int from, int ref) {
    int half2 = stride / 2;
    System.arraycopy(xs, from, z, to, half2);
    double sign = 1 - 2 * (ref & 1);
    for (int i = half2; i < stride; i++) {
      z[to + i] = sign * xs[from + i];
    }
  }

  private void addAll(double[] z, double[] xs, double[] ys, int m) {
    int groups = Math.ceilDiv(m, LANES);
    pairs = m;
    doublings = 0;
    for (int c = 0; c < width; c++) {
      int x = c * LaneAffineVector.COORDINATE;
      int y = x + stride / 2;
      moves.gather(xs, left, x, plus, x1[c], m);
      moves.gather(ys, right, x, plus, x2[c], m);
      moves.gather(xs, left, y, leftSign, y1[c], m);
      moves.gather(ys, right, y, rightSign, y2[c], m);
    }
    for (int i = m; i < groups * LANES; i++) { // 1 − 0 in the lanes left over
      int e = (i >> 3) * GROUP + (i & 7);
      for (int c = 0; c < width; c++) {
        for (int j = 0; j < GROUP; j += LANES) {
          x1[c][e + j] = 0;
          x2[c][e + j] = 0;
          y1[c][e + j] = 0;
          y2[c][e + j] = 0;
        }
      }
      x2[0][e] = LaneField.FP.stored(1, 0);
    }
    denominators(groups);
    if (!invert(groups)) {
      exceptions();
      norms(groups);
      if (!invert(groups)) {
        throw new IllegalStateException("zero denominator left in a batch of " + m);
      }
    }
    for (int g = 0; g < groups; g += BLOCK) {
      int n = Math.min(BLOCK, groups - g);
      sums(g, n);
      int count = Math.min(m - g * LANES, n * LANES);
      for (int c = 0; c < width; c++) {
        int x = c * LaneAffineVector.COORDINATE;
        moves.scatter(sumX(c), z, target, g * LANES, x, count);
        moves.scatter(sumY(c), z, target, g * LANES, x + stride / 2, count);
      }
    }
    finishExceptions(z);
  }

  /** x2 − x1, and the leaves of the tree. */
  abstract void denominators(int groups);

  /** The leaves of the tree again, from denominators that have changed. */
  abstract void norms(int groups);

  /** The denominator of pair i as words. */
  abstract void denominator(int i, long[] out, int at);

  abstract void setDenominator(int i, long[] in, int at);

  /** 1/denominator of pair i as words, from the leaves of the tree as they are after inversion. */
  abstract void inverse(int i, long[] out, int at);

  /** The sums of n groups from g, left in {@link #sumX} and {@link #sumY}. */
  abstract void sums(int g, int n);

  abstract double[] sumX(int c);

  abstract double[] sumY(int c);

  final void mul(double[] x, int xo, double[] y, int yo, double[] z, int zo, int n) {
    for (int i = 0; i < n; i += BLOCK) {
      int b = Math.min(BLOCK, n - i);
      int o = i * GROUP;
      kernels.mulLow(x, xo + o, y, yo + o, half, 0, b);
      kernels.mulHigh(x, xo + o, y, yo + o, half, 0, z, zo + o, b);
    }
  }

  /**
   * Leaves → their inverses; false, leaves kept, if one is zero. Level by level, the first half of
   * a level is multiplied with the second half; an odd group goes up as it is.
   */
  private boolean invert(int groups) {
    int[] offsets = new int[32];
    int[] sizes = new int[32];
    int levels = 0;
    int o = 0;
    int n = groups;
    while (n > 1) {
      int h = n >> 1;
      int up = o + n * GROUP;
      mul(tree, o, tree, o + h * GROUP, tree, up, h);
      if ((n & 1) != 0) {
        System.arraycopy(tree, o + (n - 1) * GROUP, tree, up + h * GROUP, GROUP);
      }
      offsets[levels] = o;
      sizes[levels++] = n;
      o = up;
      n = h + (n & 1);
    }
    int r4 = o + GROUP;
    int o4 = r4 + GROUP;
    int r2 = o4 + GROUP;
    int o2 = r2 + GROUP;
    int r1 = o2 + GROUP;
    int o1 = r1 + GROUP;
    rotate(o, r4, 4);
    mul(tree, o, tree, r4, tree, o4, 1);
    rotate(o4, r2, 2);
    mul(tree, o4, tree, r2, tree, o2, 1);
    rotate(o2, r1, 1);
    mul(tree, o2, tree, r1, tree, o1, 1);
    kernels.difference(tree, o1, zero, 0, zero, 0, tree, o1, 1);
    Packing.packFp(tree, o1, LANES, words, 0);
    if (Fp.isZero(words, 0)) {
      return false;
    }
    Fp.inv(words, 0, words, 0);
    for (int l = 0; l < LANES; l++) {
      Packing.unpackFp(words, 0, tree, o1 + l, LANES);
    }
    mul(tree, o1, tree, r1, tree, o2, 1);
    mul(tree, o2, tree, r2, tree, o4, 1);
    mul(tree, o4, tree, r4, tree, o, 1);
    while (levels > 0) {
      levels--;
      int up = o;
      n = sizes[levels];
      o = offsets[levels];
      int h = n >> 1;
      for (int i = 0; i < h; i += BLOCK) {
        int b = Math.min(BLOCK, h - i);
        int first = o + i * GROUP;
        int second = first + h * GROUP;
        System.arraycopy(tree, first, swap, 0, b * GROUP);
        mul(tree, up + i * GROUP, tree, second, tree, first, b);
        mul(tree, up + i * GROUP, swap, 0, tree, second, b);
      }
      if ((n & 1) != 0) {
        System.arraycopy(tree, up + h * GROUP, tree, o + (n - 1) * GROUP, GROUP);
      }
    }
    return true;
  }

  private void rotate(int from, int to, int by) {
    for (int j = 0; j < GROUP; j += LANES) {
      for (int l = 0; l < LANES; l++) {
        tree[to + j + l] = tree[from + j + ((l + by) & 7)];
      }
    }
  }

  // ---- equal and opposite points

  private void exceptions() {
    int w = field.words();
    for (int i = 0; i < pairs; i++) {
      denominator(i, words, 0);
      if (!field.isZero(words, 0)) {
        continue;
      }
      if (doubling.length == doublings) {
        doubling = java.util.Arrays.copyOf(doubling, 2 * doublings + 8);
      }
      coordinate(y1, i, words, 0);
      coordinate(y2, i, words, w);
      field.add(words, 0, words, 0, words, w);
      boolean cancels = field.isZero(words, 0);
      if (cancels) {
        field.setOne(words, 0);
      }
      doubling[doublings++] = cancels ? ~i : i;
      setDenominator(i, words, 0);
    }
  }

  /** Overwrites what the lanes computed for doublings, whose denominators are 2·y. */
  private void finishExceptions(double[] z) {
    int w = field.words();
    for (int d = 0; d < doublings; d++) {
      if (doubling[d] < 0) {
        z[target[~doubling[d]]] = Double.NaN;
        continue;
      }
      int i = doubling[d];
      final int x = 0, y = w, slope = 2 * w, x3 = 3 * w, t = 4 * w;
      coordinate(x1, i, words, x);
      coordinate(y1, i, words, y);
      inverse(i, words, slope);
      field.square(words, t, words, x);
      field.add(words, x3, words, t, words, t);
      field.add(words, t, words, t, words, x3);
      field.mul(words, slope, words, slope, words, t);
      field.square(words, x3, words, slope);
      field.sub(words, x3, words, x3, words, x);
      field.sub(words, x3, words, x3, words, x);
      field.sub(words, t, words, x, words, x3);
      field.mul(words, t, words, t, words, slope);
      field.sub(words, t, words, t, words, y);
      for (int c = 0; c < width; c++) {
        int to = target[i] + c * LaneAffineVector.COORDINATE;
        Packing.unpackFp(words, x3 + c * Fp.WORDS, z, to, 1);
        Packing.unpackFp(words, t + c * Fp.WORDS, z, to + stride / 2, 1);
      }
    }
  }

  private void coordinate(double[][] groups, int i, long[] out, int at) {
    for (int c = 0; c < width; c++) {
      Packing.packFp(groups[c], lane(i), LANES, out, at + c * Fp.WORDS);
    }
  }

  /** The first double of pair i in groups. */
  static int lane(int i) {
    return (i >> 3) * GROUP + (i & 7);
  }
}
