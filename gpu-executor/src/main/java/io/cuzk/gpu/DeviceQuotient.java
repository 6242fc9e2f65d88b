package io.cuzk.gpu;

import io.cuzk.field.Fr;
import io.cuzk.poly.EvaluationDomain;
import java.math.BigInteger;

/**
 * The quotient of a satisfied assignment on a device, by the six transforms of {@link
 * io.cuzk.poly.QuotientPolynomial}: three vectors of the domain's size and no permutation. Belongs
 * to the thread that works with the device.
 */
final class DeviceQuotient implements AutoCloseable {
  private final DeviceKernels kernels;
  private final DeviceTransform transform;
  private final PowerTable toCoset;
  private final PowerTable fromCoset;
  private final PowerTable fromDomain;

  DeviceQuotient(DeviceKernels kernels, DeviceStream stream, int logSize) {
    this.kernels = kernels;
    long[] generator = new long[Fr.WORDS];
    long[] inverse = new long[Fr.WORDS];
    long[] factor = new long[Fr.WORDS]; // 1/(7^m − 1)
    long[] one = new long[Fr.WORDS];
    Fr.setOne(one, 0);
    Fr.setLong(generator, 0, EvaluationDomain.COSET_GENERATOR);
    Fr.inv(inverse, 0, generator, 0);
    Fr.pow(factor, 0, generator, 0, BigInteger.ONE.shiftLeft(logSize));
    Fr.sub(factor, 0, factor, 0, one, 0);
    Fr.inv(factor, 0, factor, 0);
    Taken taken = new Taken();
    try {
      transform = taken.take(new DeviceTransform(kernels, stream, logSize));
      toCoset = taken.take(transform.afterInverse(stream, null, generator));
      fromCoset = taken.take(transform.afterInverse(stream, factor, inverse));
      fromDomain = taken.take(transform.afterInverse(stream, factor, null));
    } catch (RuntimeException | Error e) {
      taken.giveBack(e);
      throw e;
    }
  }

  int logSize() {
    return transform.logSize();
  }

  /**
   * Leaves h's coefficients in {@code a}, bit-reversed; {@code b} and {@code product} are consumed.
   *
   * @param a values of A·w on the domain
   * @param b values of B·w likewise
   * @param product a third vector of that size, of any content
   */
  void compute(DeviceBuffer a, DeviceBuffer b, DeviceBuffer product, DeviceStream stream) {
    elementwise("fr_mul", product, a, b, stream);
    transform.inverse(product, fromDomain, stream);
    extend(a, stream);
    extend(b, stream);
    elementwise("fr_mul", a, a, b, stream);
    transform.inverse(a, fromCoset, stream);
    elementwise("fr_sub", a, a, product, stream);
  }

  private void extend(DeviceBuffer v, DeviceStream stream) {
    transform.inverse(v, toCoset, stream);
    transform.forward(v, null, stream);
  }

  private void elementwise(
      String kernel, DeviceBuffer r, DeviceBuffer x, DeviceBuffer y, DeviceStream stream) {
    long n = 1L << logSize();
    kernels.launch(
        kernel, n, stream, kernels.arguments().pointer(r).pointer(x).pointer(y).i32((int) n));
  }

  @Override
  public void close() {
    fromDomain.close();
    fromCoset.close();
    toCoset.close();
    transform.close();
  }
}
