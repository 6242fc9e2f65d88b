package io.cuzk.gpu;

/**
 * What a multi-scalar multiplication does with scalars and indices before points are touched, by
 * the kernels of {@code sort.cu}. Belongs to the thread that works with the device.
 */
final class MsmSort {
  private static final int THREADS = 256;

  private final DeviceKernels kernels;
  private final DeviceStream stream;

  MsmSort(DeviceKernels kernels, DeviceStream stream) {
    this.kernels = kernels;
    this.stream = stream;
  }

  /** Scalars from … from+n−1 as their windows are read. */
  void prepare(DeviceBuffer prepared, DeviceScalars scalars, long from, int n) {
    kernels.launch(
        "msm_prepare",
        n,
        stream,
        kernels
            .arguments()
            .pointer(prepared)
            .pointer(scalars.buffer())
            .i32((int) from)
            .i32(n)
            .i32(scalars.order())
            .i32(scalars.logSize()));
  }

  /** How many pairs of each tile belong to each part of each of some windows. */
  void count(
      MsmPlan plan, DeviceBuffer counts, DeviceBuffer prepared, int n, int first, int windows) {
    kernels.launch(
        "msm_count",
        Math.ceilDiv(n, plan.tile()),
        windows,
        THREADS,
        4 * plan.parts(),
        stream,
        digits(kernels.arguments().pointer(counts), plan, prepared, n, first));
  }

  /** The points of each bucket of some windows, one bucket behind the other. */
  void points(MsmPlan plan, MsmMemory m, int n, int first, int windows, DeviceBuffer map) {
    int tiles = Math.ceilDiv(n, plan.tile());
    int parts = plan.parts();
    count(plan, m.partCounts, m.prepared, n, first, windows);
    DeviceScan.exclusive(kernels, m.partCounts, windows * parts * tiles, m.scratch, stream);
    kernels.launch(
        "msm_partition",
        tiles,
        windows,
        THREADS,
        4 * parts,
        stream,
        digits(
            kernels.arguments().pointer(m.pairs).pointer(m.partCounts),
            plan,
            m.prepared,
            n,
            first));
    KernelArguments arguments =
        kernels
            .arguments()
            .pointer(m.sorted)
            .pointer(m.starts)
            .pointer(m.sizes)
            .pointer(m.pairs)
            .pointer(m.partCounts)
            .i32(tiles)
            .i32(plan.logPart());
    if (map == null) {
      arguments.nullPointer();
    } else {
      arguments.pointer(map);
    }
    kernels.launch("msm_sort", parts, windows, THREADS, 4 << plan.logPart(), stream, arguments);
  }

  private static KernelArguments digits(
      KernelArguments arguments, MsmPlan plan, DeviceBuffer prepared, int n, int first) {
    return arguments
        .pointer(prepared)
        .i32(n)
        .i32(plan.c())
        .i32(plan.wide())
        .i32(first)
        .i32(plan.logPart())
        .i32(plan.parts())
        .i32(plan.tile());
  }

  /** The buckets of some windows in tasks, the longest first. */
  void tasks(MsmPlan plan, MsmMemory m, int windows) {
    int buckets = windows * plan.buckets();
    int blocks = Math.ceilDiv(buckets, THREADS);
    int longest = plan.longest();
    kernels.launch(
        "msm_task_count",
        blocks,
        1,
        THREADS,
        4 * longest,
        stream,
        kernels
            .arguments()
            .pointer(m.pieces)
            .pointer(m.lengthCounts)
            .pointer(m.sizes)
            .i32(buckets)
            .i32(longest));
    DeviceScan.exclusive(kernels, m.pieces, buckets, m.scratch, stream);
    DeviceScan.exclusive(kernels, m.lengthCounts, longest * blocks, m.scratch, stream);
    kernels.launch(
        "msm_task_list",
        blocks,
        1,
        THREADS,
        4 * longest,
        stream,
        kernels
            .arguments()
            .pointer(m.tasks)
            .pointer(m.pieceOf)
            .pointer(m.pieces)
            .pointer(m.lengthCounts)
            .pointer(m.starts)
            .pointer(m.sizes)
            .i32(buckets)
            .i32(longest));
  }
}
