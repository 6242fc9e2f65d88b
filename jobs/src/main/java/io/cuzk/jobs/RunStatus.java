package io.cuzk.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.time.Instant;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the run in a directory is, read from its files at any time, while it runs too.
 *
 * @param state {@code planning}, {@code running}, {@code finished}, or {@code interrupted} for a
 *     run that has not written its end and is dead or, on another machine, silent
 * @param holder who works on it; null if nobody does
 * @param verified sectors with all their proofs
 * @param failed sectors with a bad file or a failed partition
 * @param pending the others
 */
public record RunStatus(
    String runId,
    String state,
    String startedAt,
    int sectors,
    int verified,
    int failed,
    int pending,
    int partitions,
    int partitionsVerified,
    int partitionsFailed,
    Holder holder) {
  private static final Logger LOG = LoggerFactory.getLogger(RunStatus.class);

  /**
   * The process that works on a run.
   *
   * @param startedAt in ISO-8601, UTC
   * @param silentSeconds since its last sign of life, by the file system's clock
   */
  public record Holder(String user, String host, long pid, String startedAt, double silentSeconds) {
    static Holder of(RunLock.Seen seen) {
      LockHolder is = seen.holder();
      return new Holder(
          is.user(), is.host(), is.pid(), is.startedAt().toString(), seen.silentMillis() / 1e3);
    }
  }

  /**
   * Reads it.
   *
   * @throws InvalidInputException if the directory holds no run
   */
  public static RunStatus read(String directory, Configuration hadoop) {
    RunDirectory run = new RunDirectory(directory, hadoop);
    JsonNode plan = run.readPlan();
    JsonNode record = run.readRun();
    RunLock.Seen seen = RunLock.look(run);
    if (plan != null && (seen == null || seen.dead())) {
      healed(run);
    }
    if (plan == null || record == null) {
      if (seen != null) {
        return begun(seen);
      }
      throw new InvalidInputException("no run in " + run.show() + " (it has no plan.json)");
    }
    int sectors = 0;
    int verified = 0;
    int failed = 0;
    int partitions = 0;
    int proved = 0;
    int lost = 0;
    for (JsonNode sector : plan.path("sectors")) {
      sectors++;
      int needed = sector.path("partitions").asInt();
      partitions += needed;
      if (sector.hasNonNull("failure")) {
        failed++;
        continue;
      }
      RunDirectory.Progress progress = run.progress(sector.path("sector").asText());
      proved += progress.proved();
      lost += progress.failed();
      if (progress.proved() == needed) {
        verified++;
      } else if (progress.failed() > 0) {
        failed++;
      }
    }
    return new RunStatus(
        record.path("run_id").asText(),
        state(record, seen),
        record.path("started_at").asText(),
        sectors,
        verified,
        failed,
        sectors - verified - failed,
        partitions,
        proved,
        lost,
        seen != null && seen.alive() ? Holder.of(seen) : null);
  }

  /**
   * Ends what a killed run left half done in its datasets, where this user may; as the directory's
   * holder, since a rerun may begin meanwhile.
   */
  private static void healed(RunDirectory run) {
    DatasetPlaces places = new DatasetPlaces(run);
    if (!places.isTorn()) {
      return;
    }
    LockHolder holder =
        LockHolder.current("status " + UUID.randomUUID(), Instant.now(), RunLock.LEAST_TIMEOUT);
    try (RunLock lock = RunLock.take(run, holder, Progress.NONE, () -> {})) {
      lock.requireHeld();
      places.heal();
    } catch (InfrastructureException e) {
      LOG.info("the datasets stay as they are: {}", e.getMessage());
    }
  }

  /** Of a run that has no plan yet. */
  private static RunStatus begun(RunLock.Seen seen) {
    return new RunStatus(
        seen.holder().id(),
        seen.alive() ? "planning" : "interrupted",
        seen.holder().startedAt().toString(),
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        seen.alive() ? Holder.of(seen) : null);
  }

  private static String state(JsonNode record, RunLock.Seen seen) {
    if (seen != null && seen.alive()) {
      // A rerun has the earlier run's record before it until its own plan stands.
      boolean its = record.path("run_id").asText().equals(seen.holder().id());
      return its ? "running" : "planning";
    }
    String written = record.path("state").asText();
    return written.equals("running") ? "interrupted" : written;
  }
}
