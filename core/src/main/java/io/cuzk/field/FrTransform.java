package io.cuzk.field;

import io.cuzk.parallel.Workers;
import java.math.BigInteger;

/**
 * The number-theoretic transform of one size m = 2^k over Fr: between the coefficients of a
 * polynomial of degree below m and its values at ω^0 … ω^(m−1), ω = {@link #root}(k).
 *
 * <p>Values lie in natural order. Coefficients lie in the transform's <em>own order</em>, the one
 * that its last inverse pass leaves and its first forward pass takes, so that an inverse followed
 * by a forward transform moves nothing: coefficient i is at {@link #position}(i). The order depends
 * on the provider and the size only; {@link #toNaturalOrder} and {@link #fromNaturalOrder} change
 * it.
 *
 * <p>Both directions take a scaling of the coefficients, fused with the transform: coefficient i is
 * multiplied by factor·ratio^i, either of which may be {@code null} for one. Transforms on the
 * coset g·⟨ω⟩ are made of it: forward with ratio g, inverse with ratio g⁻¹.
 *
 * <p>In place, on vectors of exactly m elements of the same provider. An instance holds tables only
 * and is thread-safe; a vector is worked on by one call at a time, which spreads over the workers.
 */
public abstract class FrTransform {
  /** Largest k: the group of 2^32-th roots of unity would allow 32, arrays allow 28. */
  public static final int MAX_LOG_SIZE = 28;

  /** 2-adicity of r − 1. */
  private static final int ADICITY = 32;

  /** 7^((r − 1)/2^32), a root of unity of order 2^32. */
  private static final long[] ROOT = primitiveRoot();

  private final int logSize;

  /** For providers. */
  protected FrTransform(int logSize) {
    if (logSize < 0 || logSize > MAX_LOG_SIZE) {
      throw new IllegalArgumentException(
          "transforms have 2^0 to 2^%d points, asked for 2^%d".formatted(MAX_LOG_SIZE, logSize));
    }
    this.logSize = logSize;
  }

  private static long[] primitiveRoot() {
    long[] root = new long[Fr.WORDS];
    Fr.setLong(root, 0, 7);
    Fr.pow(root, 0, root, 0, Fr.MODULUS.subtract(BigInteger.ONE).shiftRight(ADICITY));
    return root;
  }

  /** Writes ω of order 2^logSize, 0 ≤ logSize ≤ 32: the 2^(32−logSize)-th power of the root. */
  public static void root(int logSize, long[] out, int at) {
    if (logSize < 0 || logSize > ADICITY) {
      throw new IllegalArgumentException("no root of unity of order 2^" + logSize + " in Fr");
    }
    Fr.set(out, at, ROOT, 0);
    for (int i = logSize; i < ADICITY; i++) {
      Fr.square(out, at, out, at);
    }
  }

  /** k. */
  public final int logSize() {
    return logSize;
  }

  /**
   * Values in natural order → coefficients in own order, coefficient i times factor·ratio^i. This
   * is the true inverse: the division by m is inside.
   *
   * @param factor one Montgomery element, or null
   * @param ratio one Montgomery element, or null
   */
  public abstract void inverse(FrVector v, long[] factor, long[] ratio, Workers workers);

  /** Coefficients in own order, coefficient i first multiplied by factor·ratio^i → values. */
  public abstract void forward(FrVector v, long[] factor, long[] ratio, Workers workers);

  /** The transform's own order. */
  public abstract CoefficientOrder order();

  /** Where coefficient {@code index} lies in the transform's own order; a bijection on 0 … m−1. */
  public final long position(long index) {
    return order().position(index, logSize);
  }

  /** Coefficients from own to natural order. */
  public abstract void toNaturalOrder(FrVector v, Workers workers);

  /** Coefficients from natural to own order. */
  public abstract void fromNaturalOrder(FrVector v, Workers workers);
}
