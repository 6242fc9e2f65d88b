package io.cuzk.jobs.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.jobs.Columns;
import io.cuzk.jobs.compare.Comparison;
import io.cuzk.jobs.compare.RunComparison;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The page of a run: nothing on it comes from elsewhere, every word of the run is escaped. */
final class ReportPage {
  /** The colour of a task's time that no phase names. */
  private static final String UNNAMED = "#d3d8df";

  /** More rows than this say less, and make the page heavy. */
  private static final int MOST_ROWS = 500;

  private final RunSummary run;
  private final RunComparison comparison;
  private final Markup page = new Markup();

  ReportPage(RunSummary run, RunComparison comparison) {
    this.run = run;
    this.comparison = comparison;
  }

  Markup markup() {
    String id = run.record().path("run_id").asText();
    page.add("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    page.add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.add("<title>Run %s</title>\n<style>", id).add(ReportStyle.CSS).add("</style></head>\n");
    page.add("<body><h1>%s</h1>\n", run.run());
    page.add(
        "<p>%s · begun %s · backend %s on %s</p>\n",
        run.record().path("state").asText(),
        run.record().path("started_at").asText().replaceAll("\\..*Z", "Z"),
        run.record().path("backend").asText(),
        run.record().at("/hardware/cpu_model").asText());
    if (run.record().hasNonNull("warning")) {
      page.add("<p class=\"bad\">%s</p>\n", run.record().path("warning").asText());
    }
    figures();
    if (!run.phases().isEmpty()) {
      phases();
      timeline();
    }
    if (comparison != null) {
      against();
    }
    sectors();
    slowest();
    devices();
    settings();
    return page.add("</body></html>\n");
  }

  private void figures() {
    int failed = run.sectors().rows() - run.verifiedSectors();
    page.add("<div class=\"cards\" id=\"figures\">");
    card(run.verifiedSectors() + " of " + run.sectors().rows(), "sectors verified", failed > 0);
    card(
        Figures.rate(run.partitionsPerHour()), "partitions an hour, start and end included", false);
    card(Figures.rate(run.sectorsPerHour()), "sectors an hour", false);
    String proofs = run.provedNow() == 1 ? " proof" : " proofs";
    card(Figures.seconds(run.wallSeconds()), "this session, " + run.provedNow() + proofs, false);
    card(Figures.seconds(run.taskSeconds()), "a partition (median)", false);
    card(Figures.seconds(run.cpuSeconds()), "CPU time of one", false);
    card(Figures.percent(run.timeline().busy()), "of task slots' time busy", false);
    card(Integer.toString(run.retries()), "partitions retried", run.retries() > 0);
    page.add("</div>\n");
  }

  private void card(String value, String label, boolean bad) {
    page.add(
        "<div class=\"card%s\"><b>%s</b><span>%s</span></div>", bad ? " bad" : "", value, label);
  }

  private void phases() {
    page.add("<h2>Where the time goes</h2>\n<p>Share of the partitions' wall time; median and");
    page.add(" 95th percentile of a partition, and its CPU time.</p>");
    double most =
        run.phases().stream().mapToDouble(PhaseShare::share).filter(s -> s >= 0).max().orElse(1);
    page.add("<div class=\"rows\" id=\"phases\">");
    for (PhaseShare row : run.phases()) {
      page.add("<div class=\"label%s\">%s</div><div>", row.nested() ? " nested" : "", row.phase());
      Strip strip = new Strip(row.phase() + " " + Figures.percent(row.share()), 18);
      if (row.share() > 0) {
        strip.bar(0, row.share() / most, Colours.of(row.phase()), Figures.percent(row.share()));
      }
      page.add(strip.end());
      page.add(
          "</div><div class=\"value\">%s<small>%s · p95 %s · CPU %s</small></div>",
          Double.isNaN(row.share()) ? "" : Figures.percent(row.share()) + " ",
          Figures.seconds(row.medianSeconds()),
          Figures.seconds(row.slowSeconds()),
          Figures.seconds(row.cpuSeconds()));
    }
    page.add("</div>\n");
  }

  private void timeline() {
    Timeline timeline = run.timeline();
    page.add("<h2>Timeline</h2>\n");
    if (timeline.lanes().isEmpty()) {
      page.add("<p>The last session proved nothing.</p>\n");
      return;
    }
    page.add(
        "<p>%s from the first task's begin to the last one's end; white is idle.%s</p>",
        Figures.seconds(timeline.seconds()),
        timeline.hidden() > 0 ? " " + timeline.hidden() + " more lanes are not shown." : "");
    page.add("<div class=\"legend\">");
    for (String phase : timeline.phases()) {
      if (!phase.equals("queue.wait")) {
        page.add("<span><i style=\"background:%s\"></i>%s</span>", Colours.of(phase), phase);
      }
    }
    if (timeline.lanes().stream()
        .anyMatch(lane -> Arrays.stream(lane.phases()).anyMatch(at -> at == Timeline.UNNAMED))) {
      page.add("<span><i style=\"background:%s\"></i>a task, in no phase</span>", UNNAMED);
    }
    page.add("</div><div id=\"timeline\">");
    for (Timeline.Lane lane : timeline.lanes()) {
      page.add(
          "<div class=\"lane\"><div class=\"label\">%s <small>%s %s, busy %s, longest gap %s"
              + "</small></div>",
          lane.place(),
          lane.tasks(),
          lane.tasks() == 1 ? "task" : "tasks",
          Figures.percent(lane.busySeconds() / timeline.seconds()),
          Figures.seconds(lane.longestGapSeconds()));
      page.add(lane(timeline, lane)).add("</div>");
    }
    page.add("<div class=\"axis\">");
    for (int i = 0; i <= 4; i++) {
      page.add("<span>%s</span>", Figures.seconds(timeline.seconds() * i / 4));
    }
    page.add("</div></div>\n");
  }

  private static Markup lane(Timeline timeline, Timeline.Lane lane) {
    Strip strip = new Strip(lane.place(), 26);
    int[] slots = lane.phases();
    for (int from = 0; from < slots.length; ) {
      int to = from;
      while (to < slots.length && slots[to] == slots[from]) {
        to++;
      }
      if (slots[from] != -1) {
        boolean named = slots[from] != Timeline.UNNAMED;
        String phase = named ? timeline.phases().get(slots[from]) : "a task, in no phase";
        double slot = timeline.seconds() / slots.length;
        strip.bar(
            (double) from / slots.length,
            (double) to / slots.length,
            named ? Colours.of(phase) : UNNAMED,
            "%s, %s to %s"
                .formatted(phase, Figures.seconds(from * slot), Figures.seconds(to * slot)));
      }
      from = to;
    }
    for (int i = 1; i < 4; i++) {
      strip.line(i / 4.0);
    }
    return strip.end();
  }

  private void against() {
    Comparison one = comparison.comparisons().getFirst();
    page.add("<h2>Against %s</h2>\n", comparison.baseline());
    comparison.warnings().forEach(line -> page.add("<p class=\"note\">%s</p>\n", line));
    page.add(
        "<p>%s</p>\n",
        one.culprit()
            .map(
                row ->
                    "Slower: %s, %s a partition."
                        .formatted(row.phase(), Figures.change(row.judged().change())))
            .orElse("No phase is shown to be slower by more than 3 %."));
    if (one.hasTotal()) {
      page.add(new Waterfall(one, "there", "here").markup());
    }
    List<List<String>> rows = new ArrayList<>();
    one.phases()
        .forEach(
            row ->
                rows.add(
                    List.of(
                        row.phase(),
                        row.verdict().text(),
                        row.byCpu() ? "CPU" : "wall",
                        Figures.seconds(row.judged().beforeMedian()),
                        Figures.seconds(row.judged().afterMedian()),
                        Figures.change(row.judged().change()),
                        Figures.change(row.judged().low())
                            + " … "
                            + Figures.change(row.judged().high()))));
    page.table(
        List.of("phase", "verdict", "by", "there", "here", "change", "95 % interval"), 3, rows);
  }

  private void sectors() {
    Columns sectors = run.sectors();
    page.add("<h2>Sectors</h2>\n");
    List<List<String>> rows = new ArrayList<>();
    // Those that failed first: they are what a reader looks for.
    for (boolean verified : new boolean[] {false, true}) {
      for (int row = 0; row < sectors.rows(); row++) {
        String state = sectors.text("state", row);
        if (verified == "verified".equals(state) && rows.size() < MOST_ROWS) {
          String reason = sectors.text("reason", row);
          rows.add(
              List.of(
                  sectors.text("sector", row),
                  state + (reason == null ? "" : ": " + reason),
                  Figures.bytes(sectors.longs("sector_size_bytes")[row]),
                  sectors.longs("partitions_verified")[row]
                      + " of "
                      + sectors.longs("partitions")[row],
                  Figures.seconds(sectors.longs("proving_ns")[row] * 1e-9)));
        }
      }
    }
    page.table(List.of("sector", "state", "size", "partitions", "task time"), 2, rows);
    if (sectors.rows() > rows.size()) {
      page.add("<p>%s more are in sectors/.</p>\n", sectors.rows() - rows.size());
    }
  }

  private void slowest() {
    Columns proofs = run.proofs();
    page.add("<h2>Slowest partitions</h2>\n");
    List<List<String>> rows = new ArrayList<>();
    for (int row : run.slowest()) {
      double seconds = proofs.longs("wall_ns")[row] * 1e-9;
      rows.add(
          List.of(
              proofs.text("sector", row) + " / " + proofs.longs("partition_index")[row],
              proofs.text("host", row) + " executor " + proofs.text("executor_id", row),
              Figures.seconds(seconds),
              String.format(Locale.ROOT, "%.2f×", seconds / run.taskSeconds()),
              Figures.seconds(proofs.longs("cpu_ns")[row] * 1e-9),
              Long.toString(proofs.longs("task_attempt")[row] + 1)));
    }
    page.table(
        List.of("sector / partition", "where", "wall", "of median", "CPU", "attempt"), 2, rows);
  }

  private void devices() {
    Columns devices = run.devices();
    page.add("<h2>Devices</h2>\n");
    List<List<String>> rows = new ArrayList<>();
    for (int row = 0; row < Math.min(MOST_ROWS, devices.rows()); row++) {
      rows.add(
          List.of(
              devices.text("host", row) + " executor " + devices.text("executor_id", row),
              devices.text("backend", row) + ": " + devices.text("device", row),
              devices.text("cpu_model", row),
              Long.toString(devices.longs("cores")[row]),
              Figures.bytes(devices.longs("memory_bytes")[row])));
    }
    page.table(List.of("where", "device", "CPU", "cores", "memory"), 3, rows);
  }

  private void settings() {
    page.add("<details><summary>Versions, hardware and configuration</summary>\n");
    List<List<String>> rows = new ArrayList<>();
    for (String part : List.of("versions", "hardware", "configuration")) {
      for (var entry : run.record().path(part).properties()) {
        rows.add(List.of(part, entry.getKey(), text(entry.getValue())));
      }
    }
    for (JsonNode key : run.record().path("parameters")) {
      rows.add(List.of("key", key.path("name").asText(), key.path("digest").asText()));
    }
    page.table(List.of("part", "name", "value"), 3, rows).add("</details>\n");
  }

  private static String text(JsonNode value) {
    return value.isNull() ? "–" : value.asText();
  }
}
