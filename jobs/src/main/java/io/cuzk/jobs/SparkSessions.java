package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.field.Arithmetic;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/** Spark sessions with this job's defaults; whatever the caller sets wins. */
public final class SparkSessions {
  private static final Pattern LOCAL = Pattern.compile("local(?:\\[(\\*|\\d+)])?");
  private static final Pattern LOOPBACK =
      Pattern.compile("spark://(?:127\\.0\\.0\\.1|localhost)(?::\\d+)?");
  private static final List<String> EXCLUSION =
      List.of(
          "spark.excludeOnFailure.enabled",
          "spark.excludeOnFailure.taskAndStage.enabled",
          "spark.excludeOnFailure.application.enabled");
  private static final String METRICS = "spark.metrics.namespace";
  private static final String PLUGINS = "spark.plugins";
  private static final String EXECUTOR_FLAGS =
      "-XX:+IgnoreUnrecognizedVMOptions -XX:+UseParallelGC -XX:MaxNewSize=1g -XX:GCTimeRatio=19"
          + " --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow";

  private SparkSessions() {}

  /**
   * Opens a session.
   *
   * @param master null to take what spark-submit set
   * @throws InvalidInputException for an unknown {@code spark.cuzk.} key, or a key of Spark's that
   *     this job cannot run with
   * @throws InfrastructureException if the cluster cannot be reached
   */
  public static SparkSession open(String application, String master, Map<String, String> settings) {
    SparkConf conf = new SparkConf();
    settings.forEach(conf::set);
    conf.setIfMissing("spark.app.name", application);
    if (master != null) {
      conf.setMaster(master);
    }
    if (!conf.contains("spark.master")) {
      conf.setMaster("local[*]");
    }
    CuzkConf.of(conf);
    requireNoExclusion(conf);
    conf.setIfMissing("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
    conf.setIfMissing("spark.kryo.registrator", CuzkKryoRegistrator.class.getName());
    // Two copies of one proof are a waste, and a proof takes as long as it takes.
    conf.setIfMissing("spark.speculation", "false");
    conf.setIfMissing("spark.ui.showConsoleProgress", "false");
    // A partition that is tried again goes before those that wait for their first try.
    conf.setIfMissing("spark.scheduler.mode", "FAIR");
    // A device that is busy with a cancelled task is not free: such a task is watched to its end.
    conf.setIfMissing("spark.task.reaper.enabled", "true");
    conf.setIfMissing("spark.task.reaper.killTimeout", "-1");
    conf.setIfMissing("spark.sql.session.timeZone", "UTC");
    conf.setIfMissing("spark.sql.debug.maxToStringFields", "1000");
    // The queries over records are small: compiling them takes longer than running them.
    conf.setIfMissing("spark.sql.codegen.wholeStage", "false");
    conf.setIfMissing("spark.sql.codegen.factoryMode", "NO_CODEGEN");
    conf.setIfMissing("spark.sql.adaptive.enabled", "false");
    localDefaults(conf);
    clusterDefaults(conf);
    try {
      return SparkSession.builder().config(conf).getOrCreate();
    } catch (RuntimeException e) {
      throw new InfrastructureException(
          "no Spark at " + conf.get("spark.master") + ": " + firstLine(e), e);
    }
  }

  /**
   * The same for proving, with {@link CuzkPlugin} in every executor: where this JVM will prove, its
   * vector kernels are compiled while Spark starts.
   */
  public static SparkSession openToProve(
      String application, String master, Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>(settings);
    String plugins = all.getOrDefault(PLUGINS, System.getProperty(PLUGINS, ""));
    if (!plugins.contains(CuzkPlugin.class.getName())) {
      all.put(PLUGINS, (plugins.isEmpty() ? "" : plugins + ",") + CuzkPlugin.class.getName());
    }
    String where =
        master != null
            ? master
            : settings.getOrDefault("spark.master", System.getProperty("spark.master", "local[*]"));
    String backend = settings.getOrDefault(CuzkConf.BACKEND.name(), "auto");
    if (where.startsWith("local") && (backend.equals("auto") || backend.equals("cpu"))) {
      Arithmetic.prepare();
    }
    if (!all.containsKey(METRICS) && System.getProperty(METRICS) == null) {
      all.put(METRICS, "cuzk"); // without a name Spark warns of each plugin
    }
    return open(application, master, all);
  }

  /**
   * On a local master one partition is proved at a time, by all cores: its memory is then that of
   * one proof. A task may be tried three times, as on a cluster.
   */
  private static void localDefaults(SparkConf conf) {
    Matcher local = LOCAL.matcher(conf.get("spark.master"));
    if (!local.matches()) {
      return;
    }
    String count = local.group(1);
    int cores =
        count == null
            ? 1
            : count.equals("*") ? Runtime.getRuntime().availableProcessors() : parse(count);
    conf.setMaster("local[" + cores + ",3]");
    conf.setIfMissing("spark.task.cpus", Integer.toString(cores));
    conf.setIfMissing("spark.ui.enabled", "false");
    conf.setIfMissing("spark.driver.host", "127.0.0.1");
    conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1");
    conf.setIfMissing("spark.sql.shuffle.partitions", Integer.toString(cores));
  }

  /**
   * On a cluster Spark's 1 GiB would not hold one proof, and executors do not inherit this JVM's
   * flags; the module flags Spark adds itself. A cluster on loopback is reached, and reaches this
   * driver, on loopback.
   */
  private static void clusterDefaults(SparkConf conf) {
    String master = conf.get("spark.master");
    if (isInThisProcess(master)) {
      return;
    }
    conf.setIfMissing("spark.executor.memory", "4g");
    conf.setIfMissing("spark.executor.extraJavaOptions", EXECUTOR_FLAGS);
    // A row per partition: Spark's 200 tasks would take longer to start than to run.
    conf.setIfMissing("spark.sql.shuffle.partitions", "16");
    if (conf.contains("spark.executor.cores")) {
      conf.setIfMissing("spark.task.cpus", conf.get("spark.executor.cores"));
    }
    if (LOOPBACK.matcher(master).matches()) {
      conf.setIfMissing("spark.driver.host", "127.0.0.1");
      conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1");
    }
  }

  /** How often Spark tries a task: as often a partition may meet with trouble with a machine. */
  static int tries(SparkContext context) {
    return tries(context.master(), context.conf());
  }

  static int tries(String master, SparkConf conf) {
    if (!isInThisProcess(master)) {
      return conf.getInt("spark.task.maxFailures", 4);
    }
    int comma = master.indexOf(',');
    return comma < 0
        ? 1
        : Integer.parseInt(master.substring(comma + 1, master.indexOf(']')).strip());
  }

  private static boolean isInThisProcess(String master) {
    return master.startsWith("local") && !master.startsWith("local-cluster");
  }

  /**
   * Spark's own exclusion counts failed tasks and ends a job that it has nowhere to run: one bad
   * sector would exclude good executors, and end the run.
   */
  private static void requireNoExclusion(SparkConf conf) {
    for (String key : EXCLUSION) {
      if (conf.getBoolean(key, false)) {
        throw InvalidInputException.ofUsage(
            key
                + "=true would let one bad sector exclude good executors and end the run; leave it"
                + " out: devices and hosts that fail are excluded by this job itself"
                + " (docs/operations.md)");
      }
    }
  }

  private static int parse(String count) {
    int cores = Integer.parseInt(count);
    if (cores < 1) {
      throw new InfrastructureException("local[" + count + "] has no core to run on");
    }
    return cores;
  }

  private static String firstLine(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
