package io.cuzk.prover;

import io.cuzk.curve.AffinePoints;
import io.cuzk.curve.Group;
import java.util.Objects;

/** A part of a list of points. */
record PointRange(AffinePoints points, long start, long size) implements AffinePoints {
  PointRange {
    Objects.checkFromIndexSize(start, size, points.size());
  }

  @Override
  public Group group() {
    return points.group();
  }

  @Override
  public void read(long from, int count, long[] out, int at) {
    Objects.checkFromIndexSize(from, count, size);
    points.read(start + from, count, out, at);
  }
}
