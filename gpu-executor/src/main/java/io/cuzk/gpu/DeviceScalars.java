package io.cuzk.gpu;

import io.cuzk.field.CoefficientOrder;

/**
 * Scalars of a multi-scalar multiplication on a device, in Montgomery form.
 *
 * @param buffer 32 bytes each
 * @param count how many there are
 * @param order 0 for a list; else the order of the points, one more than its place in {@link
 *     CoefficientOrder}, for scalars that are a polynomial's coefficients, bit-reversed
 * @param logSize log2 of the coefficients of the polynomial
 */
record DeviceScalars(DeviceBuffer buffer, long count, int order, int logSize) {
  /** Scalar i for point i. */
  static DeviceScalars list(DeviceBuffer buffer, long count) {
    return new DeviceScalars(buffer, count, 0, 0);
  }

  /** The coefficients but the last as a transform left them, for points in some order. */
  static DeviceScalars coefficients(DeviceBuffer buffer, int logSize, CoefficientOrder points) {
    int order =
        switch (points) {
          case NATURAL -> 1;
          case BIT_REVERSED -> 2;
          case ROW_GROUPS -> 3;
        };
    return new DeviceScalars(buffer, (1L << logSize) - 1, order, logSize);
  }
}
