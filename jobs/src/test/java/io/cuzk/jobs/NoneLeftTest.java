package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.jobs.fault.Meddling;
import io.cuzk.jobs.fault.SmallRuns;
import io.cuzk.jobs.fault.SmallSectors;
import io.cuzk.jobs.fault.TrapdoorKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run in which no device is left by what no task tells. */
@Timeout(600)
class NoneLeftTest {
  @TempDir private Path temp;

  @AfterEach
  void end() {
    System.clearProperty("cuzk.faults");
  }

  /** The one task waits for a device that hangs: nothing but the clock wakes the driver. */
  @Test
  void aRunEndsThoughNoTaskEnds() throws IOException {
    TrapdoorKey.write(temp.resolve("params"), CustomShape.parse(SmallSectors.SHAPE));
    SmallSectors.seal(temp.resolve("c1"), 1, 1);
    Path faults = Files.createDirectories(temp.resolve("faults"));
    System.setProperty("cuzk.faults", faults.toString());
    Files.writeString(faults.resolve("hang-any"), "");
    SparkSession spark = SmallRuns.open();
    try {
      Progress excludes =
          Meddling.at(
              Meddling.PROVING,
              () -> {
                ClusterHealth health = CuzkPlugin.health();
                ClusterHealth.Ready here = health.executors().getFirst();
                String device = here.devices().keySet().iterator().next();
                health.exhausted(here.executorId(), device, "excluded by the test");
              });
      ProveAction.Result result =
          SmallRuns.prove(
              spark,
              temp.resolve("c1").toString(),
              temp.resolve("params"),
              temp.resolve("run").toString(),
              excludes);
      assertThat(result.verified()).isZero();
      assertThat(result.failures().getFirst().reason())
          .contains("no device was left", "excluded by the test");
    } finally {
      Files.writeString(faults.resolve("end-hang"), "");
      spark.stop();
    }
  }
}
