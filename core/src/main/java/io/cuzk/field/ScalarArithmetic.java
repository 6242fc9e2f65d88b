package io.cuzk.field;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The provider on 64-bit words ({@code Math.unsignedMultiplyHigh}): runs on every machine. */
final class ScalarArithmetic extends Arithmetic {
  static final String NAME = "scalar";
  static final ScalarArithmetic INSTANCE = new ScalarArithmetic();

  /**
   * Words of the coordinates of a batch: an inversion of some 5 µs drowns in a millisecond of
   * additions, whose operands and scratch memory still fit a core's second-level cache.
   */
  private static final int BATCH_WORDS = 1024 * Fp.WORDS;

  private final ConcurrentMap<Integer, ScalarTransform> transforms = new ConcurrentHashMap<>();

  private ScalarArithmetic() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public FrVector allocate(long size) {
    return new ScalarFrVector(size);
  }

  @Override
  public FrTransform transform(int logSize) {
    return transforms.computeIfAbsent(logSize, ScalarTransform::new);
  }

  @Override
  public FpVector allocateFp(int size) {
    return new ScalarFpVector(size);
  }

  @Override
  public AffineVector allocatePoints(CoordinateField field, int size) {
    return new ScalarAffineVector(field, size);
  }

  @Override
  public AffineAdder adder(CoordinateField field, int maxBatch) {
    return new ScalarAffineAdder(field, maxBatch);
  }

  @Override
  public int preferredBatch(CoordinateField field) {
    return BATCH_WORDS / field.words();
  }
}
