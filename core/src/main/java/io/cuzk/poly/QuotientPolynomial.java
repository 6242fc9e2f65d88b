package io.cuzk.poly;

import io.cuzk.field.Fr;
import io.cuzk.field.FrVector;
import io.cuzk.parallel.Workers;
import java.math.BigInteger;

/**
 * h = (a·b − c)/Z of a satisfied assignment, Z = x^m − 1, from the values of a and b on the domain.
 *
 * <p>c is not needed: it has degree below m and equals a∘b on the domain, so h is the upper half of
 * a(x)·b(x) = lo(x) + x^m·hi(x). Interpolation of the products on the domain gives lo + hi, on the
 * coset 7·⟨ω⟩ it gives lo + 7^m·hi, and their difference over 7^m − 1 is hi: six transforms where
 * bellman takes seven.
 *
 * <p>If the assignment does not satisfy its constraints there is no such quotient, and the result
 * is one for other rows; the proof made of it does not verify.
 */
public final class QuotientPolynomial {
  private QuotientPolynomial() {}

  /**
   * The m coefficients of h in natural order; the last one is always zero, and Groth16 uses the
   * first m − 1. Peak memory: three vectors of m elements.
   *
   * @param a values on the domain, zeros after the last row; consumed: the result reuses it
   * @param b likewise; consumed
   * @throws IllegalArgumentException if the sizes differ or are not a power of two up to 2^28
   */
  public static FrVector of(FrVector a, FrVector b, Workers workers) {
    EvaluationDomain domain = domain(a, workers);
    FrVector h = unordered(domain, a, b, workers);
    domain.order(h);
    return h;
  }

  /**
   * The same in the order in which the last transform leaves the coefficients: coefficient i is at
   * {@code order.position(i, k)}, order being that of {@code a.arithmetic().transform(k)}.
   */
  public static FrVector inTransformOrder(FrVector a, FrVector b, Workers workers) {
    return unordered(domain(a, workers), a, b, workers);
  }

  /**
   * The same from the values of c too, as bellman computes it: seven transforms, and (a·b − c)/Z on
   * the coset, where Z is the constant 7^m − 1. It is there to be measured against.
   *
   * @param c values on the domain; consumed
   */
  public static FrVector inTransformOrder(FrVector a, FrVector b, FrVector c, Workers workers) {
    EvaluationDomain domain = domain(a, workers);
    domain.extendToCoset(a);
    domain.extendToCoset(b);
    domain.extendToCoset(c);
    a.setProduct(a, b, workers);
    a.setDifference(a, c, workers);
    domain.interpolateCosetUnordered(a, inverseOfZ(domain));
    return a;
  }

  /** 1/Z on the coset: 1/(7^m − 1). */
  private static long[] inverseOfZ(EvaluationDomain domain) {
    long[] factor = new long[Fr.WORDS];
    long[] one = new long[Fr.WORDS];
    Fr.setLong(factor, 0, EvaluationDomain.COSET_GENERATOR);
    Fr.pow(factor, 0, factor, 0, BigInteger.valueOf(domain.size()));
    Fr.setOne(one, 0);
    Fr.sub(factor, 0, factor, 0, one, 0);
    Fr.inv(factor, 0, factor, 0);
    return factor;
  }

  private static EvaluationDomain domain(FrVector a, Workers workers) {
    if (Long.bitCount(a.size()) != 1) {
      throw new IllegalArgumentException(
          "the quotient needs vectors as long as a domain, found %d values".formatted(a.size()));
    }
    return EvaluationDomain.of(Long.numberOfTrailingZeros(a.size()), workers, a.arithmetic());
  }

  private static FrVector unordered(
      EvaluationDomain domain, FrVector a, FrVector b, Workers workers) {
    long[] factor = inverseOfZ(domain);
    FrVector product = a.arithmetic().allocate(a.size());
    product.setProduct(a, b, workers);
    domain.interpolateUnordered(product, factor);
    domain.extendToCoset(a);
    domain.extendToCoset(b);
    a.setProduct(a, b, workers);
    domain.interpolateCosetUnordered(a, factor);
    a.setDifference(a, product, workers);
    return a;
  }
}
