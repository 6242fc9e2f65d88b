package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.curve.Group;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How sums are cut up for a device of an H200's size. */
final class MsmPlanTest {
  private static final int MULTIPROCESSORS = 132;
  private static final long PLENTY = 100L << 30;

  private static MsmPlan plan(int logPoints) {
    return MsmPlan.of(1L << logPoints, Group.G1, 0, PLENTY);
  }

  @Test
  void windowsCoverAllBitsEvenly() {
    for (int c = 2; c <= 22; c++) {
      MsmPlan plan = MsmPlan.shape(1 << 20, c, 1);
      int[] bits = IntStream.range(0, plan.windows()).map(plan::bits).toArray();
      // Of 18 and 21 bits there are no fewer windows than of 17 and 20.
      assertThat(IntStream.of(bits).sum()).as("%d bits", c).isEqualTo(c == 21 ? 260 : 255);
      assertThat(IntStream.of(bits).min().orElseThrow()).isGreaterThanOrEqualTo(c - 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {22, 23, 24, 25, 26, 27})
  void everyLaunchOfTheSortHasBlocksForAllMultiprocessors(int logPoints) {
    MsmPlan plan = plan(logPoints);
    for (int first = 0; first < plan.windows(); first += plan.batch()) {
      int last = Math.min(first + plan.batch(), plan.windows());
      int blocks =
          IntStream.range(first, last).map(w -> 1 << (plan.bits(w) - 1 - plan.logPart())).sum();
      assertThat(blocks)
          .as("parts with buckets, windows %d to %d of %s", first, last - 1, plan)
          .isGreaterThanOrEqualTo(3 * MULTIPROCESSORS);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {22, 23, 24, 25, 26, 27})
  void theReductionFillsTheDeviceAndLeavesTheHostFewAdditions(int logPoints) {
    MsmPlan plan = plan(logPoints);
    for (Group group : new Group[] {Group.G1, Group.G2}) {
      int lanes = PointSums.lanes(group);
      int blocks = plan.reduceBlocks(lanes, MULTIPROCESSORS);
      int run = plan.run(lanes, MULTIPROCESSORS);
      assertThat((long) run * blocks * plan.reduceElements(lanes))
          .as("buckets covered")
          .isGreaterThanOrEqualTo(plan.buckets());
      assertThat(blocks * plan.batch()).as("blocks").isBetween(200, 2 * MULTIPROCESSORS);
      assertThat(run).as("buckets of an element").isLessThanOrEqualTo(128);
      assertThat(plan.windows() * blocks).as("additions on the host").isLessThan(4096);
      assertThat(blocks).isLessThanOrEqualTo(plan.mostReduceBlocks(lanes));
    }
  }

  /** What docs/gpu-measurements.md says. */
  @ParameterizedTest
  @CsvSource({"22, 17", "23, 19", "24, 20", "25, 20", "26, 22", "27, 22"})
  void widths(int logPoints, int bits) {
    assertThat(plan(logPoints).c()).isEqualTo(bits);
  }
}
