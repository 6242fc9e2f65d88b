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

  /** Multiplications of a point's addition to a bucket. */
  private static final int POINT_COST = 10;

  /**
   * What a bucket takes afterwards: two additions of 14 multiplications, by kernels that have eight
   * warps on a multiprocessor where those that add points have twelve, and its share of an
   * element's last steps.
   */
  private static final int BUCKET_COST = 45;

  /** The 254 bits of a prepared scalar and its last digit's carry. */
  private static final int BITS = 255;

  /** Blocks of the reduction that a multiprocessor's registers hold. */
  private static final int REDUCE_RESIDENT = 2;

  /** Threads of such a block. */
  private static final int REDUCE_THREADS = 128;

  /** Multiprocessors that there is room for the results of; a larger device idles a little. */
  private static final int MOST_MULTIPROCESSORS = 256;

  /** Windows that cover all bits. */
  static int windows(int c) {
    return Math.ceilDiv(BITS, c);
  }

  int windows() {
    return windows(c);
  }

  /**
   * How many windows, the first ones, have c bits. The others have one less, so that none is left
   * with few buckets, which few blocks would have to sort.
   */
  int wide() {
    return Math.max(0, BITS - windows() * (c - 1));
  }

  /** Bits of a window. */
  int bits(int window) {
    return window < wide() ? c : c - 1;
  }

  /** Buckets of a window; the upper half of a narrower one's are empty. */
  int buckets() {
    return 1 << (c - 1);
  }

  /** Parts of a window's buckets; the upper half of a narrower one's are empty. */
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
      double cost = shape(points, c, 1).cost();
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

  /** Multiplications, about. */
  private double cost() {
    double halves = windows() + wide(); // of the buckets of a wide window
    return windows() * (double) POINT_COST * points + halves * BUCKET_COST * (buckets() / 2.0);
  }

  static MsmPlan shape(int points, int c, int batch) {
    int bucketBits = c - 1;
    int logPart = bucketBits / 2;
    int tile = 1024;
    while (tile < 1 << 14 && points / tile > 1 << 12) {
      tile *= 2;
    }
    int longest = 8;
    // Twice what a bucket of a narrower window has.
    while (longest < 1024 && longest < 4 * (points >>> bucketBits)) {
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

  /** Elements of a block that reduces buckets. */
  int reduceElements(int lanes) {
    return Math.min(REDUCE_THREADS / lanes, buckets());
  }

  /** Buckets that one element reduces, so that the windows of a batch fill the device once. */
  int run(int lanes, int multiprocessors) {
    int resident = REDUCE_RESIDENT * Math.min(multiprocessors, MOST_MULTIPROCESSORS);
    return Math.ceilDiv(buckets(), reduceElements(lanes) * Math.max(1, resident / batch));
  }

  /** Blocks that reduce the buckets of a window. */
  int reduceBlocks(int lanes, int multiprocessors) {
    return Math.ceilDiv(buckets(), reduceElements(lanes) * run(lanes, multiprocessors));
  }

  /** The most that these are on any device. */
  int mostReduceBlocks(int lanes) {
    return reduceBlocks(lanes, MOST_MULTIPROCESSORS);
  }

  /** Device memory that it takes. */
  long bytes(Group group, int pointBytes) {
    DeviceArena arena = new DeviceArena(null);
    new MsmMemory(arena, this, group, pointBytes);
    return arena.used();
  }
}
