package io.cuzk.gpu;

import io.cuzk.curve.AffinePoints;
import io.cuzk.curve.Group;
import java.lang.foreign.MemorySegment;

/**
 * A list of points that kernels add up.
 *
 * @param host where they come from
 * @param resident where they lie on the device; null if they are uploaded in chunks at each use
 */
record DevicePoints(AffinePoints host, DeviceBuffer resident) {
  Group group() {
    return host.group();
  }

  long size() {
    return host.size();
  }

  /** Bytes of a point. */
  int pointBytes() {
    return pointBytes(group());
  }

  static int pointBytes(Group group) {
    return 8 * group.affineWords();
  }

  boolean isResident() {
    return resident != null;
  }

  /** The points from {@code from} on. */
  DevicePoints from(long from) {
    return new DevicePoints(
        new PointsFrom(host, from), resident == null ? null : resident.from(from * pointBytes()));
  }

  private record PointsFrom(AffinePoints points, long start) implements AffinePoints {
    @Override
    public Group group() {
      return points.group();
    }

    @Override
    public long size() {
      return points.size() - start;
    }

    @Override
    public void read(long from, int count, long[] out, int at) {
      points.read(start + from, count, out, at);
    }

    @Override
    public void read(long from, int count, MemorySegment out, long at) {
      points.read(start + from, count, out, at);
    }
  }
}
