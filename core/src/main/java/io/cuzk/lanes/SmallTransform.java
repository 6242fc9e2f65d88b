package io.cuzk.lanes;

import io.cuzk.field.Arithmetic;
import io.cuzk.field.CoefficientOrder;
import io.cuzk.field.Fr;
import io.cuzk.field.FrTransform;
import io.cuzk.field.FrVector;
import io.cuzk.parallel.Workers;
import java.util.function.Consumer;

/** Transforms too small for lanes: by way of the scalar provider. Own order: the scalar one's. */
final class SmallTransform extends FrTransform {
  private final FrTransform scalar;

  SmallTransform(LaneArithmetic arithmetic, int logSize) {
    super(logSize);
    scalar = Arithmetic.scalar().transform(logSize);
  }

  private void by(FrVector v, Consumer<FrVector> operation) {
    if (v.size() != 1L << logSize()) {
      throw new IllegalArgumentException(
          "a transform of 2^%d on a vector of %d".formatted(logSize(), v.size()));
    }
    int n = (int) LaneFrVector.of(v).size();
    long[] words = new long[n * Fr.WORDS];
    FrVector copy = Arithmetic.scalar().allocate(n);
    v.store(0, words, 0, n);
    copy.load(0, words, 0, n);
    operation.accept(copy);
    copy.store(0, words, 0, n);
    v.load(0, words, 0, n);
  }

  @Override
  public void inverse(FrVector v, long[] factor, long[] ratio, Workers workers) {
    by(v, x -> scalar.inverse(x, factor, ratio, workers));
  }

  @Override
  public void forward(FrVector v, long[] factor, long[] ratio, Workers workers) {
    by(v, x -> scalar.forward(x, factor, ratio, workers));
  }

  @Override
  public CoefficientOrder order() {
    return CoefficientOrder.ROW_GROUPS; // below 2^6 it is the scalar one's
  }

  @Override
  public void toNaturalOrder(FrVector v, Workers workers) {
    by(v, x -> scalar.toNaturalOrder(x, workers));
  }

  @Override
  public void fromNaturalOrder(FrVector v, Workers workers) {
    by(v, x -> scalar.fromNaturalOrder(x, workers));
  }
}
