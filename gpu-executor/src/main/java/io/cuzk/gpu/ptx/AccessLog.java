package io.cuzk.gpu.ptx;

import java.util.Arrays;

/**
 * Who touched each word of a piece of memory last, to find pairs of accesses that nothing orders.
 *
 * <p>A stamp says which thread of which block it was, and how many barriers of the block and of the
 * warp it had passed. Two accesses of different threads are ordered if they are of the same block
 * and a barrier of the block lies between them, or of the same warp and a barrier of the warp does.
 * Blocks that run at the same time update the log without locks: a race may be missed then, but
 * none is invented.
 */
final class AccessLog {
  static final int THREAD_BITS = 10;
  static final int WARP_BITS = 14;
  static final int EPOCH_BITS = 18;
  static final int BLOCK_BITS = 19;

  /** The write was an atomic one. */
  private static final long ATOMIC = 1L << 62;

  /** Other lanes of the same warp have read too. */
  private static final long LANES = 1L << 62;

  /** Other warps of the same block have read too. */
  private static final long WARPS = 1L << 63;

  /** Set in every stamp, so that none is 0. */
  private static final long TOUCHED = 1L << 61;

  /** Threads of several blocks have read: every writer races. */
  private static final long BLOCKS = -1;

  private static final int EPOCH_AT = THREAD_BITS + WARP_BITS;
  private static final int BLOCK_AT = EPOCH_AT + EPOCH_BITS;
  private static final long THREAD = (1L << THREAD_BITS) - 1;
  private static final long WARP = THREAD & ~31L;

  private final long[] writers;
  private final long[] readers;

  AccessLog(int words) {
    writers = new long[words];
    readers = new long[words];
  }

  void clear() {
    Arrays.fill(writers, 0);
    Arrays.fill(readers, 0);
  }

  static long stamp(int block, int epoch, int warpEpoch, int thread) {
    return TOUCHED
        | (block & (1L << BLOCK_BITS) - 1) << BLOCK_AT
        | (epoch & (1L << EPOCH_BITS) - 1) << EPOCH_AT
        | (warpEpoch & (1L << WARP_BITS) - 1) << THREAD_BITS
        | thread;
  }

  private static int block(long stamp) {
    return (int) (stamp >>> BLOCK_AT) & (1 << BLOCK_BITS) - 1;
  }

  private static boolean sameBlock(long a, long b) {
    return block(a) == block(b);
  }

  private static boolean sameEpoch(long a, long b) {
    return (a >>> EPOCH_AT & (1L << EPOCH_BITS) - 1) == (b >>> EPOCH_AT & (1L << EPOCH_BITS) - 1);
  }

  private static boolean sameWarp(long a, long b) {
    return ((a ^ b) & WARP) == 0;
  }

  private static boolean sameWarpEpoch(long a, long b) {
    return ((a ^ b) >>> THREAD_BITS & (1L << WARP_BITS) - 1) == 0;
  }

  private static boolean ordered(long a, long b) {
    return sameBlock(a, b)
        && (((a ^ b) & THREAD) == 0 || !sameEpoch(a, b) || sameWarp(a, b) && !sameWarpEpoch(a, b));
  }

  /** Notes a read; returns what it races with, or null. */
  String read(int word, long stamp) {
    long writer = writers[word];
    if (writer != 0 && !ordered(writer, stamp)) {
      return "reads what " + name(writer) + " wrote" + (writer >> 62 == 1 ? " atomically" : "");
    }
    noteReader(word, stamp);
    return null;
  }

  private void noteReader(int word, long stamp) {
    long before = readers[word];
    if (before == BLOCKS) {
      return;
    }
    long now = stamp;
    if (before != 0) {
      if (!sameBlock(before, stamp)) {
        now = BLOCKS;
      } else if (sameEpoch(before, stamp)) {
        boolean warps = (before & WARPS) != 0 || !sameWarp(before, stamp);
        boolean lanes =
            sameWarpEpoch(before, stamp)
                && ((before & LANES) != 0 || ((before ^ stamp) & THREAD) != 0);
        now = stamp | (warps ? WARPS : 0) | (lanes ? LANES : 0);
      }
    }
    readers[word] = now;
  }

  /** Notes a write; returns what it races with, or null. */
  String write(int word, long stamp) {
    long writer = writers[word];
    if (writer != 0 && !ordered(writer, stamp)) {
      return "overwrites what " + name(writer) + " wrote";
    }
    String readers = readersAgainst(word, stamp);
    writers[word] = stamp;
    return readers;
  }

  /** Notes an atomic update, or a volatile access; atomic updates do not race with each other. */
  String atomic(int word, long stamp) {
    long writer = writers[word];
    if (writer != 0 && (writer & ATOMIC) == 0 && !ordered(writer, stamp)) {
      return "updates what " + name(writer) + " wrote";
    }
    String readers = readersAgainst(word, stamp);
    writers[word] = stamp | ATOMIC;
    return readers;
  }

  private String readersAgainst(int word, long stamp) {
    long reader = readers[word];
    if (reader == 0) {
      return null;
    }
    if (reader == BLOCKS) {
      return "overwrites what several blocks read";
    }
    boolean others = (reader & WARPS) != 0 && sameBlock(reader, stamp) && sameEpoch(reader, stamp);
    boolean lanes =
        (reader & LANES) != 0
            && sameBlock(reader, stamp)
            && sameEpoch(reader, stamp)
            && sameWarpEpoch(reader, stamp);
    if (others || lanes || !ordered(reader, stamp)) {
      return "overwrites what " + name(reader) + " read";
    }
    return null;
  }

  private static String name(long stamp) {
    return "thread %d of block %d".formatted(stamp & THREAD, block(stamp));
  }
}
