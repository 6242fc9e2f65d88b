package io.cuzk.gpu;

/** Exclusive sums over 32-bit counters on a device, in place. */
final class DeviceScan {
  private static final int THREADS = 256;

  /** Counters that a block sums up. */
  private static final int TILE = 4 * THREADS;

  private DeviceScan() {}

  /** Bytes of scratch memory that a scan of so many counters needs. */
  static long scratchBytes(long count) {
    return 4 * Math.max(1, Math.ceilDiv(count, TILE));
  }

  /**
   * Replaces each of the first {@code count} counters by the sum of those before it, and the one
   * behind them by the sum of all.
   *
   * @param data count + 1 counters
   * @param scratch of {@link #scratchBytes}
   */
  static void exclusive(
      DeviceKernels kernels,
      DeviceBuffer data,
      int count,
      DeviceBuffer scratch,
      DeviceStream stream) {
    int tiles = Math.ceilDiv(count, TILE);
    kernels.launch(
        "scan_tiles",
        tiles,
        1,
        THREADS,
        0,
        stream,
        kernels.arguments().pointer(data).i32(count).pointer(scratch));
    kernels.launch(
        "scan_totals",
        1,
        1,
        THREADS,
        0,
        stream,
        kernels.arguments().pointer(scratch).i32(tiles).i64(data.address() + 4L * count));
    if (tiles > 1) {
      kernels.launch(
          "scan_add",
          tiles,
          1,
          THREADS,
          0,
          stream,
          kernels.arguments().pointer(data).i32(count).pointer(scratch));
    }
  }
}
