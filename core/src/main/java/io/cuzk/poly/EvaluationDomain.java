package io.cuzk.poly;

import io.cuzk.field.Arithmetic;
import io.cuzk.field.Fr;
import io.cuzk.field.FrTransform;
import io.cuzk.field.FrVector;
import io.cuzk.parallel.Workers;

/**
 * The points ω^0 … ω^(m−1), m = 2^k, at which polynomials of degree below m over {@link Fr} are
 * evaluated and interpolated, and the coset 7·⟨ω⟩, where Z(x) = x^m − 1 does not vanish.
 *
 * <p>All four transforms work in place on vectors of m elements, in natural order on both sides. ω
 * = (7^((r−1)/2^32))^(2^(32−k)), as in bellman. An instance is a view of tables that all domains of
 * one size share; it is thread-safe as its workers are.
 */
public final class EvaluationDomain {
  /** The multiplicative generator of Fr that shifts the coset. */
  public static final long COSET_GENERATOR = 7;

  private final FrTransform transform;
  private final Workers workers;
  private final long[] generator = new long[Fr.WORDS];
  private final long[] generatorInverse = new long[Fr.WORDS];

  private EvaluationDomain(FrTransform transform, Workers workers) {
    this.transform = transform;
    this.workers = workers;
    Fr.setLong(generator, 0, COSET_GENERATOR);
    Fr.inv(generatorInverse, 0, generator, 0);
  }

  /**
   * The domain of 2^logSize points.
   *
   * @throws IllegalArgumentException if logSize is not in 0…28
   */
  public static EvaluationDomain of(int logSize, Workers workers) {
    return of(logSize, workers, Arithmetic.current());
  }

  /** The domain of 2^logSize points, for vectors of a particular arithmetic. */
  public static EvaluationDomain of(int logSize, Workers workers, Arithmetic arithmetic) {
    return new EvaluationDomain(arithmetic.transform(logSize), workers);
  }

  /**
   * The k of the smallest domain that holds that many rows.
   *
   * @throws IllegalArgumentException if rows is negative or above 2^28
   */
  public static int logSizeFor(long rows) {
    if (rows < 0 || rows > 1L << FrTransform.MAX_LOG_SIZE) {
      throw new IllegalArgumentException(
          "a domain holds 0 to 2^%d rows, asked for %d".formatted(FrTransform.MAX_LOG_SIZE, rows));
    }
    return rows <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(rows - 1);
  }

  /** k. */
  public int logSize() {
    return transform.logSize();
  }

  /** m. */
  public long size() {
    return 1L << transform.logSize();
  }

  /** Writes ω. */
  public void root(long[] out, int at) {
    FrTransform.root(logSize(), out, at);
  }

  /** Coefficients → values on the domain. */
  public void fft(FrVector v) {
    transform.fromNaturalOrder(v, workers);
    transform.forward(v, null, null, workers);
  }

  /** Values on the domain → coefficients. */
  public void ifft(FrVector v) {
    transform.inverse(v, null, null, workers);
    transform.toNaturalOrder(v, workers);
  }

  /** Coefficients → values on the coset. */
  public void cosetFft(FrVector v) {
    transform.fromNaturalOrder(v, workers);
    transform.forward(v, null, generator, workers);
  }

  /** Values on the coset → coefficients. */
  public void icosetFft(FrVector v) {
    transform.inverse(v, null, generatorInverse, workers);
    transform.toNaturalOrder(v, workers);
  }

  /** Values on the domain → values on the coset of the same polynomial: nothing is permuted. */
  void extendToCoset(FrVector v) {
    transform.inverse(v, null, generator, workers);
    transform.forward(v, null, null, workers);
  }

  /** Values on the domain → factor × coefficients, in the transform's own order. */
  void interpolateUnordered(FrVector v, long[] factor) {
    transform.inverse(v, factor, null, workers);
  }

  /** Values on the coset → factor × coefficients, in the transform's own order. */
  void interpolateCosetUnordered(FrVector v, long[] factor) {
    transform.inverse(v, factor, generatorInverse, workers);
  }

  /** Coefficients from the transform's own to natural order. */
  void order(FrVector v) {
    transform.toNaturalOrder(v, workers);
  }
}
