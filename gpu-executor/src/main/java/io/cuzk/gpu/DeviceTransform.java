package io.cuzk.gpu;

import io.cuzk.field.CoefficientOrder;
import io.cuzk.field.Fr;
import io.cuzk.field.FrTransform;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The number-theoretic transform of one size 2^k, 1 ≤ k ≤ 28, on a device: what {@link FrTransform}
 * is on the CPU. Values lie in natural order, coefficients bit-reversed ({@link
 * CoefficientOrder#BIT_REVERSED}). A transform is ⌈k/9⌉ passes over the vector, each of nearly the
 * same radix; 2^28 is three.
 *
 * <p>Vectors are 2^k Montgomery scalars of 32 bytes in one buffer, transformed in place. Belongs to
 * the thread that works with the device; calls return when the work is given to the stream.
 */
final class DeviceTransform implements AutoCloseable {
  private static final int ROOTS_LOG = 10;

  /** Threads of a block: with neighbouring columns, and where a column is contiguous. */
  private static final int LOG_THREADS = 9;

  private static final int LOG_THREADS_CONTIGUOUS = 8;

  private final DeviceKernels kernels;
  private final int logSize;
  private final int[] radices;

  /** Powers of the roots of order 2^{@value #ROOTS_LOG}, for the stages inside a pass. */
  private final PowerTable roots;

  /** What stands behind each pass of the inverse but the last. */
  private final List<PowerTable> twiddles = new ArrayList<>();

  /** 2^−k. */
  private final long[] inverseSize = new long[Fr.WORDS];

  DeviceTransform(DeviceKernels kernels, DeviceStream stream, int logSize) {
    this(kernels, stream, logSize, radices(logSize, 9), PowerTable.DIRECT);
  }

  /** The same with given radices, whose sum is logSize, and tables cut above 2^direct. */
  DeviceTransform(
      DeviceKernels kernels, DeviceStream stream, int logSize, int[] radices, int direct) {
    this.kernels = kernels;
    this.logSize = logSize;
    this.radices = radices.clone();
    long[] one = new long[Fr.WORDS];
    Fr.setOne(one, 0);
    long[] root = new long[Fr.WORDS];
    FrTransform.root(ROOTS_LOG, root, 0);
    Taken taken = new Taken();
    try {
      roots = taken.take(PowerTable.of(kernels, stream, one, root, ROOTS_LOG, ROOTS_LOG));
      int logBlock = logSize;
      for (int i = 0; i < radices.length - 1; i++) {
        FrTransform.root(logBlock, root, 0);
        twiddles.add(taken.take(PowerTable.of(kernels, stream, one, root, logBlock, direct)));
        logBlock -= radices[i];
      }
    } catch (RuntimeException | Error e) {
      taken.giveBack(e);
      throw e;
    }
    Fr.fromBigInteger(inverseSize, 0, BigInteger.ONE.shiftLeft(logSize));
    Fr.inv(inverseSize, 0, inverseSize, 0);
  }

  /** Nearly equal radices up to 2^most, as few as there can be; 2^28 takes 2^10 once. */
  static int[] radices(int logSize, int most) {
    if (logSize < 1 || logSize > FrTransform.MAX_LOG_SIZE) {
      throw new IllegalArgumentException(
          "a device transforms 2^1 to 2^%d scalars, asked for 2^%d"
              .formatted(FrTransform.MAX_LOG_SIZE, logSize));
    }
    int passes = logSize == 3 * most + 1 ? 3 : Math.ceilDiv(logSize, most);
    int[] radices = new int[passes];
    for (int i = 0; i < passes; i++) {
      radices[i] = logSize / passes + (i < logSize % passes ? 1 : 0);
    }
    return radices;
  }

  int logSize() {
    return logSize;
  }

  /**
   * The scaling of coefficient i by factor·ratio^i behind an inverse transform, whose division by
   * 2^k it includes.
   *
   * @param factor one Montgomery element, or null for one
   * @param ratio one Montgomery element, or null for one
   */
  PowerTable afterInverse(DeviceStream stream, long[] factor, long[] ratio) {
    long[] scaled = inverseSize.clone();
    if (factor != null) {
      Fr.mul(scaled, 0, scaled, 0, factor, 0);
    }
    return ratio == null
        ? PowerTable.constant(kernels, stream, scaled)
        : PowerTable.of(kernels, stream, scaled, ratio, logSize, PowerTable.DIRECT);
  }

  /** The scaling of coefficient i by ratio^i before a forward transform. */
  PowerTable beforeForward(DeviceStream stream, long[] ratio) {
    long[] one = new long[Fr.WORDS];
    Fr.setOne(one, 0);
    return PowerTable.of(kernels, stream, one, ratio, logSize, PowerTable.DIRECT);
  }

  /** Values → coefficients, scaled by what {@link #afterInverse} made. */
  void inverse(DeviceBuffer vector, PowerTable scaling, DeviceStream stream) {
    int logBlock = logSize;
    for (int i = 0; i < radices.length; i++) {
      PowerTable behind = i < twiddles.size() ? twiddles.get(i) : scaling;
      pass("ntt_inverse_pass", vector, logBlock, radices[i], behind, stream);
      logBlock -= radices[i];
    }
  }

  /** Coefficients, scaled by what {@link #beforeForward} made or not for null, → values. */
  void forward(DeviceBuffer vector, PowerTable scaling, DeviceStream stream) {
    int logBlock = 0;
    for (int i = radices.length - 1; i >= 0; i--) {
      logBlock += radices[i];
      PowerTable before = i < twiddles.size() ? twiddles.get(i) : scaling;
      pass("ntt_forward_pass", vector, logBlock, radices[i], before, stream);
    }
  }

  /** Between natural and bit-reversed order, in place. */
  void reverse(DeviceBuffer vector, DeviceStream stream) {
    kernels.launch(
        "ntt_reverse", 1L << logSize, stream, kernels.arguments().pointer(vector).i32(logSize));
  }

  private void pass(
      String kernel,
      DeviceBuffer vector,
      int logBlock,
      int radix,
      PowerTable powers,
      DeviceStream stream) {
    int logThreads = logBlock > radix ? LOG_THREADS : LOG_THREADS_CONTIGUOUS;
    int logColumns = Math.min(logSize - radix, Math.max(0, logThreads - (radix - 1)));
    int threads = 1 << (radix - 1 + logColumns);
    KernelArguments arguments =
        kernels
            .arguments()
            .pointer(vector)
            .i32(logSize)
            .i32(logBlock)
            .i32(radix)
            .i32(logColumns)
            .pointer(roots.low());
    if (powers == null) {
      arguments.nullPointer().nullPointer().i32(0);
    } else {
      powers.pass(arguments);
    }
    kernels.launch(
        kernel, 1 << (logSize - radix - logColumns), 1, threads, 64 * threads, stream, arguments);
  }

  @Override
  public void close() {
    roots.close();
    twiddles.forEach(PowerTable::close);
  }
}
