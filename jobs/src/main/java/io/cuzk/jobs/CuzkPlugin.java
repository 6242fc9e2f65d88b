package io.cuzk.jobs;

import com.codahale.metrics.Gauge;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.InfrastructureException;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.DeviceLease;
import io.cuzk.prover.DevicePool;
import io.cuzk.prover.PartitionPipeline;
import io.cuzk.prover.ProverBackendProvider;
import io.cuzk.prover.ProverBackends;
import io.cuzk.prover.SelfTest;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.apache.spark.resource.ResourceInformation;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What Spark starts with every executor of this job ({@code spark.plugins}): it takes the devices
 * that the executor was assigned, proves the known-answer circuit on each, and reports to the
 * driver. There, an executor whose devices are all excluded is given back to the cluster, unless it
 * is the last one; one that has lost its device is replaced. Messages are JSON text.
 */
public final class CuzkPlugin implements SparkPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(CuzkPlugin.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** This executor's way to the driver; null before it starts and in processes without plugin. */
  private static volatile PluginContext executorContext;

  /** Whether somebody watches the run, so that phases are told to the driver. */
  private static volatile boolean watched;

  private static volatile ClusterHealth health = new ClusterHealth();
  private static volatile PhaseTotals phases = new PhaseTotals();

  /** The driver's side; null in processes that drive nothing. */
  private static volatile Driver driver;

  /** What the driver of this process knows; empty where the plugin is not installed. */
  static ClusterHealth health() {
    return health;
  }

  /** The phases of what this driver's executors proved; empty unless the run is watched. */
  static PhaseTotals phases() {
    return phases;
  }

  /**
   * Waits until so many executors have reported a usable device.
   *
   * @return how many have, in the end
   */
  public static int awaitExecutors(int count, Duration patience) {
    long until = System.nanoTime() + patience.toNanos();
    while (health.usable().size() < count && System.nanoTime() < until) {
      pause();
    }
    return health.usable().size();
  }

  /**
   * Waits for an executor with a usable device that is none of these.
   *
   * @return whether there is one
   */
  static boolean awaitAnother(Set<String> executorIds, Duration patience) {
    long until = System.nanoTime() + patience.toNanos();
    while (health.usable().stream().allMatch(each -> executorIds.contains(each.executorId()))) {
      if (System.nanoTime() > until) {
        return false;
      }
      pause();
    }
    return true;
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InfrastructureException("interrupted while waiting for executors", e);
    }
  }

  /**
   * On the driver: a task reported that its process has lost its devices. A fresh process may be
   * able to use them, so Spark is made to put one in its place; a device that is lost a second time
   * is excluded, and so is one of a local master, whose process is this one.
   */
  static void lost(TaskReport report) {
    Driver here = driver;
    if (here == null || here.spark.isLocal()) {
      health.failed(report.device(), report.reason());
      health.exhausted(report.executor(), report.device(), report.reason());
      return;
    }
    switch (health.lost(report.executor(), report.device(), report.reason())) {
      case REPLACE -> here.replace(report.executor());
      case EXCLUDED -> here.giveBackUseless();
      case KNOWN -> {}
    }
  }

  @Override
  public DriverPlugin driverPlugin() {
    return new Driver();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new OnExecutor();
  }

  /** On an executor: tells the driver that none of its devices is of use any more. */
  static void exhausted(String device, String reason) {
    PluginContext context = executorContext;
    if (context == null) {
      return;
    }
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("kind", "exhausted");
    message.put("executor", context.executorID());
    message.put("device", device);
    message.put("reason", reason);
    send(context, message);
  }

  /** On an executor: tells the driver how long the phases of a proved partition took. */
  static void proved(List<PhaseRecord> measured) {
    PluginContext context = executorContext;
    if (context == null || !watched) {
      return;
    }
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("kind", "phases");
    message.put("executor", context.executorID());
    // As in the metrics of tasks, which are Spark's.
    message.put("host", context.hostname());
    message.put(
        "phases",
        measured.stream()
            .map(
                phase ->
                    Map.of(
                        "phase",
                        phase.phase(),
                        "wall_ns",
                        phase.wallNs(),
                        "cpu_ns",
                        phase.cpuNs() == null ? 0 : phase.cpuNs()))
            .toList());
    send(context, message);
  }

  private static void send(PluginContext context, Map<String, Object> message) {
    try {
      context.send(JSON.writeValueAsString(message));
    } catch (IOException e) {
      // The driver may be going away; what matters is in the tasks' reports too.
      LOG.warn("the driver was not told of {}: {}", message, e.toString());
    }
  }

  private static final class OnExecutor implements ExecutorPlugin {
    @Override
    public void init(PluginContext context, Map<String, String> extra) {
      executorContext = context;
      CuzkConf conf = CuzkConf.of(context.conf());
      watched = conf.value(CuzkConf.METRICS_PROMETHEUS).isPresent();
      ResourceInformation gpu = context.resources().get("gpu");
      List<String> addresses = gpu == null ? List.of() : List.of(gpu.addresses());
      Executor.assigned(addresses);
      Map<String, Object> message = new LinkedHashMap<>();
      message.put("kind", "ready");
      message.put("executor", context.executorID());
      message.put("host", Machine.current().host());
      Map<String, String> devices = new LinkedHashMap<>();
      String backend = "";
      try {
        ProverBackendProvider provider = ProverBackends.choose(conf.value(CuzkConf.BACKEND));
        backend = provider.name();
        check(context, conf, provider, addresses, devices);
      } catch (InfrastructureException e) {
        // No such backend here: the preflight says so with the reason, and the run is refused.
        LOG.info("{}", e.getMessage());
        devices.put(place(context, addresses.isEmpty() ? null : addresses.getFirst()), why(e));
      }
      message.put("backend", backend);
      message.put("devices", devices);
      gauge(context, "partitionsProved", PartitionPipeline::proved);
      gauge(context, "partitionsFailed", PartitionPipeline::failed);
      gauge(context, "bytesInFlight", pipeline -> pipeline.budget().used());
      gauge(context, "waitingForMemory", pipeline -> pipeline.budget().waiting());
      gauge(context, "deviceBusyNanos", PartitionPipeline::deviceNanos);
      gauge(context, "waitNanos", PartitionPipeline::waitNanos);
      for (String kind : PartitionEntry.KINDS) {
        Gauge<Long> failed = () -> PartitionCounters.failedHere(kind);
        String name = Character.toUpperCase(kind.charAt(0)) + kind.substring(1);
        context.metricRegistry().register("partitionsFailed" + name, failed);
      }
      Gauge<Long> retried = PartitionCounters::retriedHere;
      context.metricRegistry().register("partitionsRetried", retried);
      send(context, message);
    }

    /** A metric of Spark's, {@code executor.plugin.io.cuzk.jobs.CuzkPlugin.NAME}. */
    private static void gauge(
        PluginContext context, String name, ToLongFunction<PartitionPipeline> of) {
      Gauge<Long> sum = () -> Executor.pipelines().stream().mapToLong(of).sum();
      context.metricRegistry().register(name, sum);
    }

    private static void check(
        PluginContext context,
        CuzkConf conf,
        ProverBackendProvider provider,
        List<String> addresses,
        Map<String, String> devices) {
      SparkConf spark = context.conf();
      int threads = conf.threads(spark);
      boolean test =
          switch (conf.value(CuzkConf.SELFTEST)) {
            case "always" -> true;
            case "never" -> false;
            default -> !provider.concurrent() || !spark.get("spark.master", "").startsWith("local");
          };
      DevicePool pool =
          Executor.devices(
              provider.name(), addresses.isEmpty() ? null : addresses.getFirst(), threads);
      Duration limit = conf.value(CuzkConf.DEVICE_TIMEOUT);
      for (DevicePool.Health device : pool.health()) {
        String address = addresses.isEmpty() ? null : device.address();
        String reason = test ? selfTest(pool, address, limit, threads) : "";
        devices.put(place(context, address), reason);
      }
    }

    /** Empty if the device made the known proof, else why it is excluded. */
    private static String selfTest(DevicePool pool, String address, Duration limit, int threads) {
      Workers workers = Executor.devicePool(threads);
      try (DeviceLease lease = DeviceProbe.lease(pool, address)) {
        SelfTest.Result result =
            lease.within(limit, "the self-test", () -> SelfTest.run(lease.backend(), workers));
        LOG.info(
            "self-test: backend {} on {} made the known proof in {} ms",
            result.backend(),
            result.device(),
            result.wallNanos() / 1_000_000);
        return "";
      } catch (RuntimeException | LinkageError e) {
        String reason = "the self-test failed: " + why(e);
        LOG.error("device {} is excluded: {}", address == null ? "" : address, reason);
        pool.exclude(address, reason);
        return reason;
      }
    }

    private static String why(Throwable failure) {
      return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    private static String place(PluginContext context, String address) {
      return Places.of(Machine.current().host(), address, context.executorID());
    }

    @Override
    public void shutdown() {
      executorContext = null;
      Executor.release();
    }
  }

  private static final class Driver implements DriverPlugin {
    private SparkContext spark;

    @Override
    public Map<String, String> init(SparkContext context, PluginContext plugin) {
      spark = context;
      driver = this;
      ClusterHealth fresh = new ClusterHealth();
      health = fresh;
      phases = new PhaseTotals();
      context.addSparkListener(
          new SparkListener() {
            @Override
            public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
              fresh.gone(removed.executorId());
            }
          });
      return Map.of();
    }

    @Override
    public void shutdown() {
      driver = null;
      health = new ClusterHealth();
    }

    @Override
    public Object receive(Object message) throws IOException {
      JsonNode told = JSON.readTree(String.valueOf(message));
      String executor = told.path("executor").asText();
      if (told.path("kind").asText().equals("phases")) {
        add(executor, told);
        return null;
      }
      if (told.path("kind").asText().equals("ready")) {
        Map<String, String> devices = new LinkedHashMap<>();
        told.path("devices")
            .properties()
            .forEach(each -> devices.put(each.getKey(), each.getValue().asText()));
        ClusterHealth.Ready ready =
            new ClusterHealth.Ready(
                executor, told.path("host").asText(), told.path("backend").asText(), devices);
        health.ready(ready);
        devices.forEach(
            (device, reason) -> {
              if (!reason.isEmpty()) {
                LOG.warn("device {} is excluded: {}", device, reason);
              }
            });
      } else {
        health.exhausted(executor, told.path("device").asText(), told.path("reason").asText());
        LOG.warn("executor {} has no device left: {}", executor, told.path("reason").asText());
      }
      giveBackUseless();
      return null;
    }

    private static void add(String executor, JsonNode told) {
      for (JsonNode phase : told.path("phases")) {
        phases.add(
            new PhaseTotals.Key(phase.path("phase").asText(), executor, told.path("host").asText()),
            phase.path("wall_ns").asLong(),
            phase.path("cpu_ns").asLong());
      }
    }

    /**
     * Ends an executor for a fresh one: the number that is asked of the cluster stays, and nothing
     * is counted as a failure, neither of the executor nor of a task that it has.
     */
    private void replace(String executor) {
      LOG.warn("executor {} has lost its device; it is replaced", executor);
      if (spark.schedulerBackend() instanceof ExecutorAllocationClient cluster) {
        Thread.ofPlatform()
            .daemon()
            .name("cuzk-replace")
            .start(
                () ->
                    cluster.killExecutors(
                        CollectionConverters.asScala(List.of(executor)).toSeq(),
                        false,
                        false,
                        true));
      }
    }

    /** Spark replaces what it lost by itself, but not what it is asked to take away. */
    private void giveBackUseless() {
      if (spark.isLocal() || health.usable().isEmpty()) {
        return;
      }
      for (ClusterHealth.Ready executor : health.executors()) {
        if (!executor.isUsable()) {
          health.gone(executor.executorId());
          String id = executor.executorId();
          Thread.ofPlatform().daemon().name("cuzk-give-back").start(() -> spark.killExecutor(id));
        }
      }
    }
  }
}
