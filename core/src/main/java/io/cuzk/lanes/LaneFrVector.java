package io.cuzk.lanes;

import io.cuzk.field.Arithmetic;
import io.cuzk.field.Fr;
import io.cuzk.field.FrVector;
import io.cuzk.parallel.Workers;
import java.util.Arrays;

/**
 * {@link FrVector} in groups of eight elements, six doubles each. At rest every element is normal
 * with a value below 2·r.
 */
final class LaneFrVector extends FrVector {
  static final int GROUP = FrKernels.GROUP;

  /** Groups converted at a time. */
  private static final int CHUNK = 16;

  private static final int MIN_RANGE = 1 << 8;
  private static final double[] ZERO = new double[GROUP];

  /** x·2^264 · (2^256 / 2^264): from lane to word form. */
  private static final double[] TO_WORDS = constant(java.math.BigInteger.TWO.pow(256));

  /** x·2^264 · (1 / 2^264): from lane form to the value. */
  private static final double[] TO_CANONICAL = constant(java.math.BigInteger.ONE);

  final LaneArithmetic arithmetic;
  final double[] limbs;

  LaneFrVector(LaneArithmetic arithmetic, long size) {
    super(size);
    this.arithmetic = arithmetic;
    limbs = new double[Math.toIntExact(Math.ceilDiv(size, LaneField.LANES) * GROUP)];
  }

  /** An integer below r in all lanes, as it stands. */
  private static double[] constant(java.math.BigInteger v) {
    double[] group = new double[GROUP];
    long[] digits = LaneField.FR.digits(v.mod(Fr.MODULUS));
    for (int i = 0; i < GROUP; i++) {
      group[i] = LaneField.FR.stored(digits[i / LaneField.LANES], i / LaneField.LANES);
    }
    return group;
  }

  static LaneFrVector of(FrVector v) {
    if (v instanceof LaneFrVector lanes) {
      return lanes;
    }
    throw new IllegalArgumentException(
        "a vector of arithmetic %s in an operation on lanes".formatted(v.arithmetic().name()));
  }

  @Override
  public Arithmetic arithmetic() {
    return arithmetic;
  }

  @Override
  public void load(long at, long[] montgomery, int off, int count) {
    checkRange(at, count);
    double[] buffer = new double[CHUNK * GROUP];
    for (int done = 0; done < count; ) {
      long index = at + done;
      int lane = (int) (index & 7);
      int some = Math.min(count - done, CHUNK * LaneField.LANES - lane);
      int groups = (lane + some + 7) >> 3;
      for (int i = lane; i < lane + some; i++) {
        int w = off + (done + i - lane) * Fr.WORDS;
        Packing.unpackFr(montgomery, w, buffer, (i >> 3) * GROUP + (i & 7), LaneField.LANES);
      }
      FrKernels k = arithmetic.fr();
      k.difference(buffer, 0, GROUP, ZERO, 0, 0, buffer, 0, GROUP, groups);
      int first = (int) (index >> 3) * GROUP;
      if (lane == 0 && (some & 7) == 0) {
        System.arraycopy(buffer, 0, limbs, first, groups * GROUP);
      } else { // only these lanes: others may be written by other threads
        for (int i = lane; i < lane + some; i++) {
          int e = (i >> 3) * GROUP + (i & 7);
          for (int j = 0; j < GROUP; j += LaneField.LANES) {
            limbs[first + e + j] = buffer[e + j];
          }
        }
      }
      done += some;
    }
  }

  @Override
  public void store(long at, long[] montgomery, int off, int count) {
    store(at, montgomery, off, count, TO_WORDS);
  }

  @Override
  public void storeCanonical(long at, long[] canonical, int off, int count) {
    store(at, canonical, off, count, TO_CANONICAL);
  }

  private void store(long at, long[] words, int off, int count, double[] factor) {
    checkRange(at, count);
    double[] buffer = new double[CHUNK * GROUP];
    for (int done = 0; done < count; ) {
      long index = at + done;
      int lane = (int) (index & 7);
      int some = Math.min(count - done, CHUNK * LaneField.LANES - lane);
      int groups = (lane + some + 7) >> 3;
      FrKernels k = arithmetic.fr();
      k.mul(limbs, (int) (index >> 3) * GROUP, GROUP, factor, 0, 0, buffer, 0, GROUP, groups);
      k.difference(buffer, 0, GROUP, ZERO, 0, 0, buffer, 0, GROUP, groups);
      for (int i = lane; i < lane + some; i++) {
        int w = off + (done + i - lane) * Fr.WORDS;
        Packing.packFr(buffer, (i >> 3) * GROUP + (i & 7), LaneField.LANES, words, w);
      }
      done += some;
    }
  }

  @Override
  public void clear(long from, long to) {
    checkRange(from, to - from);
    long i = from;
    for (; i < to && (i & 7) != 0; i++) {
      clear(i);
    }
    if (to - i >= LaneField.LANES) {
      Arrays.fill(limbs, (int) (i >> 3) * GROUP, (int) (to >> 3) * GROUP, 0);
      i = to & ~7L;
    }
    for (; i < to; i++) {
      clear(i);
    }
  }

  private void clear(long i) {
    int e = (int) (i >> 3) * GROUP + (int) (i & 7);
    for (int j = 0; j < GROUP; j += LaneField.LANES) {
      limbs[e + j] = 0;
    }
  }

  @Override
  public void setProduct(FrVector x, FrVector y, Workers workers) {
    checkSameSize(x);
    checkSameSize(y);
    double[] xs = of(x).limbs;
    double[] ys = of(y).limbs;
    FrKernels k = arithmetic.fr();
    overGroups(workers, (o, n) -> k.mul(xs, o, GROUP, ys, o, GROUP, limbs, o, GROUP, n));
  }

  @Override
  public void setDifference(FrVector x, FrVector y, Workers workers) {
    checkSameSize(x);
    checkSameSize(y);
    double[] xs = of(x).limbs;
    double[] ys = of(y).limbs;
    FrKernels k = arithmetic.fr();
    overGroups(workers, (o, n) -> k.difference(xs, o, GROUP, ys, o, GROUP, limbs, o, GROUP, n));
  }

  @Override
  public void set(FrVector x, Workers workers) {
    checkSameSize(x);
    double[] xs = of(x).limbs;
    overGroups(workers, (o, n) -> System.arraycopy(xs, o, limbs, o, n * GROUP));
  }

  private interface GroupBody {
    void run(int offset, int groups);
  }

  private void overGroups(Workers workers, GroupBody body) {
    workers.forRanges(
        limbs.length / GROUP,
        MIN_RANGE,
        (from, to) -> body.run((int) from * GROUP, (int) (to - from)));
  }
}
