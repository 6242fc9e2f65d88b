package io.cuzk.jobs.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.DatasetWriter;
import io.cuzk.jobs.SectorRecord;
import io.cuzk.jobs.SectorRecords;
import io.cuzk.jobs.compare.SyntheticRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a prediction takes from the run that it rests on. */
class SimulateActionTest {
  @TempDir private Path temp;

  private Path run;

  @BeforeEach
  void write() {
    run = new SyntheticRun(1, 0).write(temp.resolve("run"), 20); // on machines of two cores
  }

  private void record(String from, String to) throws IOException {
    Path file = run.resolve("run.json");
    assertThat(Files.readString(file)).contains(from);
    Files.writeString(file, Files.readString(file).replace(from, to));
  }

  private SimulateAction.Result simulate(int cpuSlots) {
    return simulate(0, cpuSlots);
  }

  private SimulateAction.Result simulate(int devices, int cpuSlots) {
    return SimulateAction.run(
        new SimulateAction.Request(run.toString(), 1, devices, 1L << 34, 0, cpuSlots, 2),
        new Configuration());
  }

  private void executors(int count, int slots, int devices) throws IOException {
    record(
        "\"inputs\":[]",
        "\"inputs\":[],\"executors\":{\"most_at_once\":%d,\"cores\":%d,\"slots\":%d,\"devices\":%d}"
            .formatted(count, slots, slots, devices));
  }

  @Test
  void slotsAreThoseThatAnExecutorHad() throws IOException {
    assertThat(simulate(0).model().cpuSlots()).isEqualTo(2);
    assertThat(simulate(0).slotsEstimated()).isTrue(); // it may have had fewer
    executors(3, 3, 3);
    assertThat(simulate(0).model().cpuSlots()).isEqualTo(1);
    assertThat(simulate(0).slotsEstimated()).isFalse();
    assertThat(simulate(5).model().cpuSlots()).isEqualTo(5);
  }

  @Test
  void aHostOfFourDevicesHasFourTimesTheSlotsOfOne() throws IOException {
    executors(2, 4, 2); // two executors of a device and two slots each
    SimulateAction.Result four = simulate(4, 0);
    assertThat(four.model().cpuSlots()).isEqualTo(4 * 2);
    assertThat(simulate(1, 0).model().cpuSlots()).isEqualTo(2);
    assertThat(simulate(4, 5).model().cpuSlots()).isEqualTo(5);
    // five of twenty partitions on each device, which has the next one ready each time
    assertThat(four.outcome().seconds())
        .isCloseTo(
            four.cost().before() + 5 * four.cost().device() + four.cost().after(), within(1e-6));
    assertThat(four.outcome().bottleneck()).isEqualTo("device");
  }

  @Test
  void memoryIsOfTheKeyThatProved() throws IOException {
    record("\"parameters\":[", "\"parameters\":[{\"sector_size\":\"8MiB\",\"bytes\":8000000},");
    record("\"name\":\"key\"", "\"name\":\"key\",\"bytes\":4000");
    assertThat(simulate(0).memoryPerPartition()).isEqualTo(3000);
    assertThat(simulate(0).sectors().describe()).isEqualTo("2 of 2KiB (10 partitions each)");
  }

  @Test
  void sectorsOfSeveralSizesAreRefused() throws IOException {
    Files.delete(run.resolve("sectors/part-00000.snappy.parquet"));
    DatasetWriter.write(
        run.resolve("sectors"),
        SectorRecord.TYPE,
        List.of(sector("a", 2048, 1), sector("b", 8 << 20, 1), sector("c", 8 << 20, 1)));
    assertThatThrownBy(() -> simulate(0))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("sectors of 2 kinds")
        .hasMessageContaining("1 of 2KiB (1 partition each); 2 of 8MiB (1 partition each)");
  }

  private static SectorRecord sector(String name, long bytes, int partitions) {
    return SectorRecords.of(name, bytes, partitions, partitions, null);
  }
}
