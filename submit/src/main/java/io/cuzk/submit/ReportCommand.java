package io.cuzk.submit;

import io.cuzk.jobs.report.RunReport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cuzk report}. */
@Command(
    name = "report",
    description = {
      "Writes RUN/report.html, one page that needs no network: throughput, phases, a timeline of",
      "every executor, sectors, the slowest partitions, devices; and prints a summary."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  cuzk report run/", "  cuzk report run/ --against yesterday/"})
final class ReportCommand implements Callable<Integer> {
  @Mixin private Common common;

  @Parameters(paramLabel = "RUN", description = "A run that has ended, on any Hadoop file system.")
  private String run;

  @Option(
      names = "--against",
      paramLabel = "RUN",
      description = "Another run with the same circuit and key: the page shows what changed.")
  private String against;

  @Override
  public Integer call() {
    RunReport report = RunReport.of(run, against, new Configuration());
    String file = report.write();
    Map<String, Object> object = new LinkedHashMap<>(report.object());
    object.put("report", file);
    common.object(object);
    report.lines().forEach(common::say);
    common.say(file);
    return ExitCode.GOOD;
  }
}
