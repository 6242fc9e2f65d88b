package io.cuzk.jobs.fault;

import io.cuzk.jobs.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the driver's metrics of phases, as Prometheus would, before the datasets are written. */
final class WatchedRun implements Progress {
  private static final Pattern ADDRESS = Pattern.compile("http://\\S+/metrics");

  private final int partitions;
  private String address;
  private String text = "";
  private volatile boolean proving;
  private final List<Integer> advances = new CopyOnWriteArrayList<>();

  /** Waits, half a minute at most, until so many partitions are counted. */
  WatchedRun(int partitions) {
    this.partitions = partitions;
  }

  @Override
  public void stage(String name, int total) {
    proving = name.equals("proving partitions");
    if (!name.equals("writing datasets")) {
      return;
    }
    try {
      for (int i = 0; i < 600 && counts().getOrDefault("write", 0) < partitions; i++) {
        Thread.sleep(50);
        try (InputStream body = URI.create(address).toURL().openStream()) {
          text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void advanced(int done) {
    if (proving) {
      advances.add(done);
    }
  }

  /** The steps of which the run told while it proved. */
  List<Integer> advances() {
    return List.copyOf(advances);
  }

  /** What Prometheus read. */
  String text() {
    return text;
  }

  @Override
  public void note(String line) {
    Matcher found = ADDRESS.matcher(line);
    if (found.find()) {
      address = found.group();
    }
  }

  /** How often each phase happened, over all executors. */
  Map<String, Integer> counts() {
    Map<String, Integer> counts = new TreeMap<>();
    values("cuzk_phases_total")
        .forEach((phase, value) -> counts.put(phase, (int) Math.round(value)));
    return counts;
  }

  /** Wall seconds by phase. */
  Map<String, Double> seconds() {
    return values("cuzk_phase_seconds_total");
  }

  private Map<String, Double> values(String metric) {
    Map<String, Double> values = new TreeMap<>();
    Matcher lines = Pattern.compile(metric + "\\{.*phase=\"([^\"]*)\".*} (\\S+)").matcher(text);
    while (lines.find()) {
      values.merge(lines.group(1), Double.parseDouble(lines.group(2)), Double::sum);
    }
    return values;
  }
}
