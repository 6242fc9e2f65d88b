package io.cuzk.gpu;

import io.cuzk.curve.AffinePoints;
import io.cuzk.curve.Group;
import io.cuzk.field.Fr;

/** The sum over one query: its ones by addition, the rest by a multi-scalar multiplication. */
final class QuerySum {
  private final GpuDevice device;
  private final Staging staging;
  private final DeviceBitSum bits;
  private final DeviceMsm msm;

  QuerySum(DeviceKernels kernels, Staging staging, DeviceStream stream) {
    device = kernels.device();
    this.staging = staging;
    bits = new DeviceBitSum(kernels, staging, stream);
    msm = new DeviceMsm(kernels, staging, stream);
  }

  DeviceMsm msm() {
    return msm;
  }

  /** The points whose scalars are one, Jacobian. */
  long[] ones(DevicePoints query, QueryValues values) {
    long[] out = new long[query.group().jacobianWords()];
    bits.sum(query.from(values.inputs()), values.ones(), out, 0);
    return out;
  }

  /** The points with other scalars, times these. */
  long[] others(DevicePoints query, QueryValues values) {
    long[] out = new long[query.group().jacobianWords()];
    int n = values.places().length;
    if (n == 0) {
      return out;
    }
    try (DeviceBuffer scalars = device.allocate((long) Fr.BYTES * n);
        DeviceBuffer map = device.allocate(4L * n)) {
      staging.longs(scalars, values.values(), n * Fr.WORDS);
      DeviceScalars list = DeviceScalars.list(scalars, n);
      if (query.isResident()) {
        staging.ints(map, values.places());
        msm.sum(query, list, map, out, 0);
      } else {
        // Only these points go over.
        msm.sum(
            new DevicePoints(new Selected(query.host(), values.places()), null),
            list,
            null,
            out,
            0);
      }
    }
    return out;
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
