package io.cuzk.field;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The provider on 64-bit words ({@code Math.unsignedMultiplyHigh}): runs on every machine. */
final class ScalarArithmetic extends Arithmetic {
  static final String NAME = "scalar";
  static final ScalarArithmetic INSTANCE = new ScalarArithmetic();

  /** Additions that share an inversion of some 20 µs, at most 2 % of their time. */
  private static final int BATCH = 2048;

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
  public AffineVector allocatePoints(CoordinateField field, int size) {
    return new ScalarAffineVector(field, size);
  }

  @Override
  public AffineAdder adder(CoordinateField field, int maxBatch) {
    return new ScalarAffineAdder(field, maxBatch);
  }

  @Override
  public int preferredBatch(CoordinateField field) {
    return BATCH;
  }
}
