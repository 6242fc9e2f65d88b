package io.cuzk.lanes;

import io.cuzk.field.AffineAdder;
import io.cuzk.field.AffineVector;
import io.cuzk.field.Arithmetic;
import io.cuzk.field.CoordinateField;
import io.cuzk.field.Fp2Field;
import io.cuzk.field.FpVector;
import io.cuzk.field.FrTransform;
import io.cuzk.field.FrVector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The provider on vector lanes; one a JVM, made by {@link LaneSource}. */
final class LaneArithmetic extends Arithmetic {
  static final String NAME = "lanes";

  /** Additions that share an inversion: their operands fill some 0.8 MB of the second cache. */
  private static final int G1_BATCH = 2048;

  private static final int G2_BATCH = 1024;

  private final Warmup warmup;
  private final ConcurrentMap<Integer, FrTransform> transforms = new ConcurrentHashMap<>();

  LaneArithmetic(Warmup warmup) {
    this.warmup = warmup;
  }

  FrKernels fr() {
    return warmup.fr();
  }

  FpKernels fp() {
    return warmup.fp();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public FrVector allocate(long size) {
    return new LaneFrVector(this, size);
  }

  @Override
  public FrTransform transform(int logSize) {
    return transforms.computeIfAbsent(
        logSize,
        k ->
            k < LaneTransform.MIN_LOG_SIZE
                ? new SmallTransform(this, k)
                : new LaneTransform(this, k));
  }

  @Override
  public FpVector allocateFp(int size) {
    return new LaneFpVector(this, size);
  }

  @Override
  public AffineVector allocatePoints(CoordinateField field, int size) {
    return new LaneAffineVector(field, size);
  }

  @Override
  public AffineAdder adder(CoordinateField field, int maxBatch) {
    return field == Fp2Field.INSTANCE
        ? new LaneG2Adder(warmup.fp(), warmup.dots(), warmup.moves(), maxBatch)
        : new LaneG1Adder(warmup.fp(), warmup.moves(), maxBatch);
  }

  @Override
  public int preferredBatch(CoordinateField field) {
    return field == Fp2Field.INSTANCE ? G2_BATCH : G1_BATCH;
  }
}
