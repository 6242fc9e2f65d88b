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
    RunStatus.Holder holder = status.holder();
    if (holder != null) {
      Map<String, Object> process = new LinkedHashMap<>();
      process.put("host", holder.host());
      process.put("pid", holder.pid());
      process.put("user", holder.user());
      process.put("started_at", holder.startedAt());
      process.put("silent_s", holder.silentSeconds());
      object.put("holder", process);
    }
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
    if (holder != null) {
      common.say(
          "at work: process %d of %s on %s, last sign of life %.0f s ago"
              .formatted(holder.pid(), holder.user(), holder.host(), holder.silentSeconds()));
    }
    return ExitCode.GOOD;
  }
}
