package io.cuzk.gpu;

import io.cuzk.curve.Group;
import java.lang.foreign.MemorySegment;

/** What the host does with the last sums: XYZZ points of a device and core's Jacobian points. */
final class PointSums {
  private PointSums() {}

  /** Threads that hold one element of a group in the kernels. */
  static int lanes(Group group) {
    return group == Group.G1 ? 1 : 2;
  }

  /** The prefix of a group's kernels. */
  static String kernel(Group group, String name) {
    return (group == Group.G1 ? "g1_" : "g2_") + name;
  }

  /** Words of an XYZZ point. */
  static int words(Group group) {
    return 2 * group.affineWords();
  }

  /** Downloads the first points of a buffer. */
  static long[] download(
      GpuDevice device, DeviceBuffer from, Group group, int count, DeviceStream stream) {
    long[] points = new long[count * words(group)];
    device.download(MemorySegment.ofArray(points), from, stream);
    stream.synchronize();
    return points;
  }

  /** Adds XYZZ points from … from+count−1 of an array to a Jacobian point. */
  static void addAll(Group group, long[] sum, long[] points, int from, int count) {
    int n = group.field().words();
    long[] term = new long[group.jacobianWords()];
    for (int i = from; i < from + count; i++) {
      // x = X/ZZ and y = Y/ZZZ are (X·ZZ, Y·ZZZ, ZZ) in Jacobian coordinates, as ZZ³ = ZZZ².
      int at = i * words(group);
      group.field().mul(term, 0, points, at, points, at + 2 * n);
      group.field().mul(term, n, points, at + n, points, at + 3 * n);
      System.arraycopy(points, at + 2 * n, term, 2 * n, n);
      group.add(sum, 0, sum, 0, term, 0);
    }
  }
}
