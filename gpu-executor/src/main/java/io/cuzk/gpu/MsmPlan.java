package io.cuzk.gpu;

import io.cuzk.InfrastructureException;
import io.cuzk.curve.Group;

/**
 * How a multi-scalar multiplication is cut up to fit into a device's memory.
 *
 * @param points at a time
 * @param c bits of a window
 * @param batch windows at a time
 * @param logPart log2 of the buckets of a part of the partition
 * @param tile scalars that a block counts and partitions
 * @param longest points of a bucket that one thread adds up
 */
record MsmPlan(int points, int c, int batch, int logPart, int tile, int longest) {
  private static final int LARGEST_WINDOW = 22;

  /** Pieces of buckets that keep a large device busy. */
  private static final int ENOUGH_TASKS = 1 << 19;

  /** A smaller piece of a large sum would mostly be spent on its buckets. */
  private static final int SMALLEST_CHUNK = 1 << 16;

  /** Multiplications of a point's addition to a bucket, and of what a bucket takes afterwards. */
  private static final int POINT_COST = 10;

  private static final int BUCKET_COST = 45;

  /** Windows that cover the 254 bits of a prepared scalar and its last digit's carry. */
  static int windows(int c) {
    return Math.ceilDiv(255, c);
  }

  int windows() {
    return windows(c);
  }

  /** Buckets of a window. */
  int buckets() {
    return 1 << (c - 1);
  }

  /** Parts of a window's buckets. */
  int parts() {
    return 1 << (c - 1 - logPart);
  }

  int tiles() {
    return Math.ceilDiv(points, tile);
  }

  /** The most tasks that the windows of a batch can have. */
  int tasks() {
    long pairs = (long) points * batch;
    return Math.toIntExact(
        Math.min(pairs, (long) batch * buckets()) + Math.ceilDiv(pairs, longest));
  }

  /** Blocks that go over the buckets of a batch. */
  int bucketBlocks() {
    return Math.ceilDiv(batch * buckets(), 256);
  }

  /**
   * The best plan that fits.
   *
   * @param n how many points there are
   * @param pointBytes bytes that a point takes in addition, because it is not resident
   * @param budget bytes of device memory for everything else
   * @throws InfrastructureException if none fits, saying by how much
   */
  static MsmPlan of(long n, Group group, int pointBytes, long budget) {
    long points = Math.max(1, Math.min(n, 1 << 27));
    while (true) {
      MsmPlan plan = withPoints((int) points, group, pointBytes, budget);
      if (plan != null) {
        return plan;
      }
      if (points <= SMALLEST_CHUNK) {
        MsmPlan least = shape((int) points, 8, 1);
        throw new InfrastructureException(
            ("a sum over %d points of %s takes at least %d bytes of device memory, there are %d;"
                    + " free some, or use a device with more")
                .formatted(n, group.name(), least.bytes(group, pointBytes), budget));
      }
      points = Math.ceilDiv(points, 2);
    }
  }

  private static MsmPlan withPoints(int points, Group group, int pointBytes, long budget) {
    MsmPlan best = null;
    double least = Double.MAX_VALUE;
    for (int c = 2; c <= LARGEST_WINDOW; c++) {
      double cost =
          windows(c) * ((double) POINT_COST * points + (double) BUCKET_COST * (1L << (c - 1)));
      if (cost >= least) {
        continue;
      }
      int batch = Math.clamp(Math.ceilDiv(ENOUGH_TASKS, 1L << (c - 1)), 1, windows(c));
      for (; batch >= 1; batch = batch == 1 ? 0 : Math.ceilDiv(batch, 2)) {
        if ((long) points * batch < 1L << 31) {
          MsmPlan plan = shape(points, c, batch);
          if (plan.bytes(group, pointBytes) <= budget) {
            best = plan;
            least = cost;
            break;
          }
        }
      }
    }
    return best;
  }

  static MsmPlan shape(int points, int c, int batch) {
    int bucketBits = c - 1;
    int logPart = Math.ceilDiv(bucketBits, 2);
    int tile = 1024;
    while (tile < 1 << 14 && points / tile > 1 << 12) {
      tile *= 2;
    }
    int longest = 8;
    while (longest < 1024 && longest < 2 * (points >>> bucketBits)) {
      longest *= 2;
    }
    return new MsmPlan(points, c, batch, logPart, tile, longest);
  }

  /** Counters of the partition, with the one behind them. */
  int partCounters() {
    return Math.toIntExact((long) batch * parts() * tiles());
  }

  int lengthCounters() {
    return Math.toIntExact((long) longest * bucketBlocks());
  }

  /** Elements of a block that reduces buckets, and how many blocks a window has. */
  int reduceElements(int lanes) {
    return Math.min(128 / lanes, buckets());
  }

  int reduceBlocks(int lanes) {
    return Math.min(buckets(), 4096) / reduceElements(lanes);
  }

  /** Buckets that one element reduces. */
  int run(int lanes) {
    return buckets() / (reduceElements(lanes) * reduceBlocks(lanes));
  }

  /** Device memory that it takes. */
  long bytes(Group group, int pointBytes) {
    DeviceArena arena = new DeviceArena(null);
    new MsmMemory(arena, this, group, pointBytes);
    return arena.used();
  }
}
