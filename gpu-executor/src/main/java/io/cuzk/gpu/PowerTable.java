package io.cuzk.gpu;

import io.cuzk.field.Fr;
import java.lang.foreign.MemorySegment;

/**
 * The powers factor·ratio^e, 0 ≤ e &lt; 2^logRange, on a device: whole up to 2^{@value #DIRECT} of
 * them, else in two tables of about the square root each, so that a power is one product more.
 */
final class PowerTable implements AutoCloseable {
  /** 2^18 scalars are 8 MiB: they stay in the second-level cache. */
  static final int DIRECT = 18;

  private static final int SCALAR = Fr.BYTES;

  private final DeviceBuffer low;
  private final DeviceBuffer high;
  private final int logLow;

  private PowerTable(DeviceBuffer low, DeviceBuffer high, int logLow) {
    this.low = low;
    this.high = high;
    this.logLow = logLow;
  }

  /** Tables the powers. */
  static PowerTable of(
      DeviceKernels kernels,
      DeviceStream stream,
      long[] factor,
      long[] ratio,
      int logRange,
      int direct) {
    int logLow = logRange <= direct ? logRange : (logRange + 1) / 2;
    DeviceBuffer low = powers(kernels, stream, factor, ratio, logLow);
    if (logLow == logRange) {
      return new PowerTable(low, null, logLow);
    }
    long[] step = ratio.clone();
    for (int i = 0; i < logLow; i++) {
      Fr.square(step, 0, step, 0);
    }
    long[] one = new long[Fr.WORDS];
    Fr.setOne(one, 0);
    try {
      return new PowerTable(low, powers(kernels, stream, one, step, logRange - logLow), logLow);
    } catch (RuntimeException | Error e) {
      giveBack(low, e);
      throw e;
    }
  }

  /** The factor whatever the exponent. */
  static PowerTable constant(DeviceKernels kernels, DeviceStream stream, long[] factor) {
    DeviceBuffer low = kernels.device().allocate(SCALAR);
    try {
      kernels.device().upload(low, MemorySegment.ofArray(factor), stream);
      stream.synchronize();
    } catch (RuntimeException | Error e) {
      giveBack(low, e);
      throw e;
    }
    return new PowerTable(low, null, 0);
  }

  private static DeviceBuffer powers(
      DeviceKernels kernels, DeviceStream stream, long[] factor, long[] ratio, int logCount) {
    GpuDevice device = kernels.device();
    long[] inputs = new long[(logCount + 1) * Fr.WORDS];
    Fr.set(inputs, 0, factor, 0);
    for (int i = 0; i < logCount; i++) {
      int at = (i + 1) * Fr.WORDS;
      if (i == 0) {
        Fr.set(inputs, at, ratio, 0);
      } else {
        Fr.square(inputs, at, inputs, at - Fr.WORDS);
      }
    }
    DeviceBuffer table = device.allocate((long) SCALAR << logCount);
    try (DeviceBuffer in = device.allocate(8L * inputs.length)) {
      device.upload(in, MemorySegment.ofArray(inputs), stream);
      kernels.launch(
          "ntt_powers",
          1L << logCount,
          stream,
          kernels
              .arguments()
              .pointer(table)
              .pointer(in)
              .i64(in.address() + SCALAR)
              .i32(1 << logCount));
      stream.synchronize();
    } catch (RuntimeException | Error e) {
      giveBack(table, e);
      throw e;
    }
    return table;
  }

  private static void giveBack(DeviceBuffer buffer, Throwable failure) {
    Taken taken = new Taken();
    taken.take(buffer);
    taken.giveBack(failure);
  }

  /** The first table. */
  DeviceBuffer low() {
    return low;
  }

  /** Adds the parameters low, high and logLow of a pass. */
  void pass(KernelArguments arguments) {
    arguments.pointer(low);
    if (high == null) {
      arguments.nullPointer();
    } else {
      arguments.pointer(high);
    }
    arguments.i32(logLow);
  }

  @Override
  public void close() {
    low.close();
    if (high != null) {
      high.close();
    }
  }
}
