package io.cuzk.gpu;

/**
 * Cuts a buffer into ranges of 256-byte alignment, one after another. Without a buffer it only
 * counts what would be used.
 */
final class DeviceArena {
  private static final int ALIGNMENT = 256;

  private final DeviceBuffer buffer;
  private long used;

  DeviceArena(DeviceBuffer buffer) {
    this.buffer = buffer;
  }

  /** The next range; null if there is no buffer. */
  DeviceBuffer take(long bytes) {
    long from = used;
    used += Math.ceilDiv(Math.max(1, bytes), ALIGNMENT) * ALIGNMENT;
    return buffer == null ? null : buffer.slice(from, bytes);
  }

  long used() {
    return used;
  }
}
