package io.cuzk.gpu;

import io.cuzk.curve.Group;
import java.util.ArrayList;
import java.util.List;

/**
 * What a device leaves of a sum of points: the sums of windows, in pieces. The host puts them
 * together when the device works on something else. Belongs to one thread at a time.
 */
final class PartialSums {
  /**
   * The windows of a chunk, the lowest first: XYZZ points, so many of each.
   *
   * @param bits of each window: how far the next one lies above it
   */
  private record Windows(long[] points, int each, int[] bits) {}

  private final Group group;
  private final List<Windows> chunks = new ArrayList<>();

  PartialSums(Group group) {
    this.group = group;
  }

  /** Adds a chunk of {@code each} XYZZ points for each window, of so many bits. */
  void add(long[] points, int each, int... bits) {
    chunks.add(new Windows(points, each, bits));
  }

  /** The sum, Jacobian. */
  long[] total() {
    long[] sum = new long[group.jacobianWords()];
    for (Windows chunk : chunks) {
      long[] total = new long[group.jacobianWords()];
      for (int w = chunk.bits.length - 1; w >= 0; w--) {
        for (int i = 0; i < chunk.bits[w]; i++) {
          group.dbl(total, 0, total, 0);
        }
        PointSums.addAll(group, total, chunk.points, w * chunk.each, chunk.each);
      }
      group.add(sum, 0, sum, 0, total, 0);
    }
    return sum;
  }

  /** The sum of both, Jacobian. */
  static long[] total(PartialSums one, PartialSums other) {
    long[] sum = one.total();
    one.group.add(sum, 0, sum, 0, other.total(), 0);
    return sum;
  }
}
