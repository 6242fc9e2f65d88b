package io.cuzk.bench;

import io.cuzk.InfrastructureException;
import io.cuzk.curve.FlatPoints;
import io.cuzk.curve.Group;
import io.cuzk.field.Arithmetic;
import io.cuzk.msm.Pippenger;
import io.cuzk.msm.Scalars;
import io.cuzk.parallel.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Multi-scalar multiplication of random points and scalars of full size. The rival is blst's
 * Pippenger on the same points and scalars, on one thread; the results must be the same point.
 */
public final class MsmBench {
  /** Leaves the width of the windows to {@link Pippenger}. */
  public static final int CHOSEN = 0;

  private MsmBench() {}

  /**
   * Measures; every iteration's sum is checked.
   *
   * @param window bits of a window, or {@link #CHOSEN}
   * @param blst the rival, or null
   * @throws InfrastructureException if a sum is wrong
   */
  public static Measurement run(
      MsmInputs inputs, Arithmetic arithmetic, int window, int threads, Plan plan, Blst blst) {
    Group group = inputs.group;
    String work = group == Group.G1 ? "msm_g1" : "msm_g2";
    FlatPoints points = new FlatPoints(group, inputs.affine);
    Scalars scalars = Scalars.of(inputs.scalars);
    long[] sum = new long[group.jacobianWords()];
    try (Workers workers = Workers.of(threads);
        Blst.MultiExp rival =
            blst == null ? null : blst.multiExp(group, inputs.affine, inputs.scalars)) {
      List<Runnable> works = new ArrayList<>();
      works.add(
          () -> {
            if (window == CHOSEN) {
              Pippenger.multiExp(points, scalars, workers, arithmetic, sum, 0);
            } else {
              Pippenger.multiExp(points, scalars, workers, arithmetic, window, sum, 0);
            }
            require(inputs, arithmetic, group.equal(sum, 0, inputs.expected, 0), "k·G");
          });
      if (rival != null) {
        works.add(rival::run);
      }
      String what =
          "%s %s 2^%d x%d%s"
              .formatted(
                  work,
                  arithmetic.name(),
                  inputs.logSize,
                  threads,
                  window == CHOSEN ? "" : ", windows of " + window + " bits");
      List<Timing> timings = Timing.interleaved(plan, what, workers, works);
      double n = 1 << inputs.logSize;
      Map<String, Object> more = new LinkedHashMap<>();
      if (window != CHOSEN) {
        more.put("window", window);
      }
      Measurement.Rival other = null;
      if (rival != null) {
        long[] affine = new long[group.affineWords()];
        group.toAffine(affine, 0, sum, 0);
        String name = group == Group.G1 ? "blst_p1s_mult_pippenger" : "blst_p2s_mult_pippenger";
        require(inputs, arithmetic, Arrays.equals(affine, rival.affine()), "the sum by " + name);
        other = new Measurement.Rival(name, timings.get(1).cpuNanos() / n);
      }
      return new Measurement(
          work,
          arithmetic.name(),
          inputs.logSize,
          threads,
          "point",
          n,
          timings.getFirst(),
          other,
          more);
    }
  }

  private static void require(
      MsmInputs inputs, Arithmetic arithmetic, boolean equal, String oracle) {
    if (!equal) {
      throw new InfrastructureException(
          "the sum of 2^%d points of %s by %s is wrong: it is not %s"
              .formatted(inputs.logSize, inputs.group.name(), arithmetic.name(), oracle));
    }
  }
}
