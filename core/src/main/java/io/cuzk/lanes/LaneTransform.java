package io.cuzk.lanes;

import io.cuzk.field.CoefficientOrder;
import io.cuzk.field.Fr;
import io.cuzk.field.FrTransform;
import io.cuzk.field.FrVector;
import io.cuzk.parallel.Workers;

/**
 * {@link FrTransform} in lanes, in four steps (Bailey, "FFTs in external or hierarchical memory").
 *
 * <p>m = rows·columns; value i = columns·i1 + i2 belongs to coefficient k = k1 + rows·k2. The
 * inverse transforms eight columns at a time over i1, each a lane, multiplies by ω^(−i2·k1), then
 * takes eight rows at a time, transposed into lanes, over i2. It leaves these eight rows as they
 * come out, k1 in the lanes: that is the own order, and the forward transform does the same steps
 * backwards, so that no element is ever moved by itself.
 *
 * <p>Inside, transforms of some 2^11 groups run in a buffer that fits the second cache, by
 * decimation in time, bit-reversed as they are copied in. Sums are lazy: two levels without
 * products quadruple the limbs, each further one adds 2^43, and one multiplication or reduction
 * ends it.
 *
 * <p>The factors ω^(i2·k1)·factor·ratio^k1 are made on the fly, {@value #BLOCK} at a time, each
 * block from the one before by one multiplication; so tables grow with √m only.
 */
final class LaneTransform extends FrTransform {
  /** Rows and columns must fill the lanes. */
  static final int MIN_LOG_SIZE = 6;

  private static final int GROUP = FrKernels.GROUP;

  /** Doubles of one element. */
  private static final int ELEMENT = 6;

  /** Elements of a run of powers. */
  private static final int BLOCK = 32;

  /** Groups of a part that fits the first cache. */
  private static final int PART = 64;

  private static final double[] ZERO = new double[GROUP];

  private final LaneArithmetic arithmetic;
  private final int logRows;
  private final int logColumns;
  private final int rows;
  private final int columns;

  /** Twiddles of all levels, forward and inverse: level h at h … 2h − 1, ω_2h^j. */
  private final double[] forwardTwiddles;

  private final double[] inverseTwiddles;

  private final long[] root = new long[Fr.WORDS];
  private final long[] inverseRoot = new long[Fr.WORDS];
  private final long[] inverseSize = new long[Fr.WORDS];

  LaneTransform(LaneArithmetic arithmetic, int logSize) {
    super(logSize);
    this.arithmetic = arithmetic;
    logRows = logSize / 2;
    logColumns = logSize - logRows;
    rows = 1 << logRows;
    columns = 1 << logColumns;
    root(logSize, root, 0);
    Fr.inv(inverseRoot, 0, root, 0);
    Fr.setLong(inverseSize, 0, 1L << logSize);
    Fr.inv(inverseSize, 0, inverseSize, 0);
    forwardTwiddles = twiddles(false);
    inverseTwiddles = twiddles(true);
  }

  private double[] twiddles(boolean inverse) {
    long[] table = new long[columns * Fr.WORDS];
    long[] w = new long[Fr.WORDS];
    for (int level = 0; level < logColumns; level++) {
      root(level + 1, w, 0);
      if (inverse) {
        Fr.inv(w, 0, w, 0);
      }
      int h = 1 << level;
      Fr.setOne(table, h * Fr.WORDS);
      for (int j = 1; j < h; j++) {
        Fr.mul(table, (h + j) * Fr.WORDS, table, (h + j - 1) * Fr.WORDS, w, 0);
      }
    }
    FrVector v = arithmetic.allocate(columns);
    v.load(0, table, 0, columns);
    double[] limbs = LaneFrVector.of(v).limbs;
    double[] out = new double[columns * ELEMENT];
    for (int i = 0; i < columns; i++) {
      for (int j = 0; j < ELEMENT; j++) {
        out[i * ELEMENT + j] = limbs[(i >> 3) * GROUP + 8 * j + (i & 7)];
      }
    }
    return out;
  }

  @Override
  public CoefficientOrder order() {
    return CoefficientOrder.ROW_GROUPS;
  }

  private double[] check(FrVector v) {
    if (v.size() != 1L << logSize()) {
      throw new IllegalArgumentException(
          "a transform of 2^%d on a vector of %d".formatted(logSize(), v.size()));
    }
    return LaneFrVector.of(v).limbs;
  }

  // ---- lane constants

  /** Eight elements as a group. */
  private double[] group(long[] eight) {
    FrVector v = arithmetic.allocate(LaneField.LANES);
    v.load(0, eight, 0, LaneField.LANES);
    return LaneFrVector.of(v).limbs;
  }

  private double[] broadcast(long[] element) {
    long[] eight = new long[LaneField.LANES * Fr.WORDS];
    for (int l = 0; l < LaneField.LANES; l++) {
      Fr.set(eight, l * Fr.WORDS, element, 0);
    }
    return group(eight);
  }

  /** scale·x^from, scale·x^(from + 1), …: eight of them. */
  private static long[] powers(long[] x, long from, long[] scale) {
    long[] eight = new long[LaneField.LANES * Fr.WORDS];
    Fr.pow(eight, 0, x, 0, java.math.BigInteger.valueOf(from));
    if (scale != null) {
      Fr.mul(eight, 0, eight, 0, scale, 0);
    }
    for (int l = 1; l < LaneField.LANES; l++) {
      Fr.mul(eight, l * Fr.WORDS, eight, (l - 1) * Fr.WORDS, x, 0);
    }
    return eight;
  }

  private static long[] pow(long[] x, long e) {
    long[] z = new long[Fr.WORDS];
    Fr.pow(z, 0, x, 0, java.math.BigInteger.valueOf(e));
    return z;
  }

  private static long[] times(long[] x, long[] y) {
    if (x == null || y == null) {
      return x == null ? y : x;
    }
    long[] z = new long[Fr.WORDS];
    Fr.mul(z, 0, x, 0, y, 0);
    return z;
  }

  /** One thread's memory. */
  private final class Scratch {
    final double[] buffer;
    final double[] run = new double[BLOCK * GROUP];
    final double[] step = new double[GROUP];

    Scratch(int groups) {
      buffer = new double[groups * GROUP];
    }

    /** buffer[i] *= first·ratio^i, lane by lane, for 0 ≤ i &lt; n; n is a power of two ≥ 8. */
    void multiplyByPowers(double[] first, double[] ratio, int n) {
      FrKernels k = arithmetic.fr();
      int block = Math.min(n, BLOCK);
      System.arraycopy(first, 0, run, 0, GROUP);
      System.arraycopy(ratio, 0, step, 0, GROUP);
      for (int have = 1; have < block; have *= 2) {
        k.mul(run, 0, GROUP, step, 0, 0, run, have * GROUP, GROUP, have);
        k.mul(step, 0, 0, step, 0, 0, step, 0, 0, 1);
      }
      for (int i = 0; ; ) {
        int o = i * GROUP;
        k.mul(buffer, o, GROUP, run, 0, GROUP, buffer, o, GROUP, block);
        i += block;
        if (i == n) {
          return;
        }
        k.mul(run, 0, GROUP, step, 0, 0, run, 0, GROUP, block);
      }
    }
  }

  /** ratio^(rows·k2) in all lanes, for all k2; null for null. */
  private double[] columnScales(long[] ratio) {
    if (ratio == null) {
      return null;
    }
    Scratch s = new Scratch(columns);
    double[] one = broadcast(pow(ratio, 0));
    for (int i = 0; i < columns; i++) {
      System.arraycopy(one, 0, s.buffer, i * GROUP, GROUP);
    }
    s.multiplyByPowers(one, broadcast(pow(ratio, rows)), columns);
    return s.buffer;
  }

  // ---- transforms of groups

  /** Bit-reversed to natural order, size groups from {@code at} (in groups). */
  private static void groups(FrKernels k, double[] d, int at, int size, double[] twiddles) {
    if (size > PART) {
      int half = size / 2;
      groups(k, d, at, half, twiddles);
      groups(k, d, at + half, half, twiddles);
      int o = at * GROUP;
      k.butterfly(d, o, o + half * GROUP, GROUP, twiddles, half * ELEMENT, ELEMENT, half);
      return;
    }
    for (int h = 1; h < size; h *= 2) {
      for (int j = 0; j < h; j++) {
        int x = (at + j) * GROUP;
        int y = x + h * GROUP;
        int step = 2 * h * GROUP;
        if (j == 0 && h <= 2) {
          k.sums(d, x, y, step, size / (2 * h));
        } else {
          k.butterfly(d, x, y, step, twiddles, (h + j) * ELEMENT, 0, size / (2 * h));
        }
      }
    }
  }

  private static int reversed(int i, int log) {
    return Integer.reverse(i) >>> (32 - log);
  }

  // ---- the two passes of each direction

  @Override
  public void inverse(FrVector v, long[] factor, long[] ratio, Workers workers) {
    double[] d = check(v);
    long[] scale = times(inverseSize, factor);
    int stride = columns / 8 * GROUP;
    workers.forRanges(
        columns / 8,
        1,
        (from, to) -> {
          FrKernels k = arithmetic.fr();
          Scratch s = new Scratch(rows);
          // Lane l of column group c: ω^(−(8c + l))·ratio, to the power k1.
          double[] first = broadcast(scale);
          double[] base = group(powers(inverseRoot, 8 * from, ratio));
          double[] next = broadcast(pow(inverseRoot, 8));
          for (int c = (int) from; c < to; c++) {
            for (int i = 0; i < rows; i++) {
              int o = i * stride + c * GROUP;
              System.arraycopy(d, o, s.buffer, reversed(i, logRows) * GROUP, GROUP);
            }
            groups(k, s.buffer, 0, rows, inverseTwiddles);
            s.multiplyByPowers(first, base, rows);
            for (int i = 0; i < rows; i++) {
              System.arraycopy(s.buffer, i * GROUP, d, i * stride + c * GROUP, GROUP);
            }
            k.mul(base, 0, 0, next, 0, 0, base, 0, 0, 1);
          }
        });
    double[] scales = columnScales(ratio);
    workers.forRanges(
        rows / 8,
        1,
        (from, to) -> {
          FrKernels k = arithmetic.fr();
          Scratch s = new Scratch(columns);
          for (int b = (int) from; b < to; b++) {
            int o = b * columns * GROUP;
            for (int g = 0; g < columns / 8; g++) {
              for (int e = 0; e < 8; e++) {
                int to2 = reversed(8 * g + e, logColumns) * GROUP;
                for (int j = 0; j < GROUP; j += 8) {
                  int at = o + g * GROUP + j + e;
                  for (int l = 0; l < 8; l++) {
                    s.buffer[to2 + j + l] = d[at + l * stride];
                  }
                }
              }
            }
            groups(k, s.buffer, 0, columns, inverseTwiddles);
            if (scales == null) {
              k.difference(s.buffer, 0, GROUP, ZERO, 0, 0, d, o, GROUP, columns);
            } else {
              k.mul(s.buffer, 0, GROUP, scales, 0, GROUP, d, o, GROUP, columns);
            }
          }
        });
  }

  @Override
  public void forward(FrVector v, long[] factor, long[] ratio, Workers workers) {
    double[] d = check(v);
    int stride = columns / 8 * GROUP;
    double[] scales = columnScales(ratio);
    long[] one = pow(root, 0);
    workers.forRanges(
        rows / 8,
        1,
        (from, to) -> {
          FrKernels k = arithmetic.fr();
          Scratch s = new Scratch(columns);
          double[] scaled = scales == null ? null : new double[columns * GROUP];
          for (int b = (int) from; b < to; b++) {
            int o = b * columns * GROUP;
            double[] source = d;
            int so = o;
            if (scales != null) {
              k.mul(d, o, GROUP, scales, 0, GROUP, scaled, 0, GROUP, columns);
              source = scaled;
              so = 0;
            }
            for (int i = 0; i < columns; i++) {
              int to2 = reversed(i, logColumns) * GROUP;
              System.arraycopy(source, so + i * GROUP, s.buffer, to2, GROUP);
            }
            groups(k, s.buffer, 0, columns, forwardTwiddles);
            // Lane l: ω^(k1·i2)·factor·ratio^k1, k1 = 8b + l.
            double[] first = group(powers(ratio == null ? one : ratio, 8L * b, factor));
            s.multiplyByPowers(first, group(powers(root, 8L * b, null)), columns);
            for (int g = 0; g < columns / 8; g++) {
              for (int e = 0; e < 8; e++) {
                int from2 = (8 * g + e) * GROUP;
                for (int j = 0; j < GROUP; j += 8) {
                  int at = o + g * GROUP + j + e;
                  for (int l = 0; l < 8; l++) {
                    d[at + l * stride] = s.buffer[from2 + j + l];
                  }
                }
              }
            }
          }
        });
    workers.forRanges(
        columns / 8,
        1,
        (from, to) -> {
          FrKernels k = arithmetic.fr();
          Scratch s = new Scratch(rows);
          for (int c = (int) from; c < to; c++) {
            for (int i = 0; i < rows; i++) {
              int o = i * stride + c * GROUP;
              System.arraycopy(d, o, s.buffer, reversed(i, logRows) * GROUP, GROUP);
            }
            groups(k, s.buffer, 0, rows, forwardTwiddles);
            k.difference(s.buffer, 0, GROUP, ZERO, 0, 0, d, c * GROUP, stride, rows);
          }
        });
  }

  // ---- orders

  @Override
  public void toNaturalOrder(FrVector v, Workers workers) {
    reorder(v, true, workers);
  }

  @Override
  public void fromNaturalOrder(FrVector v, Workers workers) {
    reorder(v, false, workers);
  }

  /**
   * Own order is row group ‖ k2, natural order k2 ‖ row group: groups of eight elements stay whole,
   * and the permutation is the transposition of a matrix of groups.
   */
  private void reorder(FrVector v, boolean toNatural, Workers workers) {
    double[] d = check(v);
    double[] copy = new double[d.length];
    int blocks = rows / 8;
    workers.forRanges(
        columns,
        16,
        (from, to) -> {
          for (int k2 = (int) from; k2 < to; k2++) {
            for (int b = 0; b < blocks; b++) {
              int own = (b * columns + k2) * GROUP;
              int natural = (k2 * blocks + b) * GROUP;
              System.arraycopy(
                  d, toNatural ? own : natural, copy, toNatural ? natural : own, GROUP);
            }
          }
        });
    workers.forRanges(
        d.length / GROUP,
        1 << 10,
        (from, to) ->
            System.arraycopy(
                copy, (int) from * GROUP, d, (int) from * GROUP, (int) (to - from) * GROUP));
  }
}
