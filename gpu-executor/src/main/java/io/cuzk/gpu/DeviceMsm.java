package io.cuzk.gpu;

import io.cuzk.DeviceException;
import io.cuzk.curve.Group;
import java.util.stream.IntStream;

/**
 * Multi-scalar multiplication on a device: signed digits, a radix partition of (bucket, point)
 * pairs, buckets cut into tasks of bounded length and added up the longest first, running sums over
 * the buckets; the windows' sums are put together on the host. Points of any kind are allowed,
 * infinity, equal and opposite ones included. Belongs to the thread that works with the device.
 */
final class DeviceMsm {
  private static final int POINT_THREADS = 128;

  private final DeviceKernels kernels;
  private final Staging staging;
  private final DeviceStream stream;
  private final MsmSort sort;

  DeviceMsm(DeviceKernels kernels, Staging staging, DeviceStream stream) {
    this.kernels = kernels;
    this.staging = staging;
    this.stream = stream;
    sort = new MsmSort(kernels, stream);
  }

  /**
   * Writes Σ scalar i · point map[i], Jacobian; see the other {@code sum}.
   *
   * @throws io.cuzk.InfrastructureException if not even small chunks fit into the device's memory
   */
  void sum(DevicePoints points, DeviceScalars scalars, DeviceBuffer map, long[] out, int at) {
    points.group().set(out, at, sum(points, scalars, map).total(), 0);
  }

  /** The same by a given plan. */
  void sum(
      DevicePoints points,
      DeviceScalars scalars,
      DeviceBuffer map,
      MsmPlan plan,
      long[] out,
      int at) {
    points.group().set(out, at, sum(points, scalars, map, plan).total(), 0);
  }

  /**
   * Σ scalar i · point map[i] in parts; returns when the device has done its work.
   *
   * @param map which point each scalar belongs to, 32 bits each; null for point i. Only resident
   *     points can be mapped
   * @throws io.cuzk.InfrastructureException if not even small chunks fit into the device's memory
   */
  PartialSums sum(DevicePoints points, DeviceScalars scalars, DeviceBuffer map) {
    long budget = kernels.device().freeBytes() / 16 * 15;
    int uploaded = points.isResident() ? 0 : points.pointBytes();
    while (true) {
      MsmPlan plan = MsmPlan.of(scalars.count(), points.group(), uploaded, budget);
      try {
        return sum(points, scalars, map, plan);
      } catch (DeviceException e) {
        if (e.kind() != DeviceException.Kind.OUT_OF_MEMORY) {
          throw e;
        }
        // Others took it, or it is free in pieces only: smaller chunks, until the plan refuses.
        budget = plan.bytes(points.group(), uploaded) / 2;
      }
    }
  }

  private PartialSums sum(
      DevicePoints points, DeviceScalars scalars, DeviceBuffer map, MsmPlan plan) {
    Group group = points.group();
    if (map != null && !points.isResident()) {
      throw new IllegalArgumentException("only points on the device can be mapped");
    }
    int uploaded = points.isResident() ? 0 : points.pointBytes();
    PartialSums sums = new PartialSums(group);
    long count = scalars.count();
    if (count > 0) {
      try (DeviceBuffer memory = kernels.device().allocate(plan.bytes(group, uploaded))) {
        MsmMemory arrays = new MsmMemory(new DeviceArena(memory), plan, group, uploaded);
        Upload upload = new Upload(plan, arrays, points, count);
        upload.next();
        for (long from = 0; from < count; from += plan.points()) {
          int n = (int) Math.min(plan.points(), count - from);
          chunk(plan, arrays, points, scalars, map, from, n, upload, sums);
        }
      }
    }
    return sums;
  }

  /**
   * Points that are not resident, a chunk ahead of the kernels: while these read one half of the
   * room, the other is filled. The kernels of the chunk before have ended by then.
   */
  private final class Upload {
    private final MsmPlan plan;
    private final MsmMemory memory;
    private final DevicePoints points;
    private final long count;
    private long sent;

    Upload(MsmPlan plan, MsmMemory memory, DevicePoints points, long count) {
      this.plan = plan;
      this.memory = memory;
      this.points = points;
      this.count = count;
    }

    DeviceBuffer room(long from) {
      return memory.points[(int) (from / plan.points() & 1)];
    }

    void next() {
      if (!points.isResident() && sent < count) {
        long n = Math.min(plan.points(), count - sent);
        staging.points(room(sent), points.host(), sent, n);
        sent += n;
      }
    }
  }

  private void chunk(
      MsmPlan plan,
      MsmMemory m,
      DevicePoints points,
      DeviceScalars scalars,
      DeviceBuffer map,
      long from,
      int n,
      Upload upload,
      PartialSums sums) {
    Group group = points.group();
    DeviceBuffer source;
    if (!points.isResident()) {
      staging.before(stream);
      source = upload.room(from);
    } else {
      source = map == null ? points.resident().from(from * points.pointBytes()) : points.resident();
    }
    sort.prepare(m.prepared, scalars, from, n);
    DeviceBuffer mapped = map == null ? null : map.from(4 * from);
    int words = PointSums.words(group);
    int blocks = plan.reduceBlocks(PointSums.lanes(group), multiprocessors());
    long[] windowSums = new long[plan.windows() * blocks * words];
    for (int first = 0; first < plan.windows(); first += plan.batch()) {
      int windows = Math.min(plan.batch(), plan.windows() - first);
      sort.points(plan, m, n, first, windows, mapped);
      sort.tasks(plan, m, windows);
      add(plan, m, group, source, n, first, windows);
      if (first == 0) {
        upload.next();
      }
      long[] some = PointSums.download(kernels.device(), m.out, group, windows * blocks, stream);
      System.arraycopy(some, 0, windowSums, first * blocks * words, some.length);
    }
    sums.add(windowSums, blocks, IntStream.range(0, plan.windows()).map(plan::bits).toArray());
  }

  private int multiprocessors() {
    return kernels.device().info().multiprocessors();
  }

  private void add(
      MsmPlan plan, MsmMemory m, Group group, DeviceBuffer points, int n, int first, int windows) {
    int lanes = PointSums.lanes(group);
    int buckets = plan.buckets();
    // The number of tasks is known on the device only: behind the summed pieces.
    long count = m.pieces.address() + 4L * windows * buckets;
    int grid = Math.toIntExact(Math.ceilDiv((long) plan.tasks() * lanes, POINT_THREADS));
    kernels.launch(
        PointSums.kernel(group, "accumulate"),
        grid,
        1,
        POINT_THREADS,
        0,
        stream,
        kernels
            .arguments()
            .pointer(m.sums)
            .pointer(points)
            .pointer(m.sorted)
            .pointer(m.tasks)
            .i64(count));
    // A bucket has at most all points.
    int mostPieces = Math.ceilDiv(n, plan.longest());
    for (int distance = 1; distance < mostPieces; distance *= 8) {
      kernels.launch(
          PointSums.kernel(group, "combine"),
          grid,
          1,
          POINT_THREADS,
          0,
          stream,
          kernels.arguments().pointer(m.sums).pointer(m.pieceOf).i64(count).i32(distance));
    }
    int elements = plan.reduceElements(lanes);
    kernels.launch(
        PointSums.kernel(group, "reduce"),
        plan.reduceBlocks(lanes, multiprocessors()),
        windows,
        elements * lanes,
        2 * elements * 8 * PointSums.words(group),
        stream,
        kernels
            .arguments()
            .pointer(m.out)
            .pointer(m.sums)
            .pointer(m.pieces)
            .pointer(m.sizes)
            .i32(buckets)
            .i32(plan.run(lanes, multiprocessors()))
            .i32(Math.clamp(plan.wide() - first, 0, windows)));
  }
}
