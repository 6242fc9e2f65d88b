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
import java.util.function.ToLongFunction;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@link CuzkPlugin} does on an executor: looks at its devices when it starts, and tells the
 * driver what becomes of them.
 */
final class ExecutorSide implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorSide.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** This executor's way to the driver; null before it starts and in processes without plugin. */
  private static volatile PluginContext executorContext;

  /** Whether somebody watches the run, so that phases are told to the driver. */
  private static volatile boolean watched;

  /** Tells the driver that none of its devices is of use any more. */
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

  /** Tells the driver how long the phases of a proved partition took. */
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
    Gauge<Long> busy =
        () ->
            Executor.pipelines().stream()
                .map(PartitionPipeline::devices)
                .distinct() // pipelines of different budgets share devices
                .mapToLong(DevicePool::busyNanos)
                .sum();
    context.metricRegistry().register("deviceBusyNanos", busy);
    gauge(context, "waitNanos", PartitionPipeline::waitNanos);
    for (String kind : PartitionEntry.KINDS) {
      Gauge<Long> failed = () -> PartitionCounters.failedHere(kind);
      String name = Character.toUpperCase(kind.charAt(0)) + kind.substring(1);
      context.metricRegistry().register("partitionsFailed" + name, failed);
    }
    Gauge<Long> retried = PartitionCounters::retriedHere;
    context.metricRegistry().register("partitionsRetried", retried);
    excludeKnown(context, conf, backend, addresses, message);
  }

  /** Tells the driver that it is ready, and learns which of its devices are excluded already. */
  private static void excludeKnown(
      PluginContext context,
      CuzkConf conf,
      String backend,
      List<String> addresses,
      Map<String, Object> message) {
    try {
      JsonNode known = JSON.readTree(String.valueOf(context.ask(JSON.writeValueAsString(message))));
      if (backend.isEmpty()) {
        return;
      }
      DevicePool pool =
          Executor.devices(
              backend,
              addresses.isEmpty() ? null : addresses.getFirst(),
              conf.threads(context.conf()));
      for (DevicePool.Health device : pool.health()) {
        String address = addresses.isEmpty() ? null : device.address();
        JsonNode reason = known.path(place(context, address));
        if (device.excluded().isEmpty() && reason.isTextual()) {
          pool.exclude(address, reason.asText());
        }
      }
    } catch (Exception e) { // Spark's own are checked, and not declared
      LOG.warn("the driver did not answer that it knows of {}: {}", message, e.toString());
    }
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
