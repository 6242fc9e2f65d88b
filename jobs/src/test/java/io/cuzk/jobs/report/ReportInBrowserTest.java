package io.cuzk.jobs.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.cuzk.jobs.compare.SyntheticRun;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page as a browser lays it out, on a wide screen and on a phone: Chromium without a window,
 * served from loopback inside a frame of that width, where a script measures it. Skipped, saying
 * so, where Debian's chromium is not. Leaves pictures under target/report.
 */
class ReportInBrowserTest {
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path SAMPLE = Path.of("..", "notebooks", "sample", "run");

  /** Around the page: measures it in its frame, and leaves the figures in the document. */
  private static final String FRAME =
      """
      <!doctype html><html><body style="margin:0"><pre id="measured"></pre>
      <iframe src="/page" style="border:0;width:WIDTHpx;height:3000px"></iframe>
      <script>
      window.onload = () => {
        const page = document.querySelector('iframe').contentDocument;
        const width = page.documentElement.clientWidth;
        const visible = list => [...page.querySelectorAll(list)].map(e => e.getBoundingClientRect());
        const texts = [...page.querySelectorAll('body *')].filter(e => e.innerText && !e.children.length
            && e.getBoundingClientRect().width > 0);
        document.getElementById('measured').textContent = 'BEGIN' + JSON.stringify({
          width: width,
          scroll: page.documentElement.scrollWidth,
          strips: visible('svg.strip').map(r => [r.left, r.right, r.width, r.height]),
          bars: visible('#phases svg rect').filter(r => r.width >= 1).length,
          timeline: visible('#timeline .lane svg rect').filter(r => r.width >= 1).length,
          waterfall: visible('#waterfall svg rect').filter(r => r.width >= 1).length,
          cards: [...page.querySelectorAll('#figures .card')].map(e => e.innerText),
          smallest: Math.min(...texts.map(e => parseFloat(getComputedStyle(e).fontSize))),
          tables: [...page.querySelectorAll('h2')].map(e => e.innerText),
        }) + 'END';
      };
      </script></body></html>
      """;

  @TempDir private Path temp;

  private JsonNode measure(String page, int width, String picture) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    serve(server, "/page", page);
    serve(server, "/frame", FRAME.replace("WIDTH", Integer.toString(width)));
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      Path pictures = Files.createDirectories(Path.of("target", "report").toAbsolutePath());
      chromium(
          "--screenshot=" + pictures.resolve(picture + ".png"),
          "--window-size=" + Math.max(500, width) + ",1600",
          url + "/frame");
      String document = chromium("--dump-dom", "--window-size=1400,1600", url + "/frame");
      int from = document.indexOf("BEGIN{");
      assertThat(from).as(document).isPositive();
      return new ObjectMapper()
          .readTree(document.substring(from + 5, document.indexOf("}END", from) + 1));
    } finally {
      server.stop(0);
    }
  }

  private static void serve(HttpServer server, String path, String page) {
    byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
    server.createContext(
        path,
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", "text/html; charset=utf-8");
          exchange.sendResponseHeaders(200, bytes.length);
          try (OutputStream body = exchange.getResponseBody()) {
            body.write(bytes);
          }
        });
  }

  private String chromium(String... arguments) throws Exception {
    if (!Files.isExecutable(CHROMIUM)) {
      String message = "chromium is not installed (apt install chromium): no browser saw the page";
      if ("true".equals(System.getenv("CI"))) {
        throw new AssertionError(message);
      }
      Assumptions.abort(message);
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                CHROMIUM.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--hide-scrollbars",
                "--virtual-time-budget=10000",
                "--user-data-dir=" + temp.resolve("profile")));
    command.addAll(List.of(arguments));
    Path out = temp.resolve("out.html");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(temp.resolve("err.txt").toFile())
            .start();
    if (!process.waitFor(4, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new IOException(command + " did not end");
    }
    assertThat(process.exitValue()).as(Files.readString(temp.resolve("err.txt"))).isZero();
    return Files.readString(out);
  }

  private static void assertReadable(JsonNode seen, int width) {
    assertThat(seen.path("width").asInt()).isEqualTo(width);
    assertThat(seen.path("scroll").asInt()).as("no scrolling sideways").isLessThanOrEqualTo(width);
    assertThat(seen.path("smallest").asDouble()).isGreaterThanOrEqualTo(11);
    assertThat(seen.path("strips")).isNotEmpty();
    for (JsonNode strip : seen.path("strips")) {
      assertThat(strip.get(0).asDouble()).isNotNegative();
      assertThat(strip.get(1).asDouble()).isLessThanOrEqualTo(width);
      assertThat(strip.get(2).asDouble()).as("wide enough to see").isGreaterThan(width / 5.0);
      assertThat(strip.get(3).asDouble()).isGreaterThanOrEqualTo(10);
    }
  }

  @Test
  void theSamplesPageShowsItsPlotsAndFigures() throws Exception {
    String page = RunReport.of(SAMPLE.toString(), null, new Configuration()).page();
    JsonNode wide = measure(page, 1200, "sample-wide");
    assertReadable(wide, 1200);
    // Every phase but the wait for a task has a bar; three tasks of some ten phases are a timeline.
    assertThat(wide.path("bars").asInt()).isGreaterThanOrEqualTo(7);
    assertThat(wide.path("timeline").asInt()).isGreaterThan(15);
    assertThat(wide.path("cards").toString())
        .contains("3 of 3", "sectors verified", "partitions an hour", "13.8");
    assertThat(wide.path("tables").toString())
        .contains("Where the time goes", "Timeline", "Sectors", "Slowest partitions", "Devices");
    JsonNode phone = measure(page, 390, "sample-phone");
    assertReadable(phone, 390);
    assertThat(phone.path("bars")).isEqualTo(wide.path("bars"));
  }

  @Test
  void aComparisonsWaterfallIsSeenOnAPhone() throws Exception {
    Path a = new SyntheticRun(2, 0.05).executors(2).write(temp.resolve("a"), 40);
    Path b =
        new SyntheticRun(3, 0.05).executors(2).slower("msm.h", 1.1).write(temp.resolve("b"), 40);
    String page = RunReport.of(b.toString(), a.toString(), new Configuration()).page();
    JsonNode phone = measure(page, 360, "waterfall-phone");
    assertReadable(phone, 360);
    assertThat(phone.path("waterfall").asInt()).isGreaterThanOrEqualTo(4);
    assertThat(page).contains("Slower: msm.h");
  }
}
