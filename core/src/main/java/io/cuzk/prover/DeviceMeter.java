package io.cuzk.prover;

import io.cuzk.curve.Group;

/**
 * A device's kernels by themselves, timed by its own clock. Belongs to one thread; one measure at a
 * time.
 */
public interface DeviceMeter extends AutoCloseable {
  /**
   * What the device does at most, as measured on it.
   *
   * @param frMulPerSecond Montgomery products in Fr, by chains of them on all multiprocessors
   * @param fpMulPerSecond the same in Fp
   * @param uploadBytesPerSecond from page-locked host memory
   * @param downloadBytesPerSecond to it
   */
  record Rates(
      double frMulPerSecond,
      double fpMulPerSecond,
      double uploadBytesPerSecond,
      double downloadBytesPerSecond) {}

  /** A transform from coefficients to values. */
  interface Transform extends AutoCloseable {
    /** Sets coefficients from … from+count−1, in natural order: four Montgomery words each. */
    void write(long from, int count, long[] coefficients);

    /** Puts the coefficients into the order that the transform takes. */
    void order();

    /** Transforms in place, and returns how many seconds the device took. */
    double seconds();

    /** Reads one element. */
    void read(long at, long[] out);

    @Override
    void close();
  }

  /** A multi-scalar multiplication whose points and scalars lie on the device. */
  interface Sum extends AutoCloseable {
    /** Computes it, and returns how many seconds the device took. */
    double seconds();

    /** The sum that the last run made, Jacobian. */
    long[] total();

    /** Bits of its windows. */
    int windowBits();

    @Override
    void close();
  }

  /** Which device, for records and messages. */
  String device();

  /**
   * Measures the device's limits.
   *
   * @throws io.cuzk.InfrastructureException if a product that the chains made is wrong
   */
  Rates rates();

  /** Prepares a transform of 2^{@code logSize} elements of undefined content. */
  Transform transform(int logSize);

  /**
   * Prepares a sum.
   *
   * @param affine points as Montgomery words
   * @param scalars one for each point, as canonical words
   */
  Sum sum(Group group, long[] affine, long[] scalars);

  /** Gives the device back. */
  @Override
  void close();
}
