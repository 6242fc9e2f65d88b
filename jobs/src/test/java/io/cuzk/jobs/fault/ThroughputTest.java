package io.cuzk.jobs.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.jobs.CustomShape;
import io.cuzk.jobs.Fleet;
import io.cuzk.jobs.Progress;
import io.cuzk.jobs.RunRates;
import io.cuzk.jobs.SectorKind;
import io.cuzk.jobs.SparkSessions;
import io.cuzk.jobs.ThroughputAction;
import io.cuzk.jobs.simulate.SimulateAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A measurement on one executor, and what the model makes of it. */
@Timeout(300)
class ThroughputTest {
  @TempDir private Path temp;

  @BeforeEach
  void delay() throws IOException {
    Path faults = Files.createDirectories(temp.resolve("faults"));
    Files.writeString(faults.resolve("delay"), "800");
    System.setProperty("cuzk.faults", faults.toString());
    TrapdoorKey.write(temp.resolve("params"), CustomShape.parse(SmallSectors.SHAPE));
  }

  @AfterEach
  void end() {
    System.clearProperty("cuzk.faults");
  }

  private SparkSession session(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("spark.cuzk.backend", FaultyBackend.NAME);
    all.put("spark.cuzk.shape", SmallSectors.SHAPE);
    all.put("spark.cuzk.selftest", "never");
    all.put("spark.task.cpus", "1"); // two tasks at once, one device
    all.putAll(more);
    return SparkSessions.openToProve("test", "local[2]", all);
  }

  private ThroughputAction.Request request(int executors) {
    return new ThroughputAction.Request(
        List.of(),
        2,
        SmallSectors.SHAPE,
        temp.resolve("params").toString(),
        temp.resolve("out").toString(),
        executors,
        1,
        true,
        2.0);
  }

  @Test
  void aMeasurementCountsWhatVerifiedAndFeedsTheModel() {
    ThroughputAction.Result result = ThroughputAction.run(request(0), this::session, Progress.NONE);
    RunRates rates = result.all();
    assertThat(result.failures()).isEmpty();
    assertThat(rates.verified()).isEqualTo(2);
    assertThat(rates.partitions()).isEqualTo(4); // the warm-up's are not among them
    assertThat(rates.executors()).isEqualTo(1);
    assertThat(rates.fleet()).isEqualTo(new Fleet(1, 2, 2, 1));
    assertThat(result.sectors()).containsExactly(new SectorKind("2KiB", SmallSectors.SHAPE, 2, 2));
    assertThat(result.speedup()).isEqualTo(1);
    // one device, 0.8 s a proof: four take more than 3.2 s, however many tasks there are
    assertThat(rates.seconds()).isGreaterThan(3.2);
    assertThat(rates.phases()).containsKeys("device.wait", "quotient", "verify");
    assertThat(rates.utilisation()).isBetween(0.1, 1.0);
    assertThat(rates.deviceUtilisation()).isBetween(4 * 0.8 / rates.seconds(), 1.0);
    assertThat(rates.overhead()).isBetween(0.0, 1.0);
    assertThat(result.costPerSector(2.0)).isPositive();
    assertThat(temp.resolve("out/run-all/run.json")).exists();
    assertThat(temp.resolve("out/c1").resolve(SmallSectors.SHAPE))
        .isDirectoryContaining("glob:**s-t01000-2.json");

    SimulateAction.Result model =
        SimulateAction.run(
            new SimulateAction.Request(
                temp.resolve("out/run-all").toString(), 1, 1, 1L << 34, 1L << 30, 2, 2),
            new Configuration());
    assertThat(model.outcome().partitions()).isEqualTo(4);
    // the device alone takes 3.2 s, so does the model's
    assertThat(model.outcome().seconds()).isBetween(3.2, rates.seconds() * 3);
  }

  @Test
  void aMeasurementThatVerifiesNothingEndsWithTheCause() throws IOException {
    Files.writeString(temp.resolve("faults/delay"), "0");
    Files.writeString(temp.resolve("faults/broken-any"), "");
    assertThatThrownBy(() -> ThroughputAction.run(request(0), this::session, Progress.NONE))
        .isExactlyInstanceOf(InfrastructureException.class)
        .hasMessageStartingWith("run-all-warm-up proved nothing that verified, 1 sectors failed; ")
        .hasMessageContaining("the disk beside faulty device 0 is broken, as was asked");
  }

  @Test
  void aLocalMasterIsOneExecutor() {
    assertThatThrownBy(() -> ThroughputAction.run(request(2), this::session, Progress.NONE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("a local master is one");
  }
}
