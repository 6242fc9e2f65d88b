package io.cuzk.gpu;

import java.util.function.LongConsumer;

/**
 * A range of device memory. The one that {@link GpuDevice#allocate} returned frees it when closed;
 * its sub-ranges own nothing and must not be used after that.
 */
public final class DeviceBuffer implements AutoCloseable {
  private final long address;
  private final long bytes;
  private LongConsumer release;

  private DeviceBuffer(long address, long bytes, LongConsumer release) {
    this.address = address;
    this.bytes = bytes;
    this.release = release;
  }

  /** A range that is freed through {@code release}, which is given the address. */
  public static DeviceBuffer owning(long address, long bytes, LongConsumer release) {
    return new DeviceBuffer(address, bytes, release);
  }

  /** The address in the device's memory, as kernels take it. */
  public long address() {
    return address;
  }

  /** Its length. */
  public long bytes() {
    return bytes;
  }

  /** The range of {@code length} bytes from {@code offset} on. */
  public DeviceBuffer slice(long offset, long length) {
    if (offset < 0 || length < 0 || offset > bytes - length) {
      throw new IndexOutOfBoundsException(
          "bytes %d to %d of a device buffer of %d".formatted(offset, offset + length, bytes));
    }
    return new DeviceBuffer(address + offset, length, null);
  }

  /** The range from {@code offset} to the end. */
  public DeviceBuffer from(long offset) {
    return slice(offset, bytes - offset);
  }

  @Override
  public synchronized void close() {
    if (release != null) {
      release.accept(address);
      release = null;
    }
  }
}
