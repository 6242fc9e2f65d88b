package io.cuzk.submit;

import io.cuzk.jobs.RunStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cuzk status}. */
@Command(
    name = "status",
    description = "Shows how far a run is; also while it runs.",
    footerHeading = "%nExamples:%n",
    footer = {"  cuzk status run/", "  cuzk status hdfs://nn/proofs/run-7 --json"})
final class StatusCommand implements Callable<Integer> {
  @Mixin private Common common;

  @Parameters(paramLabel = "RUN", description = "The run directory, on any Hadoop file system.")
  private String run;

  @Override
  public Integer call() {
    RunStatus status = RunStatus.read(run, new Configuration());
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("run_id", status.runId());
    object.put("state", status.state());
    object.put("started_at", status.startedAt());
    object.put("sectors", status.sectors());
    object.put("verified", status.verified());
    object.put("failed", status.failed());
    object.put("pending", status.pending());
    Map<String, Object> partitions = new LinkedHashMap<>();
    partitions.put("planned", status.partitions());
    partitions.put("verified", status.partitionsVerified());
    partitions.put("failed", status.partitionsFailed());
    object.put("partitions", partitions);
    common.object(object);
    common.say(
        "%s, begun %s: %d of %d sectors verified, %d failed, %d pending (%d of %d partitions)"
            .formatted(
                status.state(),
                status.startedAt(),
                status.verified(),
                status.sectors(),
                status.failed(),
                status.pending(),
                status.partitionsVerified(),
                status.partitions()));
    return ExitCode.GOOD;
  }
}
