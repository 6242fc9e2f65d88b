package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rates of a run small enough to compute by hand. */
class RunRatesTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path temp;

  private final List<ProofRecord> proofs = new ArrayList<>();
  private final List<PhaseRecord> phases = new ArrayList<>();
  private final List<SectorRecord> sectors = new ArrayList<>();

  private void proof(String session, String sector, int partition, String executor, long begun) {
    proof(session, sector, partition, 2, executor, begun);
  }

  private void proof(
      String session, String sector, int partition, int of, String executor, long begun) {
    proofs.add(GoldenProof.at(session, sector, partition, of, executor, begun, 9 * SECOND));
    phase(session, sector, partition, executor, "queue.wait", 5);
    phase(session, sector, partition, executor, "input.parse", 1);
    phase(session, sector, partition, executor, "device.wait", 1);
    phase(session, sector, partition, executor, "synthesis.witness", 2);
    phase(session, sector, partition, executor, "msm.h", 5);
    phase(session, sector, partition, executor, "write", 1);
  }

  private void phase(
      String session, String sector, int partition, String executor, String name, long seconds) {
    phases.add(
        new PhaseRecord(
            1,
            session,
            sector,
            partition,
            0,
            name,
            0,
            seconds * SECOND,
            null,
            "cpu",
            "cpu",
            "host",
            executor));
  }

  /** With the executors that {@code run.json} names, if any. */
  private RunRates rates(String executors) throws IOException {
    Files.writeString(
        temp.resolve("run.json"),
        "{\"format\":\"cuzk-run\",\"schema_version\":1,\"run_id\":\"now\"" + executors + "}");
    DatasetWriter.write(temp.resolve("proofs"), ProofRecord.TYPE, proofs);
    DatasetWriter.write(temp.resolve("phases"), PhaseRecord.TYPE, phases);
    DatasetWriter.write(temp.resolve("sectors"), SectorRecord.TYPE, sectors);
    return RunRates.read(temp.toString(), new Configuration());
  }

  private void twoSectorsOnTwoExecutors() {
    sectors.add(SectorRecords.verified("a", 2));
    sectors.add(SectorRecords.verified("b", 2));
    sectors.add(SectorRecords.of("broken", 2048, 2, 1, "one partition did not verify"));
    // two executors, each two partitions of ten seconds (nine and the write), 2 s between them
    proof("now", "a", 0, "0", 1000);
    proof("now", "a", 1, "1", 1000);
    proof("now", "b", 0, "0", 1012);
    proof("now", "b", 1, "1", 1012);
    proof("before", "a", 0, "7", 10); // of an earlier session
    proof("now", "broken", 0, "0", 1500); // of a sector that did not verify
  }

  @Test
  void figuresAreThoseOfTheTasks() throws IOException {
    twoSectorsOnTwoExecutors();
    RunRates rates = rates("");
    assertThat(rates.verified()).isEqualTo(2);
    assertThat(rates.partitions()).isEqualTo(4);
    assertThat(rates.executors()).isEqualTo(2);
    assertThat(rates.seconds()).isCloseTo(22, within(1e-6));
    assertThat(rates.partitionsPerSecond()).isCloseTo(4 / 22.0, within(1e-9));
    assertThat(rates.sectorsPerHour()).isCloseTo(2 * 3600 / 22.0, within(1e-6));
    assertThat(rates.utilisation()).isCloseTo(40 / 44.0, within(1e-9));
    // of nine seconds that were no waiting, seven were work
    assertThat(rates.overhead()).isCloseTo(2 / 9.0, within(1e-9));
    assertThat(rates.phases().get("msm.h").share()).isCloseTo(0.5, within(1e-9));
    assertThat(rates.phases().get("queue.wait").share()).isZero();
    assertThat(rates.byExecutor()).containsOnlyKeys("0", "1");
    assertThat(rates.byExecutor().get("1")).isEqualTo(new RunRates.Worker(2, 20.0, "1"));
    // the devices had five of each partition's seconds
    assertThat(rates.deviceUtilisation()).isCloseTo(20 / 44.0, within(1e-9));
    assertThat(result(rates, rates).speedup()).isEqualTo(1);
    assertThat(result(rates, rates).efficiency()).isEqualTo(0.5);
    assertThat(result(rates, null).costPerSector(3.0))
        .isCloseTo(3.0 * 2 * 22 / (2 * 3600), within(1e-9));
  }

  private static ThroughputAction.Result result(RunRates all, RunRates one) {
    return new ThroughputAction.Result(all, one, List.of(), ClockSkew.NONE, List.of(), "x");
  }

  @Test
  void executorsThatWereThereCountThoughTheyProvedNothing() throws IOException {
    twoSectorsOnTwoExecutors();
    RunRates rates =
        rates(",\"executors\":{\"most_at_once\":4,\"cores\":8,\"slots\":8,\"devices\":4}");
    assertThat(rates.executors()).isEqualTo(4);
    assertThat(rates.utilisation()).isCloseTo(40 / (22 * 8.0), within(1e-9));
    assertThat(rates.deviceUtilisation()).isCloseTo(20 / (22 * 4.0), within(1e-9));
    assertThat(result(rates, rates).efficiency()).isEqualTo(0.25);
    assertThat(result(rates, null).costPerSector(3.0))
        .isCloseTo(3.0 * 4 * 22 / (2 * 3600), within(1e-9));
  }

  @Test
  void whatADeviceDoesAtTheSameTimeCountsOnce() {
    DeviceTime time = new DeviceTime();
    time.add("a", "msm.h", 10 * SECOND, 5 * SECOND);
    time.add("a", "upload", 12 * SECOND, 4 * SECOND); // of the next proof, a second more
    time.add("a", "upload", 11 * SECOND, SECOND);
    time.add("a", "device.wait", 0, 50 * SECOND);
    time.add("a", "verify", 0, 50 * SECOND);
    time.add("a", "quotient", 20 * SECOND, 2 * SECOND);
    time.add("b", "quotient", 10 * SECOND, 3 * SECOND);
    assertThat(time.seconds()).isCloseTo(6 + 2 + 3, within(1e-9));
  }

  /** A directory holds the sectors of earlier runs too, maybe of more partitions. */
  @Test
  void sectorsOfEarlierRunsHaveNoPartInTheRate() throws IOException {
    twoSectorsOnTwoExecutors();
    sectors.add(SectorRecords.verified("large", 10));
    for (int partition = 0; partition < 10; partition++) {
      proof("before", "large", partition, 10, "0", 500);
    }
    RunRates rates = rates("");
    assertThat(rates.verified()).isEqualTo(2);
    assertThat(rates.sectorsPerHour()).isCloseTo(2 * 3600 / 22.0, within(1e-6));
  }

  @Test
  void aPartitionIsThePartOfItsOwnSector() throws IOException {
    twoSectorsOnTwoExecutors();
    sectors.add(SectorRecords.verified("large", 4));
    sectors.add(SectorRecords.verified("half", 6));
    for (int partition = 0; partition < 4; partition++) {
      proof("now", "large", partition, 4, "0", 1000);
    }
    for (int partition = 0; partition < 6; partition++) {
      proof(partition < 3 ? "before" : "now", "half", partition, 6, "1", 1000);
    }
    RunRates rates = rates("");
    assertThat(rates.verified()).isEqualTo(3);
    assertThat(rates.partitions()).isEqualTo(2 + 2 + 4 + 3);
    assertThat(rates.sectorsPerHour()).isCloseTo(3.5 * 3600 / 22, within(1e-6));
  }

  @Test
  void aRunWithoutAProofHasNoRate() throws IOException {
    sectors.add(SectorRecords.verified("a", 2));
    proof("before", "a", 0, "7", 10);
    assertThatThrownBy(() -> rates(""))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("proved nothing that verified");
  }
}
