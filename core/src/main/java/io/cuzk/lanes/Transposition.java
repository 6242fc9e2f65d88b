package io.cuzk.lanes;

/**
 * Between points at rest, eight doubles a coordinate, and groups with eight points in lanes. This
 * class moves one double at a time. Stateless.
 */
class Transposition {
  /**
   * Coordinates at {@code from[offsets[i] + plus]}, times {@code signs[i]}, to lane i of the groups
   * in {@code to}, for 0 ≤ i &lt; n.
   */
  void gather(double[] from, int[] offsets, int plus, double[] signs, double[] to, int n) {
    gather(from, offsets, plus, signs, to, 0, n);
  }

  /** Lane i of the groups in {@code from} to {@code to[offsets[first + i] + plus]}. */
  void scatter(double[] from, double[] to, int[] offsets, int first, int plus, int n) {
    scatter(from, to, offsets, first, plus, 0, n);
  }

  static void gather(
      double[] from, int[] offsets, int plus, double[] signs, double[] to, int start, int end) {
    for (int i = start; i < end; i++) {
      int o = offsets[i] + plus;
      int e = (i >> 3) * FpKernels.GROUP + (i & 7);
      double sign = signs[i];
      to[e] = sign * from[o];
      to[e + 8] = sign * from[o + 1];
      to[e + 16] = sign * from[o + 2];
      to[e + 24] = sign * from[o + 3];
      to[e + 32] = sign * from[o + 4];
      to[e + 40] = sign * from[o + 5];
      to[e + 48] = sign * from[o + 6];
      to[e + 56] = sign * from[o + 7];
    }
  }

  static void scatter(
      double[] from, double[] to, int[] offsets, int first, int plus, int start, int end) {
    for (int i = start; i < end; i++) {
      int o = offsets[first + i] + plus;
      int e = (i >> 3) * FpKernels.GROUP + (i & 7);
      to[o] = from[e];
      to[o + 1] = from[e + 8];
      to[o + 2] = from[e + 16];
      to[o + 3] = from[e + 24];
      to[o + 4] = from[e + 32];
      to[o + 5] = from[e + 40];
      to[o + 6] = from[e + 48];
      to[o + 7] = from[e + 56];
    }
  }
}
