package io.cuzk.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InvalidInputException;
import org.apache.hadoop.conf.Configuration;

/**
 * How far the run in a directory is, read from its files at any time, while it runs too.
 *
 * @param state {@code running} as long as the run has not written its end, a dead one's too
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
    int partitionsFailed) {
  /**
   * Reads it.
   *
   * @throws InvalidInputException if the directory holds no run
   */
  public static RunStatus read(String directory, Configuration hadoop) {
    RunDirectory run = new RunDirectory(directory, hadoop);
    JsonNode plan = run.readPlan();
    JsonNode record = run.readRun();
    if (plan == null || record == null) {
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
        record.path("state").asText(),
        record.path("started_at").asText(),
        sectors,
        verified,
        failed,
        sectors - verified - failed,
        partitions,
        proved,
        lost);
  }
}
