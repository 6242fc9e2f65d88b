package io.cuzk.gpu;

import io.cuzk.curve.Group;
import java.util.Arrays;

/**
 * The sum of the points that a bit set selects, on a device: the places of the ones are listed, and
 * every thread adds up as many of them. Points of any kind are allowed. Belongs to the thread that
 * works with the device.
 */
final class DeviceBitSum {
  private static final int THREADS = 256;
  private static final int POINT_THREADS = 128;

  /** Points that a thread adds up before another one would be worth its share of the tree. */
  private static final int PER_ELEMENT = 16;

  /** Blocks that are resident on a multiprocessor, as far as registers allow. */
  private static final int BLOCKS_PER_MULTIPROCESSOR = 2;

  /** Points uploaded at a time where they are not resident. */
  private static final int CHUNK = 1 << 20;

  private final DeviceKernels kernels;
  private final Staging staging;
  private final DeviceStream stream;

  DeviceBitSum(DeviceKernels kernels, Staging staging, DeviceStream stream) {
    this.kernels = kernels;
    this.staging = staging;
    this.stream = stream;
  }

  /**
   * Writes Σ points[i] over the set bits i, Jacobian.
   *
   * @param bits as many as there are points, bit i of {@code bits[i / 64]}, the lowest first
   */
  void sum(DevicePoints points, long[] bits, long[] out, int at) {
    try (DeviceBuffer set = kernels.device().allocate(Math.max(8, 8L * bits.length))) {
      staging.longs(set, bits, bits.length);
      staging.before(stream);
      points.group().set(out, at, sum(points, bits, set).total(), 0);
    }
  }

  /** The same in parts, of bits that lie on the device too. */
  PartialSums sum(DevicePoints points, long[] bits, DeviceBuffer set) {
    long n = points.size();
    PartialSums sums = new PartialSums(points.group());
    long step = points.isResident() ? Math.max(1, n) : CHUNK;
    for (long from = 0; from < n; from += step) {
      long count = Math.min(step, n - from);
      int first = (int) (from / 64);
      int words = (int) Math.ceilDiv(count, 64);
      long ones = Arrays.stream(bits, first, first + words).map(Long::bitCount).sum();
      if (ones == 0) {
        continue;
      }
      DeviceBuffer some = set.slice(8L * first, 8L * words);
      if (points.isResident()) {
        chunk(points.resident(), points.group(), some, Math.toIntExact(ones), sums);
      } else {
        try (DeviceBuffer uploaded = kernels.device().allocate(count * points.pointBytes())) {
          staging.points(uploaded, points.host(), from, count);
          staging.before(stream);
          chunk(uploaded, points.group(), some, Math.toIntExact(ones), sums);
        }
      }
    }
    return sums;
  }

  private void chunk(
      DeviceBuffer points, Group group, DeviceBuffer set, int ones, PartialSums sums) {
    GpuDevice device = kernels.device();
    int words = (int) (set.bytes() / 4); // of 32 bits, which lie the same way round
    int listBlocks = Math.ceilDiv(words, THREADS);
    int lanes = PointSums.lanes(group);
    int elements = POINT_THREADS / lanes;
    int blocks =
        Math.clamp(
            Math.ceilDiv(ones, elements * PER_ELEMENT),
            1,
            BLOCKS_PER_MULTIPROCESSOR * device.info().multiprocessors());
    long pointBytes = 8L * PointSums.words(group);
    try (DeviceBuffer indices = device.allocate(4L * ones);
        DeviceBuffer counts = device.allocate(4L * (listBlocks + 1));
        DeviceBuffer scratch = device.allocate(DeviceScan.scratchBytes(listBlocks));
        DeviceBuffer blockSums = device.allocate(pointBytes * blocks)) {
      kernels.launch(
          "bits_count",
          listBlocks,
          1,
          THREADS,
          0,
          stream,
          kernels.arguments().pointer(counts).pointer(set).i32(words));
      DeviceScan.exclusive(kernels, counts, listBlocks, scratch, stream);
      kernels.launch(
          "bits_list",
          listBlocks,
          1,
          THREADS,
          0,
          stream,
          kernels.arguments().pointer(indices).pointer(counts).pointer(set).i32(words));
      kernels.launch(
          PointSums.kernel(group, "sum_listed"),
          blocks,
          1,
          POINT_THREADS,
          (int) pointBytes * elements / 2,
          stream,
          kernels
              .arguments()
              .pointer(blockSums)
              .pointer(points)
              .pointer(indices)
              .i64(counts.address() + 4L * listBlocks));
      sums.add(PointSums.download(device, blockSums, group, blocks, stream), blocks, 0);
    }
  }
}
