package io.cuzk.field;

import io.cuzk.parallel.Workers;

/**
 * {@link FrTransform} on 64-bit words. Own order: bit-reversed.
 *
 * <p>The inverse splits Z[x]/(x^2h − c²) into x^h − c and x^h + c, block by block (Cooley–Tukey
 * butterflies, natural to bit-reversed); the forward transform is its transpose (Gentleman–Sande).
 * All butterflies of a block share one twiddle c, and c_t = ω_{2^(l+1)}^(rev_l(t)) for block t of a
 * level of 2^l blocks depends neither on l nor on the size: one table serves all sizes. Its
 * inverses are inside it too: 1/c_t = −c_{3·2^j − 1 − t} for 2^j ≤ t &lt; 2^(j+1).
 *
 * <p>Two levels are done in one pass over memory; once blocks fit the core's cache, all remaining
 * levels of a block follow while it is there.
 */
final class ScalarTransform extends FrTransform {
  private static final int W = Fr.WORDS;

  /** 2^13 elements of 32 bytes: 256 KiB. */
  private static final int LOG_BLOCK = 13;

  private static final int MIN_RANGE = 1 << 9;

  private final long[] twiddles;

  ScalarTransform(int logSize) {
    super(logSize);
    twiddles = Twiddles.upTo(logSize);
  }

  /** The table c_0, c_1, …, grown when a larger size is asked for. */
  private static final class Twiddles {
    private static long[] table = one();

    private static long[] one() {
      long[] t = new long[W];
      Fr.setOne(t, 0);
      return t;
    }

    /** At least c_t for t &lt; 2^(logSize − 1). */
    static synchronized long[] upTo(int logSize) {
      int entries = 1 << Math.max(0, logSize - 1);
      int have = table.length / W;
      if (have < entries) {
        long[] grown = new long[entries * W];
        System.arraycopy(table, 0, grown, 0, table.length);
        long[] root = new long[W];
        for (int n = have, l = Integer.numberOfTrailingZeros(have); n < entries; n *= 2, l++) {
          root(l + 2, root, 0); // c_{n + t} = ω_{4n}·c_t: the new top bit of t is the lowest of rev
          for (int t = 0; t < n; t++) {
            Fr.mul(grown, (n + t) * W, grown, t * W, root, 0);
          }
        }
        table = grown;
      }
      return table;
    }
  }

  @Override
  public CoefficientOrder order() {
    return CoefficientOrder.BIT_REVERSED;
  }

  @Override
  public void inverse(FrVector v, long[] factor, long[] ratio, Workers workers) {
    long[] d = check(v);
    int k = logSize();
    int level = 0; // levels done: blocks have 2^(k − level) elements
    while (k - level > LOG_BLOCK && k - level >= 2) {
      final int l = level;
      workers.forRanges(1L << (k - 2), MIN_RANGE, (from, to) -> split4(d, l, from, to));
      level += 2;
    }
    final int l = level;
    long[] f = new long[W];
    Fr.setLong(f, 0, 1L << k);
    Fr.inv(f, 0, f, 0);
    if (factor != null) {
      Fr.mul(f, 0, f, 0, factor, 0);
    }
    Scale scale = new Scale(k, Math.min(k, k - l), f, ratio);
    workers.forRanges(
        1L << l,
        1,
        (from, to) -> {
          for (int block = (int) from; block < to; block++) {
            splitBlock(d, l, block);
            scale.apply(d, block);
          }
        });
  }

  @Override
  public void forward(FrVector v, long[] factor, long[] ratio, Workers workers) {
    long[] d = check(v);
    int k = logSize();
    int level = 0;
    while (k - level > LOG_BLOCK && k - level >= 2) {
      level += 2;
    }
    final int l = level;
    Scale scale = factor == null && ratio == null ? null : new Scale(k, k - l, factor, ratio);
    workers.forRanges(
        1L << l,
        1,
        (from, to) -> {
          for (int block = (int) from; block < to; block++) {
            if (scale != null) {
              scale.apply(d, block);
            }
            mergeBlock(d, l, block);
          }
        });
    while (level > 0) {
      level -= 2;
      final int to2 = level;
      workers.forRanges(1L << (k - 2), MIN_RANGE, (from, to) -> merge4(d, to2, from, to));
    }
  }

  private long[] check(FrVector v) {
    if (v.size() != 1L << logSize()) {
      throw new IllegalArgumentException(
          "a transform of 2^%d on a vector of %d".formatted(logSize(), v.size()));
    }
    return ScalarFrVector.wordsOf(v);
  }

  /** Word offset in the table of ±1/c_t; the sign is minus unless t = 0. */
  private static int inverseAt(int t) {
    return t == 0 ? 0 : (3 * Integer.highestOneBit(t) - 1 - t) * W;
  }

  /** Levels {@code level} and {@code level + 1}: quarter butterflies from … to−1 of all blocks. */
  private void split4(long[] d, int level, long from, long to) {
    int logQuarter = logSize() - level - 2;
    int quarter = 1 << logQuarter;
    long[] s = new long[4 * W];
    for (long q = from; q < to; ) {
      int block = (int) (q >>> logQuarter);
      int j = (int) (q & (quarter - 1));
      int end = (int) Math.min(quarter, j + (to - q));
      splitRun(d, (block << (logQuarter + 2)) + j, quarter * W, end - j, block, s);
      q += end - j;
    }
  }

  /** {@code count} radix-4 butterflies of one block; elements a, a + quarter, … */
  private void splitRun(long[] d, int first, int quarter, int count, int block, long[] s) {
    long[] tw = twiddles;
    int at = first * W;
    if (block == 0) {
      int i = inverseAt(1);
      for (int e = at; e < at + count * W; e += W) {
        int e1 = e + quarter, e2 = e1 + quarter, e3 = e2 + quarter;
        Fr.add(s, 0, d, e, d, e2);
        Fr.sub(s, W, d, e, d, e2);
        Fr.add(s, 2 * W, d, e1, d, e3);
        Fr.sub(s, 3 * W, d, e1, d, e3);
        Fr.mul(s, 3 * W, s, 3 * W, tw, i);
        Fr.add(d, e, s, 0, s, 2 * W);
        Fr.sub(d, e1, s, 0, s, 2 * W);
        Fr.sub(d, e2, s, W, s, 3 * W);
        Fr.add(d, e3, s, W, s, 3 * W);
      }
      return;
    }
    int c = inverseAt(block);
    int c0 = inverseAt(2 * block);
    int c1 = inverseAt(2 * block + 1);
    for (int e = at; e < at + count * W; e += W) {
      int e1 = e + quarter, e2 = e1 + quarter, e3 = e2 + quarter;
      Fr.mul(s, 0, d, e2, tw, c);
      Fr.mul(s, W, d, e3, tw, c);
      Fr.sub(s, 2 * W, d, e1, s, W); // upper half of the first block
      Fr.add(s, 3 * W, d, e1, s, W);
      Fr.add(s, W, d, e, s, 0);
      Fr.sub(s, 0, d, e, s, 0);
      Fr.mul(s, 2 * W, s, 2 * W, tw, c0);
      Fr.mul(s, 3 * W, s, 3 * W, tw, c1);
      Fr.sub(d, e, s, 0, s, 2 * W);
      Fr.add(d, e1, s, 0, s, 2 * W);
      Fr.sub(d, e2, s, W, s, 3 * W);
      Fr.add(d, e3, s, W, s, 3 * W);
    }
  }

  /** All levels below {@code level} of one block. */
  private void splitBlock(long[] d, int level, int block) {
    int k = logSize();
    long[] s = new long[4 * W];
    int l = level;
    for (; l + 2 <= k; l += 2) {
      int logQuarter = k - l - 2;
      int blocks = 1 << (l - level);
      for (int b = 0; b < blocks; b++) {
        int t = (block << (l - level)) + b;
        splitRun(d, t << (logQuarter + 2), W << logQuarter, 1 << logQuarter, t, s);
      }
    }
    if (l < k) {
      int pairs = 1 << (l - level);
      for (int b = 0; b < pairs; b++) {
        int t = (block << (l - level)) + b;
        int e = 2 * t * W;
        if (t == 0) {
          Fr.set(s, 0, d, e + W);
          Fr.sub(d, e + W, d, e, s, 0);
          Fr.add(d, e, d, e, s, 0);
        } else {
          Fr.mul(s, 0, d, e + W, twiddles, inverseAt(t));
          Fr.add(d, e + W, d, e, s, 0);
          Fr.sub(d, e, d, e, s, 0);
        }
      }
    }
  }

  private void merge4(long[] d, int level, long from, long to) {
    int logQuarter = logSize() - level - 2;
    int quarter = 1 << logQuarter;
    long[] s = new long[4 * W];
    for (long q = from; q < to; ) {
      int block = (int) (q >>> logQuarter);
      int j = (int) (q & (quarter - 1));
      int end = (int) Math.min(quarter, j + (to - q));
      mergeRun(d, (block << (logQuarter + 2)) + j, quarter * W, end - j, block, s);
      q += end - j;
    }
  }

  private void mergeRun(long[] d, int first, int quarter, int count, int block, long[] s) {
    long[] tw = twiddles;
    int at = first * W;
    if (block == 0) {
      for (int e = at; e < at + count * W; e += W) {
        int e1 = e + quarter, e2 = e1 + quarter, e3 = e2 + quarter;
        Fr.add(s, 0, d, e, d, e1);
        Fr.sub(s, W, d, e, d, e1);
        Fr.add(s, 2 * W, d, e2, d, e3);
        Fr.sub(s, 3 * W, d, e2, d, e3);
        Fr.mul(s, 3 * W, s, 3 * W, tw, W);
        Fr.add(d, e, s, 0, s, 2 * W);
        Fr.sub(d, e2, s, 0, s, 2 * W);
        Fr.add(d, e1, s, W, s, 3 * W);
        Fr.sub(d, e3, s, W, s, 3 * W);
      }
      return;
    }
    int c = block * W;
    int c0 = 2 * block * W;
    int c1 = c0 + W;
    for (int e = at; e < at + count * W; e += W) {
      int e1 = e + quarter, e2 = e1 + quarter, e3 = e2 + quarter;
      Fr.add(s, 0, d, e, d, e1);
      Fr.sub(s, W, d, e, d, e1);
      Fr.mul(s, W, s, W, tw, c0);
      Fr.add(s, 2 * W, d, e2, d, e3);
      Fr.sub(s, 3 * W, d, e2, d, e3);
      Fr.mul(s, 3 * W, s, 3 * W, tw, c1);
      Fr.add(d, e, s, 0, s, 2 * W);
      Fr.sub(s, 0, s, 0, s, 2 * W);
      Fr.mul(d, e2, s, 0, tw, c);
      Fr.add(d, e1, s, W, s, 3 * W);
      Fr.sub(s, W, s, W, s, 3 * W);
      Fr.mul(d, e3, s, W, tw, c);
    }
  }

  private void mergeBlock(long[] d, int level, int block) {
    int k = logSize();
    long[] s = new long[4 * W];
    int l = k;
    if (((k - level) & 1) != 0) {
      l--;
      int pairs = 1 << (l - level);
      for (int b = 0; b < pairs; b++) {
        int t = (block << (l - level)) + b;
        int e = 2 * t * W;
        Fr.sub(s, 0, d, e, d, e + W);
        Fr.add(d, e, d, e, d, e + W);
        Fr.mul(d, e + W, s, 0, twiddles, t * W);
      }
    }
    while (l > level) {
      l -= 2;
      int logQuarter = k - l - 2;
      int blocks = 1 << (l - level);
      for (int b = 0; b < blocks; b++) {
        int t = (block << (l - level)) + b;
        mergeRun(d, t << (logQuarter + 2), W << logQuarter, 1 << logQuarter, t, s);
      }
    }
  }

  /** Multiplies coefficient i, at its bit-reversed place, by factor·ratio^i. */
  private static final class Scale {
    private final int logSize;
    private final int logBlock;
    private final long[] factor;

    /** ratio^(2^(logSize − logBlock)·rev(j)) for the places j in a block; null if ratio is. */
    private final long[] inner;

    /** ratio^(2^i). */
    private final long[][] powers;

    Scale(int logSize, int logBlock, long[] factor, long[] ratio) {
      this.logSize = logSize;
      this.logBlock = logBlock;
      this.factor = factor;
      if (ratio == null) {
        inner = null;
        powers = null;
        return;
      }
      powers = new long[logSize + 1][W];
      Fr.set(powers[0], 0, ratio, 0);
      for (int i = 1; i <= logSize; i++) {
        Fr.square(powers[i], 0, powers[i - 1], 0);
      }
      inner = new long[W << logBlock];
      Fr.setOne(inner, 0);
      for (int b = 0; b < logBlock; b++) { // bit b of the place is bit logSize − 1 − b of i
        for (int j = 0; j < 1 << b; j++) {
          Fr.mul(inner, ((1 << b) + j) * W, inner, j * W, powers[logSize - 1 - b], 0);
        }
      }
    }

    void apply(long[] d, int block) {
      int from = (block << logBlock) * W;
      int to = from + (W << logBlock);
      if (inner == null) {
        for (int e = from; e < to; e += W) {
          Fr.mul(d, e, d, e, factor, 0);
        }
        return;
      }
      long[] f = new long[W];
      if (factor == null) {
        Fr.setOne(f, 0);
      } else {
        Fr.set(f, 0, factor, 0);
      }
      for (int b = 0; b < logSize - logBlock; b++) {
        if ((block >>> b & 1) != 0) {
          Fr.mul(f, 0, f, 0, powers[logSize - logBlock - 1 - b], 0);
        }
      }
      boolean one = Fr.isOne(f, 0);
      for (int e = from; e < to; e += W) {
        Fr.mul(d, e, d, e, inner, e - from);
        if (!one) {
          Fr.mul(d, e, d, e, f, 0);
        }
      }
    }
  }

  @Override
  public void toNaturalOrder(FrVector v, Workers workers) {
    long[] d = check(v);
    workers.forRanges(1L << logSize(), 1 << 12, (from, to) -> reverse(d, (int) from, (int) to));
  }

  @Override
  public void fromNaturalOrder(FrVector v, Workers workers) {
    toNaturalOrder(v, workers);
  }

  private void reverse(long[] d, int from, int to) {
    int shift = 32 - logSize();
    if (logSize() < 2) {
      return;
    }
    for (int i = from; i < to; i++) {
      int j = Integer.reverse(i) >>> shift;
      if (i < j) {
        int x = i * W;
        int y = j * W;
        for (int w = 0; w < W; w++) {
          long t = d[x + w];
          d[x + w] = d[y + w];
          d[y + w] = t;
        }
      }
    }
  }
}
