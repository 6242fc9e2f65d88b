package io.cuzk.gpu;

import io.cuzk.curve.Group;

/** The arrays of a multi-scalar multiplication of a plan, as the kernels of {@code sort.cu} say. */
final class MsmMemory {
  /** Two chunks of points that are not resident, in turn; none if they are. */
  final DeviceBuffer[] points;

  final DeviceBuffer prepared;
  final DeviceBuffer partCounts;
  final DeviceBuffer pairs;
  final DeviceBuffer sorted;
  final DeviceBuffer starts;
  final DeviceBuffer sizes;
  final DeviceBuffer pieces;
  final DeviceBuffer lengthCounts;
  final DeviceBuffer tasks;
  final DeviceBuffer pieceOf;
  final DeviceBuffer sums;
  final DeviceBuffer out;
  final DeviceBuffer scratch;

  MsmMemory(DeviceArena arena, MsmPlan plan, Group group, int pointBytes) {
    long n = plan.points();
    long pairsCount = n * plan.batch();
    long buckets = (long) plan.batch() * plan.buckets();
    int sumBytes = 2 * 8 * group.affineWords();
    int lanes = PointSums.lanes(group);
    points = new DeviceBuffer[pointBytes == 0 ? 0 : 2];
    for (int i = 0; i < points.length; i++) {
      points[i] = arena.take(n * pointBytes);
    }
    prepared = arena.take(32 * n);
    partCounts = arena.take(4L * (plan.partCounters() + 1));
    pairs = arena.take(8 * pairsCount);
    sorted = arena.take(4 * pairsCount);
    starts = arena.take(4 * buckets);
    sizes = arena.take(4 * buckets);
    pieces = arena.take(4 * (buckets + 1));
    lengthCounts = arena.take(4L * (plan.lengthCounters() + 1));
    tasks = arena.take(16L * plan.tasks());
    pieceOf = arena.take(8L * plan.tasks());
    sums = arena.take((long) sumBytes * plan.tasks());
    out = arena.take((long) sumBytes * plan.batch() * plan.mostReduceBlocks(lanes));
    long counters = Math.max(buckets, Math.max(plan.partCounters(), plan.lengthCounters()));
    scratch = arena.take(DeviceScan.scratchBytes(counters));
  }
}
