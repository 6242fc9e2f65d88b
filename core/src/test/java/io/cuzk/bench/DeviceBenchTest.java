package io.cuzk.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.curve.FlatPoints;
import io.cuzk.curve.Group;
import io.cuzk.groth16.Progress;
import io.cuzk.msm.Pippenger;
import io.cuzk.msm.Scalars;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.DeviceMeter;
import org.junit.jupiter.api.Test;

/** The limit that a device's sums are shown beside. */
final class DeviceBenchTest {
  private static final double RATE = 1e9;

  /** A device of one thousand million products a second that takes windows of some width. */
  private record Meter(int windowBits) implements DeviceMeter {
    @Override
    public String device() {
      return "a device";
    }

    @Override
    public Rates rates() {
      return new Rates(RATE, RATE, 1, 1);
    }

    @Override
    public Transform transform(int logSize) {
      throw new AssertionError("only sums are measured here, not a transform of 2^" + logSize);
    }

    @Override
    public Sum sum(Group group, long[] affine, long[] scalars) {
      long[] total = new long[group.jacobianWords()];
      try (Workers workers = Workers.single()) {
        Pippenger.multiExp(new FlatPoints(group, affine), Scalars.of(scalars), workers, total, 0);
      }
      return new Sum() {
        @Override
        public double seconds() {
          return 1;
        }

        @Override
        public long[] total() {
          return total;
        }

        @Override
        public int windowBits() {
          return windowBits;
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public void close() {}
  }

  /** A sum that takes too narrow windows does not lower what it is held against. */
  @Test
  void theLimitIsThatOfTheBestWidthWhateverTheSumTakes() {
    Plan plan = new Plan(0, 1, Progress.NONE);
    MsmInputs inputs = MsmInputs.of(Group.G1, 6, plan);
    double products = 64.0 * 10 * DeviceBench.bestWindows(64);
    for (int width : new int[] {2, 5, 20}) {
      Measurement row = DeviceBench.on(new Meter(width), "cuda").sum(inputs, plan);
      assertThat(row.more())
          .containsEntry("window", width)
          .containsEntry("limit_s", products / RATE);
    }
  }

  @Test
  void moreWindowsForFewerPoints() {
    assertThat(DeviceBench.bestWindows(1 << 22)).isEqualTo(14);
    assertThat(DeviceBench.bestWindows(1 << 24)).isEqualTo(13);
    assertThat(DeviceBench.bestWindows(1 << 26)).isEqualTo(12);
    assertThat(DeviceBench.bestWindows(1 << 27)).isEqualTo(11);
    assertThat(DeviceBench.bestWindows(1)).isGreaterThan(64);
  }
}
