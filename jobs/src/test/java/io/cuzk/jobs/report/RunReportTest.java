package io.cuzk.jobs.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.compare.SyntheticRun;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

/** The page of a run: whole, self-contained, hostile names harmless, figures those of the data. */
class RunReportTest {
  @TempDir private Path temp;

  private static RunReport report(Path run, Path against) {
    return RunReport.of(
        run.toString(), against == null ? null : against.toString(), new Configuration());
  }

  @Test
  void pageHasEveryPartAndNothingFromElsewhere() throws IOException {
    Path run = new SyntheticRun(1, 0.05).executors(2).write(temp.resolve("run"), 23);
    RunReport report = report(run, null);
    assertThat(Path.of(report.write())).isEqualTo(run.resolve("report.html"));
    String page = Files.readString(run.resolve("report.html"));
    for (String id : new String[] {"figures", "phases", "timeline"}) {
      assertThat(page).contains("id=\"" + id + "\"");
    }
    assertThat(page)
        .contains("<h2>Sectors</h2>", "<h2>Slowest partitions</h2>", "<h2>Devices</h2>")
        .contains("3 of 4", "host executor 1: device", "width=device-width")
        .doesNotContain("http:", "https:", "src=", "url(", "<script");
    assertThat(page)
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;", "&quot;bad&quot; &amp; broken");
    assertThat(page.indexOf("&lt;script"))
        .as("failed first")
        .isLessThan(page.indexOf("s-t01000-0"));
  }

  @Test
  void picturesAreWellFormed() throws Exception {
    Path a = new SyntheticRun(2, 0.05).write(temp.resolve("a"), 12);
    Path b = new SyntheticRun(3, 0.05).slower("msm.h", 1.3).write(temp.resolve("b"), 12);
    String page = report(b, a).page();
    assertThat(page).contains("id=\"waterfall\"", "Slower: msm.h");
    Matcher svg = Pattern.compile("<svg.*?</svg>").matcher(page);
    int pictures = 0;
    while (svg.find()) {
      pictures++;
      DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(svg.group())));
    }
    assertThat(pictures).isGreaterThan(20);
  }

  @Test
  void figuresAreThoseOfTheRun() {
    Path run = new SyntheticRun(4, 0).write(temp.resolve("run"), 20);
    RunReport report = report(run, null);
    assertThat(report.object())
        .containsEntry("verified", 2)
        .containsEntry("sectors", 3)
        .containsEntry("partitions", 20)
        .containsEntry("retried", 0)
        .containsEntry("partitions_per_hour", 720.0)
        .containsEntry("sectors_per_hour", 72.0);
    double all =
        RunSummary.read(run.toString(), new Configuration()).phases().stream()
            .mapToDouble(PhaseShare::share)
            .filter(share -> !Double.isNaN(share))
            .sum();
    assertThat(all).isEqualTo(1, within(1e-9));
    assertThat(report.lines().getFirst()).contains("2 of 3 sectors verified, 20 partitions");
    assertThat(report.lines()).anyMatch(line -> line.contains("\"bad\" & broken"));
    Path retried = new SyntheticRun(4, 0).withFailedAttempts().write(temp.resolve("retried"), 20);
    assertThat(report(retried, null).object()).containsEntry("retried", 20);
  }

  @Test
  void lanesShowWhatRanWhen() {
    // Partitions begin a second apart and take 41.555 s: none can share a lane with another.
    Path run = new SyntheticRun(5, 0).executors(2).write(temp.resolve("run"), 8);
    Timeline timeline = RunSummary.read(run.toString(), new Configuration()).timeline();
    assertThat(timeline.lanes()).hasSize(8);
    double task = 41.555 + 0.03;
    assertThat(timeline.seconds()).isEqualTo(7 + task, within(0.01));
    assertThat(timeline.busy()).isEqualTo(task / (7 + task), within(0.001));
    Timeline.Lane last = timeline.lanes().getLast();
    assertThat(last.longestGapSeconds()).isEqualTo(7, within(0.001));
    assertThat(last.phases()[0]).isEqualTo(-1);
    int h = timeline.phases().indexOf("msm.h");
    long slots = Arrays.stream(last.phases()).filter(phase -> phase == h).count();
    assertThat(slots * timeline.seconds() / Timeline.SLOTS).isEqualTo(29, within(0.2));
  }

  @Test
  void runsThatHaveNotEndedAreRefused() throws IOException {
    Path run = Files.createDirectories(temp.resolve("run"));
    Files.writeString(run.resolve("run.json"), "{\"schema_version\":1,\"state\":\"running\"}");
    assertThatThrownBy(() -> report(run, null))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("no Parquet files")
        .hasMessageContaining("cuzk status");
  }
}
