package io.cuzk.jobs.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.compare.SyntheticRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Cases that can be computed by hand. */
class ClusterModelTest {
  private static List<PartitionCost> cost(double before, double device, double after) {
    return List.of(new PartitionCost(before, device, after));
  }

  private static ClusterModel.Outcome run(
      int hosts, int devices, int slots, int places, List<PartitionCost> costs, int partitions) {
    return new ClusterModel(hosts, devices, slots, places).run(costs, partitions);
  }

  @Test
  void onePlaceMeansOneAfterTheOther() {
    // 2 s + 3 s + 1 s, five times, nothing overlaps
    var outcome = run(1, 1, 4, 1, cost(2, 3, 1), 5);
    assertThat(outcome.seconds()).isEqualTo(30);
    assertThat(outcome.partitionsPerSecond()).isEqualTo(5 / 30.0);
    assertThat(outcome.deviceUtilisation()).isEqualTo(15 / 30.0);
    assertThat(outcome.cpuUtilisation()).isEqualTo(15 / 120.0);
    assertThat(outcome.bottleneck()).isEqualTo("memory");
  }

  @Test
  void withPlacesForTheNextTheDeviceIsNeverIdle() {
    // synthesis 2 s, then the device works 3 s a partition without a break, then 1 s
    var outcome = run(1, 1, 4, 3, cost(2, 3, 1), 10);
    assertThat(outcome.seconds()).isEqualTo(2 + 10 * 3 + 1);
    assertThat(outcome.bottleneck()).isEqualTo("device");
  }

  @Test
  void aTaskKeepsItsSlotToItsEnd() {
    // one slot: 5 s before, one on the device and one after, and only then the next
    var one = run(1, 1, 1, 8, cost(5, 1, 1), 20);
    assertThat(one.seconds()).isEqualTo(20 * 7);
    assertThat(one.bottleneck()).isEqualTo("cpu");
    assertThat(one.cpuUtilisation()).isEqualTo(6 / 7.0);
    assertThat(one.deviceUtilisation()).isEqualTo(1 / 7.0);

    // Two slots: one partition is on the device from 50 to 85 s, the other from 85 to 120, and the
    // slots begin anew at 85 and at 120: two partitions every 85 s.
    var two = run(1, 1, 2, 8, cost(50, 35, 0), 20);
    assertThat(two.seconds()).isEqualTo(10 * 85 + 35);
    assertThat(two.bottleneck()).isEqualTo("cpu");
    // the third slot keeps the device at work
    var three = run(1, 1, 3, 8, cost(50, 35, 0), 20);
    assertThat(three.seconds()).isEqualTo(50 + 20 * 35);
    assertThat(three.bottleneck()).isEqualTo("device");
    // unless the memory has no place for what it would synthesise
    assertThat(run(1, 1, 3, 2, cost(50, 35, 0), 20).seconds()).isEqualTo(two.seconds());
    assertThat(run(1, 1, 3, 2, cost(50, 35, 0), 20).bottleneck()).isEqualTo("memory");
  }

  @Test
  void slotsOfAHostAreDealtToItsDevices() {
    // four devices of two slots each are as fast as one of them with a quarter of the partitions
    assertThat(run(1, 4, 8, 8, cost(50, 35, 0), 80).seconds()).isEqualTo(10 * 85 + 35);
    // two slots on four devices: two devices have one each, two none; two partitions of 4 s each
    assertThat(run(1, 4, 2, 8, cost(1, 2, 1), 4).seconds()).isEqualTo(2 * 4);
    // three slots on two devices: two partitions every 85 s there, one every 85 s here
    assertThat(run(1, 2, 3, 8, cost(50, 35, 0), 30).seconds()).isEqualTo(10 * 85 + 35);
    assertThat(run(1, 2, 3, 8, cost(50, 35, 0), 30).bottleneck()).isEqualTo("cpu");
  }

  @Test
  void withoutDevicesTheCpuDoesAll() {
    var outcome = run(2, 0, 3, 8, cost(1, 2, 1), 12);
    assertThat(outcome.seconds()).isEqualTo(8); // six at once, twice
    assertThat(outcome.cpuUtilisation()).isEqualTo(1);
    assertThat(outcome.deviceUtilisation()).isZero();
    assertThat(run(2, 0, 3, 1, cost(1, 2, 1), 12).seconds()).isEqualTo(24); // two fit at once
    assertThat(run(2, 0, 3, 1, cost(1, 2, 1), 12).bottleneck()).isEqualTo("memory");
    assertThat(outcome.bottleneck()).isEqualTo("cpu");
  }

  @Test
  void twiceTheHostsHalveTheTimeAndTooFewPartitionsDoNot() {
    double one = run(1, 2, 8, 4, cost(1, 10, 0.5), 400).seconds();
    double two = run(2, 2, 8, 4, cost(1, 10, 0.5), 400).seconds();
    assertThat(one).isEqualTo(1 + 200 * 10 + 0.5);
    assertThat(two).isEqualTo(1 + 100 * 10 + 0.5);
    assertThat(run(100, 4, 8, 4, cost(1, 10, 0.5), 7).bottleneck()).isEqualTo("partitions");
    assertThat(run(100, 4, 8, 4, cost(1, 10, 0.5), 7).seconds()).isEqualTo(11.5);
  }

  @Test
  void differentPartitionsTakeTheirTurns() {
    List<PartitionCost> costs = List.of(new PartitionCost(0, 1, 0), new PartitionCost(0, 3, 0));
    assertThat(run(1, 1, 2, 2, costs, 6).seconds()).isEqualTo(12);
  }

  @Test
  @Timeout(60) // it takes seconds
  void tenThousandDevicesAndAHundredThousandPartitions() {
    var outcome = run(1250, 8, 16, 2, cost(20, 30, 2), 100_000);
    assertThat(outcome.seconds()).isEqualTo(20 + 10 * 30 + 2);
    assertThat(outcome.partitions()).isEqualTo(100_000);
  }

  @Test
  void whatDoesNotFitIsRefused() {
    assertThatThrownBy(() -> new ClusterModel(1, 1, 1, 0))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("does not hold one partition");
  }

  @Test
  void costsComeFromTheRecordsOfARun(@TempDir Path temp) throws IOException {
    Path run = temp.resolve("run");
    new SyntheticRun(1, 0).write(run, 20);
    List<PartitionCost> costs = PartitionCost.read(run.toString(), new Configuration());
    assertThat(costs).hasSize(19); // one executor: its first one warmed up
    assertThat(costs.getFirst().before()).isCloseTo(0.03 + 0.001 + 1.3 + 0.3, within(1e-6));
    assertThat(costs.getFirst().device())
        .isCloseTo(5.5 + 29.0 + 1.8 + 1.6 + 0.6 + 1.4, within(1e-6));
    assertThat(costs.getFirst().after()).isCloseTo(0.005 + 0.02 + 0.03, within(1e-6));
  }
}
