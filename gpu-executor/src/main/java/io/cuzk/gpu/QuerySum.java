package io.cuzk.gpu;

import io.cuzk.curve.AffinePoints;
import io.cuzk.curve.Group;

/** The sum over one query: its ones by addition, the rest by a multi-scalar multiplication. */
final class QuerySum {
  private final DeviceBitSum bits;
  private final DeviceMsm msm;

  QuerySum(DeviceKernels kernels, Staging staging, DeviceStream stream) {
    bits = new DeviceBitSum(kernels, staging, stream);
    msm = new DeviceMsm(kernels, staging, stream);
  }

  DeviceMsm msm() {
    return msm;
  }

  /** The points whose scalars are one. */
  PartialSums ones(DevicePoints query, QueryBuffers scalars) {
    QueryValues values = scalars.values();
    return bits.sum(query.from(values.inputs()), values.ones(), scalars.ones());
  }

  /** The points with other scalars, times these. */
  PartialSums others(DevicePoints query, QueryBuffers scalars) {
    if (query.isResident()) {
      return msm.sum(query, scalars.scalars(), scalars.places());
    }
    // Only these points go over.
    Selected selected = new Selected(query.host(), scalars.values().places());
    return msm.sum(new DevicePoints(selected, null), scalars.scalars(), null);
  }

  private record Selected(AffinePoints points, int[] places) implements AffinePoints {
    @Override
    public Group group() {
      return points.group();
    }

    @Override
    public long size() {
      return places.length;
    }

    @Override
    public void read(long from, int count, long[] out, int at) {
      int words = points.group().affineWords();
      for (int i = 0; i < count; i++) {
        points.read(places[(int) from + i], 1, out, at + i * words);
      }
    }
  }
}
