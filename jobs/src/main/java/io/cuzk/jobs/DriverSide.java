package io.cuzk.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What {@link CuzkPlugin} does on the driver: takes up what executors tell, gives back those that
 * are of no use any more, and has those replaced for which a fresh process may be.
 */
final class DriverSide implements DriverPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(DriverSide.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ClusterHealth health = new ClusterHealth();
  private final PhaseTotals phases = new PhaseTotals();
  private SparkContext spark;

  private final ExecutorService asking =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("cuzk-ask-cluster").factory());

  /** How many executors the cluster was told to have; -1 before. The asking thread's. */
  private int target = -1;

  private final AtomicInteger givenBack = new AtomicInteger();

  ClusterHealth health() {
    return health;
  }

  PhaseTotals phases() {
    return phases;
  }

  /** A run begins: executors may be there that are awaited still. */
  void beginRun() {
    SparkConf conf = spark.conf();
    boolean grows = conf.getBoolean("spark.dynamicAllocation.enabled", false);
    int asked = ClusterExecutors.expected(conf).orElse(0);
    health.beginRun(grows ? 1 : Math.max(0, asked - givenBack.get() - health.executors().size()));
  }

  /** Whether the driver is the only executor. */
  boolean isLocal() {
    return spark.isLocal();
  }

  @Override
  public Map<String, String> init(SparkContext context, PluginContext plugin) {
    spark = context;
    CuzkPlugin.begin(this);
    context.addSparkListener(
        new SparkListener() {
          @Override
          public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
            health.gone(removed.executorId());
          }
        });
    return Map.of();
  }

  @Override
  public void shutdown() {
    asking.shutdown();
    CuzkPlugin.end();
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
      if (!health.ready(ready)) {
        oneMore();
      }
      int there = health.executors().size();
      ask(
          cluster -> {
            if (target >= 0) {
              raise(cluster, there); // some may have come late
            }
          });
      devices.forEach(
          (device, reason) -> {
            if (!reason.isEmpty()) {
              LOG.warn("device {} is excluded: {}", health.shown(device), reason);
            }
          });
    } else {
      if (health.usable().stream().anyMatch(each -> each.executorId().equals(executor))) {
        LOG.warn("executor {} has no device left: {}", executor, told.path("reason").asText());
      }
      health.exhausted(executor, told.path("device").asText(), told.path("reason").asText());
    }
    giveBackUseless();
    return told.path("kind").asText().equals("ready")
        ? JSON.writeValueAsString(health.excludedOf(executor))
        : null;
  }

  private void add(String executor, JsonNode told) {
    for (JsonNode phase : told.path("phases")) {
      phases.add(
          new PhaseTotals.Key(phase.path("phase").asText(), executor, told.path("host").asText()),
          phase.path("wall_ns").asLong(),
          phase.path("cpu_ns").asLong());
    }
  }

  /**
   * Ends an executor for a fresh one: the number that is asked of the cluster stays, and nothing is
   * counted as a failure, neither of the executor nor of a task that it has.
   */
  void replace(String executor) {
    LOG.warn("executor {} is replaced", executor);
    ask(cluster -> end(cluster, executor, false));
  }

  /** Spark replaces what it lost by itself, but not what it is asked to take away. */
  void giveBackUseless() {
    if (spark.isLocal() || health.usable().isEmpty()) {
      return;
    }
    health.useless().forEach(this::giveBack);
  }

  /** Ends an executor for none. */
  synchronized void giveBack(String executor) {
    LOG.warn("executor {} is given back", executor);
    tellWanted(0);
    givenBack.incrementAndGet();
    health.givenBack(executor);
    ask(
        cluster -> {
          if (end(cluster, executor, true)) {
            target--;
          }
        });
  }

  /**
   * The cluster has started an executor on a device that is excluded, because there is room where
   * one was given back. It is in the way there until another one has come elsewhere.
   */
  private void oneMore() {
    if (!isDynamic()) {
      tellWanted(1);
      ask(
          cluster -> {
            cluster.requestExecutors(1);
            target++;
          });
    }
  }

  private boolean isDynamic() {
    return spark.conf().getBoolean("spark.dynamicAllocation.enabled", false);
  }

  /**
   * Before one less or one more is asked for. Dynamic allocation tells the cluster all the time how
   * many it wants; without it Spark takes nobody's number for none, and would never again replace
   * what it loses.
   *
   * @param surplus those among the executors that are there beyond what is wanted
   */
  private void tellWanted(int surplus) {
    int known = health.thereOrToCome() - surplus;
    // Spark still lists an executor for a while that was given back: that is for the first time.
    int first =
        Math.max(
            ClusterExecutors.expected(spark.conf()).orElse(0) - givenBack.get(),
            Math.max(ClusterExecutors.of(spark).active().size() - surplus, known));
    ask(cluster -> raise(cluster, target < 0 ? first : known));
  }

  private void raise(ExecutorAllocationClient cluster, int wanted) {
    if (target < wanted && !isDynamic()) {
      want(cluster, wanted);
      target = wanted;
    }
  }

  /**
   * In a thread that does one after the other, for it may wait for the cluster. Not by the
   * context's methods, which dynamic allocation refuses.
   */
  private void ask(Consumer<ExecutorAllocationClient> what) {
    if (spark.schedulerBackend() instanceof ExecutorAllocationClient cluster) {
      try {
        asking.execute(() -> tell(cluster, what));
      } catch (RejectedExecutionException e) {
        LOG.debug("the driver ends: nothing more is asked of the cluster");
      }
    }
  }

  static void tell(ExecutorAllocationClient cluster, Consumer<ExecutorAllocationClient> what) {
    try {
      what.accept(cluster);
    } catch (Exception e) { // Spark's own are checked, and not declared
      LOG.warn("the cluster did not do as it was asked: {}", e.toString());
    }
  }

  /** Has so many executors in the cluster, with the resources that the settings ask for. */
  static void want(ExecutorAllocationClient cluster, int executors) {
    Object profile = ResourceProfile.DEFAULT_RESOURCE_PROFILE_ID();
    cluster.requestTotalExecutors(
        one(profile, executors), one(profile, 0), one(profile, Map$.MODULE$.empty()));
  }

  private static <T> scala.collection.immutable.Map<Object, T> one(Object key, T value) {
    return scala.collection.immutable.Map.from(CollectionConverters.asScala(Map.of(key, value)));
  }

  /**
   * Ends an executor, counting no failure.
   *
   * @param fewer whether one less is asked of the cluster from now on
   * @return whether the cluster still had it
   */
  static boolean end(ExecutorAllocationClient cluster, String executor, boolean fewer) {
    boolean ended =
        !cluster
            .killExecutors(
                CollectionConverters.asScala(List.of(executor)).toSeq(), fewer, false, true)
            .isEmpty();
    if (!ended) {
      LOG.warn("executor {} was not ended: the cluster no longer has it", executor);
    }
    return ended;
  }
}
