package io.cuzk.jobs;

import com.sun.net.httpserver.HttpServer;
import io.cuzk.InfrastructureException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.Success$;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.SparkSession;

/**
 * What the driver knows of a run while it goes on, as text that Prometheus reads: how far each
 * stage is, tasks by executor and result, their seconds, the phases of what was proved. Served
 * under {@code /metrics} until closed; with {@code spark.cuzk.metrics.prometheus=off} it only
 * passes progress on. Thread-safe.
 */
final class LiveMetrics implements Progress, AutoCloseable {
  private static final double NANOS = 1e-9;

  /** What the tasks of one executor came to. */
  private static final class Counts {
    private int running;
    private int succeeded;
    private int failed;
    private double seconds;
    private double cpuSeconds;
  }

  private final Progress to;
  private final SparkSession spark;
  private final HttpServer server;
  private final SparkListener listener = new Tasks();
  private final long beginNanos = System.nanoTime();
  private final Map<String, int[]> stages = new TreeMap<>();
  private final Map<String, Counts> executors = new TreeMap<>();
  private final Map<String, Integer> failed = new LinkedHashMap<>();
  private int proved;
  private int retried;
  private String stage;

  private LiveMetrics(Progress to, SparkSession spark, HttpServer server) {
    this.to = to;
    this.spark = spark;
    this.server = server;
    PartitionEntry.KINDS.forEach(kind -> failed.put(kind, 0));
  }

  /**
   * Begins to serve where the configuration says so.
   *
   * @throws InfrastructureException if the address cannot be had
   */
  static LiveMetrics open(CuzkConf conf, SparkSession spark, Progress to) {
    InetSocketAddress address = conf.value(CuzkConf.METRICS_PROMETHEUS).orElse(null);
    if (address == null) {
      return new LiveMetrics(to, spark, null);
    }
    HttpServer server;
    try {
      server = HttpServer.create(address, 0);
    } catch (IOException e) {
      throw new InfrastructureException(
          "%s: cannot listen on %s: %s; give another address, or off"
              .formatted(CuzkConf.METRICS_PROMETHEUS.name(), address, e.getMessage()),
          e);
    }
    LiveMetrics live = new LiveMetrics(to, spark, server);
    server.createContext(
        "/metrics",
        exchange -> {
          byte[] text = live.text().getBytes(StandardCharsets.UTF_8);
          exchange
              .getResponseHeaders()
              .add("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
          exchange.sendResponseHeaders(200, text.length);
          try (OutputStream body = exchange.getResponseBody()) {
            body.write(text);
          }
        });
    server.start();
    spark.sparkContext().addSparkListener(live.listener);
    to.note("metrics for Prometheus at http://%s/metrics".formatted(live.address()));
    return live;
  }

  /** Where it is served, with the port that was found for 0; null when it is off. */
  String address() {
    return server == null
        ? null
        : server.getAddress().getAddress().getHostAddress() + ":" + server.getAddress().getPort();
  }

  private final class Tasks extends SparkListener {
    @Override
    public void onTaskStart(SparkListenerTaskStart start) {
      started(start.taskInfo().host(), start.taskInfo().executorId());
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      boolean measured = end.taskMetrics() != null;
      ended(
          end.taskInfo().host(),
          end.taskInfo().executorId(),
          end.reason() == Success$.MODULE$,
          end.taskInfo().duration() * 1e-3,
          measured ? end.taskMetrics().executorCpuTime() * NANOS : 0);
    }
  }

  private Counts of(String host, String executor) {
    return executors.computeIfAbsent(
        "executor=\"%s\",host=\"%s\"".formatted(escaped(executor), escaped(host)),
        added -> new Counts());
  }

  synchronized void started(String host, String executor) {
    of(host, executor).running++;
  }

  synchronized void ended(
      String host, String executor, boolean success, double seconds, double cpuSeconds) {
    Counts counts = of(host, executor);
    // The listener may have come after the task's begin.
    counts.running = Math.max(0, counts.running - 1);
    counts.succeeded += success ? 1 : 0;
    counts.failed += success ? 0 : 1;
    counts.seconds += seconds;
    counts.cpuSeconds += cpuSeconds;
  }

  @Override
  public void stage(String name, int total) {
    synchronized (this) {
      stage = name;
      stages.put(name, new int[] {total, 0});
    }
    to.stage(name, total);
  }

  @Override
  public void advanced(int done) {
    synchronized (this) {
      if (stage != null) {
        stages.get(stage)[1] = done;
      }
    }
    to.advanced(done);
  }

  @Override
  public void tried(String failureKind, boolean again) {
    synchronized (this) {
      if (failureKind == null) {
        proved++;
      } else {
        failed.merge(failureKind, 1, Integer::sum);
      }
      retried += again ? 1 : 0;
    }
    to.tried(failureKind, again);
  }

  @Override
  public void note(String line) {
    to.note(line);
  }

  /** The text, in Prometheus' exposition format 0.0.4. */
  synchronized String text() {
    StringBuilder text = new StringBuilder();
    head(text, "cuzk_run_seconds", "gauge", "Seconds since the run began.");
    line(text, "cuzk_run_seconds", "", (System.nanoTime() - beginNanos) * NANOS);
    head(text, "cuzk_stage_steps", "gauge", "Steps of a stage; of proving: partitions.");
    stages.forEach((name, steps) -> line(text, "cuzk_stage_steps", label(name), steps[0]));
    head(text, "cuzk_stage_steps_done", "gauge", "Steps of a stage that are done.");
    stages.forEach((name, steps) -> line(text, "cuzk_stage_steps_done", label(name), steps[1]));
    head(text, "cuzk_partitions_proved_total", "counter", "Partitions whose proofs verified.");
    line(text, "cuzk_partitions_proved_total", "", proved);
    head(text, "cuzk_partitions_failed_total", "counter", "Tries at partitions that failed.");
    failed.forEach(
        (kind, count) ->
            line(text, "cuzk_partitions_failed_total", "kind=\"" + kind + "\"", count));
    head(text, "cuzk_partitions_retried_total", "counter", "Of those: tried again.");
    line(text, "cuzk_partitions_retried_total", "", retried);
    head(text, "cuzk_tasks_running", "gauge", "Tasks that run now.");
    executors.forEach((who, counts) -> line(text, "cuzk_tasks_running", who, counts.running));
    head(text, "cuzk_tasks_ended_total", "counter", "Attempts of tasks that ended.");
    executors.forEach(
        (who, counts) -> {
          line(text, "cuzk_tasks_ended_total", who + ",result=\"success\"", counts.succeeded);
          line(text, "cuzk_tasks_ended_total", who + ",result=\"failure\"", counts.failed);
        });
    head(text, "cuzk_task_seconds_total", "counter", "Wall seconds of tasks that ended.");
    executors.forEach((who, counts) -> line(text, "cuzk_task_seconds_total", who, counts.seconds));
    head(
        text,
        "cuzk_task_thread_cpu_seconds_total",
        "counter",
        "CPU seconds of the tasks' own threads, the proving pools' left out.");
    executors.forEach(
        (who, counts) -> line(text, "cuzk_task_thread_cpu_seconds_total", who, counts.cpuSeconds));
    phases(text);
    return text.toString();
  }

  private static void phases(StringBuilder text) {
    Map<PhaseTotals.Key, PhaseTotals.Sum> sums = CuzkPlugin.phases().snapshot();
    head(text, "cuzk_phases_total", "counter", "Phases of partitions whose proofs verified.");
    sums.forEach((key, sum) -> line(text, "cuzk_phases_total", label(key), sum.count()));
    head(text, "cuzk_phase_seconds_total", "counter", "Wall seconds of these phases.");
    sums.forEach(
        (key, sum) -> line(text, "cuzk_phase_seconds_total", label(key), sum.wallNanos() * NANOS));
    head(
        text,
        "cuzk_phase_cpu_seconds_total",
        "counter",
        "CPU seconds of these phases over all threads of a task, where they can be told apart.");
    sums.forEach(
        (key, sum) ->
            line(text, "cuzk_phase_cpu_seconds_total", label(key), sum.cpuNanos() * NANOS));
  }

  private static String label(PhaseTotals.Key key) {
    return "executor=\"%s\",host=\"%s\",phase=\"%s\""
        .formatted(escaped(key.executor()), escaped(key.host()), escaped(key.phase()));
  }

  private static String label(String stage) {
    return "stage=\"" + escaped(stage) + "\"";
  }

  private static void head(StringBuilder text, String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private static void line(StringBuilder text, String name, String labels, double value) {
    text.append(name);
    if (!labels.isEmpty()) {
      text.append('{').append(labels).append('}');
    }
    text.append(' ').append(String.format(Locale.ROOT, "%.3f", value)).append('\n');
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  @Override
  public void close() {
    if (server != null) {
      spark.sparkContext().removeSparkListener(listener);
      server.stop(0);
    }
  }
}
