package io.cuzk.jobs.report;

import io.cuzk.jobs.RunData;
import io.cuzk.jobs.compare.RunComparison;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** A run's report: one page, and a summary in a few lines. */
public final class RunReport {
  /** The page's name in the run directory. */
  public static final String FILE = "report.html";

  private final RunSummary summary;
  private final RunComparison comparison;
  private final String directory;
  private final Configuration hadoop;

  private RunReport(
      RunSummary summary, RunComparison comparison, String directory, Configuration hadoop) {
    this.summary = summary;
    this.comparison = comparison;
    this.directory = directory;
    this.hadoop = hadoop;
  }

  /**
   * Reads a run that has ended.
   *
   * @param against another run to compare it with; null for none
   * @throws io.cuzk.InvalidInputException if it has not ended, is no run, or the other one has
   *     another circuit or key
   */
  public static RunReport of(String directory, String against, Configuration hadoop) {
    RunSummary summary = RunSummary.read(directory, hadoop);
    RunComparison comparison =
        against == null ? null : RunComparison.of(List.of(against, directory), List.of(), hadoop);
    return new RunReport(summary, comparison, directory, hadoop);
  }

  /**
   * Writes the page into the run directory.
   *
   * @return its path as the user would write it
   */
  public String write() {
    return RunData.open(directory, hadoop).write(FILE, page());
  }

  /** The page. */
  public String page() {
    return new ReportPage(summary, comparison).markup().toString();
  }

  /** The summary, line by line. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    int sectors = summary.sectors().rows();
    lines.add(
        "%d of %d sectors verified, %d partitions proved (%d in the last session, %s), %d retried"
            .formatted(
                summary.verifiedSectors(),
                sectors,
                summary.provedPartitions(),
                summary.provedNow(),
                Figures.seconds(summary.wallSeconds()),
                summary.retries()));
    if (summary.provedNow() > 0) {
      lines.add(
          "%s partitions/h, %s sectors/h, start and end included; a partition took %s (%s of CPU time), lanes busy %s"
              .formatted(
                  Figures.rate(summary.partitionsPerHour()),
                  Figures.rate(summary.sectorsPerHour()),
                  Figures.seconds(summary.taskSeconds()),
                  Figures.seconds(summary.cpuSeconds()),
                  Figures.percent(summary.timeline().busy())));
    }
    summary.phases().stream()
        .filter(row -> row.share() >= 0.01)
        .sorted((a, b) -> Double.compare(b.share(), a.share()))
        .forEach(
            row ->
                lines.add(
                    "  %-20s %6s  %s"
                        .formatted(
                            row.phase(),
                            Figures.percent(row.share()),
                            "#".repeat((int) Math.round(50 * row.share())))));
    for (int row = 0; row < sectors; row++) {
      if (summary.sectors().text("reason", row) != null) {
        lines.add(
            "failed: %s: %s"
                .formatted(
                    summary.sectors().text("sector", row), summary.sectors().text("reason", row)));
      }
    }
    return lines;
  }

  /** The figures as JSON would have them. */
  public Map<String, Object> object() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("run_id", summary.record().path("run_id").asText());
    object.put("sectors", summary.sectors().rows());
    object.put("verified", summary.verifiedSectors());
    object.put("partitions", summary.provedPartitions());
    object.put("partitions_last_session", summary.provedNow());
    object.put("retried", summary.retries());
    object.put("wall_s", finite(summary.wallSeconds()));
    object.put("partitions_per_hour", finite(summary.partitionsPerHour()));
    object.put("sectors_per_hour", finite(summary.sectorsPerHour()));
    object.put("busy", finite(summary.timeline().busy()));
    List<Object> phases = new ArrayList<>();
    for (PhaseShare row : summary.phases()) {
      Map<String, Object> phase = new LinkedHashMap<>();
      phase.put("phase", row.phase());
      phase.put("wall_median_s", finite(row.medianSeconds()));
      phase.put("wall_p95_s", finite(row.slowSeconds()));
      phase.put("cpu_median_s", finite(row.cpuSeconds()));
      phase.put("share", finite(row.share()));
      phases.add(phase);
    }
    object.put("phases", phases);
    return object;
  }

  private static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
