package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two measurements, or a measurement and a run, in one directory. */
class MeasurementDirectoryTest {
  @TempDir private Path temp;

  private MeasurementDirectory open() {
    return MeasurementDirectory.open(
        temp.resolve("out").toString(), new Configuration(), LockHolders.TIMEOUT, Progress.NONE);
  }

  private Path earlierRun() throws IOException {
    Path run = Files.createDirectories(temp.resolve("out/run-all"));
    Files.writeString(run.resolve("plan.json"), "{}");
    Files.createDirectories(run.resolve("journal/s-t01000-1"));
    Files.writeString(run.resolve("journal/s-t01000-1/000.json"), "{}");
    return run;
  }

  @Test
  void anEarlierRunGivesWayAndOthersStay() throws IOException {
    Path run = earlierRun();
    Path other = Files.createDirectories(temp.resolve("out/run-mine"));
    Files.writeString(other.resolve("notes"), "mine");
    try (MeasurementDirectory directory = open()) {
      assertThat(directory.fresh("run-all")).endsWith("out/run-all");
      assertThat(run).isEmptyDirectory();
      directory.fresh("run-mine"); // no run: the action refuses it
      assertThat(other.resolve("notes")).exists();
    }
    assertThat(temp.resolve("out/lock")).doesNotExist();
  }

  @Test
  void aSecondMeasurementIsRefusedAndTheFirstOnesRunStays() throws IOException {
    try (MeasurementDirectory first = open()) {
      first.fresh("run-all");
      Path run = earlierRun(); // the first one at work
      assertThatThrownBy(this::open)
          .isInstanceOf(InfrastructureException.class)
          .hasMessageContaining("is in use: process " + ProcessHandle.current().pid());
      assertThat(run.resolve("journal/s-t01000-1/000.json")).exists();
    }
    open().close();
  }

  @Test
  void aRunAtWorkIsLeftAlone() throws IOException {
    Path run = earlierRun();
    RunDirectory live = new RunDirectory(run.toString(), new Configuration());
    try (MeasurementDirectory directory = open()) {
      try (RunLock lock = LockHolders.take(live, LockHolders.here())) {
        lock.requireHeld();
        assertThatThrownBy(() -> directory.fresh("run-all"))
            .isInstanceOf(InfrastructureException.class)
            .hasMessageContaining("out/run-all is in use");
        assertThat(run.resolve("plan.json")).exists();
        assertThat(run.resolve("journal/s-t01000-1/000.json")).exists();
      }
      directory.fresh("run-all");
      assertThat(run).isEmptyDirectory();
    }
  }
}
