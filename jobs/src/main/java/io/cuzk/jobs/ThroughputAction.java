package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Measures a cluster: proves a batch of sectors after a warm-up that does not count, on a number of
 * executors and, if asked, on one of them, and says what came out of it. The runs stay in the
 * output directory.
 */
public final class ThroughputAction {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Request request;
  private final Function<Map<String, String>, SparkSession> sessions;
  private final Progress progress;

  private ThroughputAction(
      Request request, Function<Map<String, String>, SparkSession> sessions, Progress progress) {
    this.request = request;
    this.sessions = sessions;
    this.progress = progress;
  }

  /**
   * What to measure.
   *
   * @param inputs C1 files; empty to make sparse ones
   * @param sectors how many; 0 for all of {@code inputs}
   * @param sectorSize of the sparse ones
   * @param output a directory that every executor sees, new or of an earlier call
   * @param executors to wait for and use; 0 for those that the cluster gives
   * @param executorCores cores of each of that number, by which a standalone cluster gives them
   * @param compareOne whether to measure one executor too
   * @param pricePerHour of one executor; null for no price
   */
  public record Request(
      List<String> inputs,
      int sectors,
      String sectorSize,
      String parameters,
      String output,
      int executors,
      int executorCores,
      boolean compareOne,
      Double pricePerHour) {}

  /**
   * What was found.
   *
   * @param one of the run with one executor; null without
   * @param failures of the measured runs; their sectors are in no figure
   */
  public record Result(
      RunRates all, RunRates one, List<ProveAction.Failure> failures, String output) {
    /** How much faster the executors were together than one of them; null without comparison. */
    public Double speedup() {
      return one == null ? null : all.partitionsPerSecond() / one.partitionsPerSecond();
    }

    /** The part of the ideal speed-up that was reached; null without comparison. */
    public Double efficiency() {
      return one == null ? null : speedup() / all.executors();
    }

    /** What a sector cost; null without a price. */
    public Double costPerSector(Double pricePerHour) {
      return pricePerHour == null ? null : pricePerHour * all.executors() / all.sectorsPerHour();
    }
  }

  /**
   * Measures.
   *
   * @param sessions opens a session with more settings; this action stops it
   * @throws InvalidInputException if there are too few C1 files, or the parameters are bad
   * @throws InfrastructureException if the executors do not come
   */
  public static Result run(
      Request request, Function<Map<String, String>, SparkSession> sessions, Progress progress) {
    return new ThroughputAction(request, sessions, progress).run();
  }

  private Result run() {
    List<ProveAction.Failure> failures = new ArrayList<>();
    Measured all = measured(request.executors(), settings(), "all", failures);
    RunRates one = null;
    if (request.compareOne()) {
      one = all.executors() == 1 ? all.rates() : measured(1, all.ofOne(), "one", failures).rates();
    }
    return new Result(all.rates(), one, failures, request.output());
  }

  /**
   * A measurement.
   *
   * @param executors that were there
   * @param cores of each
   * @param taskCores of each task
   */
  record Measured(RunRates rates, int executors, int cores, String taskCores) {
    /** What makes one executor that is like each of these. */
    Map<String, String> ofOne() {
      return sized(1, cores, taskCores);
    }
  }

  private Measured measured(
      int executors,
      Map<String, String> settings,
      String name,
      List<ProveAction.Failure> failures) {
    SparkSession spark = sessions.apply(settings);
    try {
      SparkContext context = spark.sparkContext();
      if (context.isLocal() && executors > 1) {
        throw new InvalidInputException(
            executors
                + " executors are asked for, but a local master is one; name a cluster with"
                + " --master ('submit/bin/local-cluster start' makes one)");
      }
      ClusterExecutors cluster = ClusterExecutors.of(context);
      int there = await(executors, cluster);
      int cores = commonCores(cluster.active(), request.compareOne());
      List<String> inputs = inputs(spark);
      int warm = Math.min(inputs.size(), Math.max(1, there));
      progress.note("cuzk: warming up %d executor(s) of %d cores".formatted(there, cores));
      prove(spark, inputs.subList(0, warm), name + "-warm-up");
      ProveAction.Result result = prove(spark, inputs, name);
      failures.addAll(result.failures());
      return new Measured(
          RunRates.read(result.output(), cluster.slots(), context.hadoopConfiguration()),
          there,
          cores,
          context.conf().get("spark.task.cpus", "1"));
    } finally {
      spark.stop();
    }
  }

  /** Waits for the number that was asked for, or for all that the cluster gives. */
  private static int await(int executors, ClusterExecutors cluster) {
    int there = CuzkPlugin.awaitExecutors(Math.max(1, executors), PATIENCE);
    if (executors == 0) {
      cluster.await(PATIENCE, () -> CuzkPlugin.health().executors().size());
      there = CuzkPlugin.health().usable().size();
    }
    if (there < Math.max(1, executors)) {
      throw new InfrastructureException(
          "%d executors are asked for, %d reported ready within %d s%s"
              .formatted(
                  Math.max(1, executors),
                  there,
                  PATIENCE.toSeconds(),
                  CuzkPlugin.health().reasons().isEmpty()
                      ? ""
                      : ": " + CuzkPlugin.health().reasons()));
    }
    return there;
  }

  /**
   * The cores of the executors.
   *
   * @param comparable whether they must all have as many, so that one of them stands for each
   */
  static int commonCores(List<ClusterExecutors.Registered> executors, boolean comparable) {
    TreeSet<Integer> cores = new TreeSet<>();
    executors.forEach(each -> cores.add(each.cores()));
    if (comparable && cores.size() > 1) {
      throw new InvalidInputException(
          "the executors have different numbers of cores (%s): one of them cannot be compared with"
                  .formatted(cores)
              + " all; give them as many each with --conf spark.executor.cores=N");
    }
    return cores.isEmpty() ? 1 : cores.getLast();
  }

  /** None where the cluster is taken as it is. */
  private Map<String, String> settings() {
    return request.executors() == 0
        ? Map.of()
        : sized(request.executors(), request.executorCores(), null);
  }

  /** Standalone clusters give executors by their cores, the others by number. */
  private static Map<String, String> sized(int executors, int cores, String taskCores) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("spark.executor.instances", Integer.toString(executors));
    settings.put("spark.executor.cores", Integer.toString(cores));
    settings.put("spark.cores.max", Integer.toString(executors * cores));
    if (taskCores != null) {
      settings.put("spark.task.cpus", taskCores); // else it would follow the executor's
    }
    return settings;
  }

  private List<String> inputs(SparkSession spark) {
    if (request.inputs().isEmpty()) {
      progress.stage("making C1 files", request.sectors());
      return SparseSectors.make(
          spark,
          new Path(request.output(), "c1").toString(),
          request.sectorSize(),
          request.sectors());
    }
    RunFiles files = new RunFiles(spark.sparkContext().hadoopConfiguration());
    List<String> found =
        InputPaths.resolve(request.inputs(), files).stream()
            .map(InputPaths.InputFile::path)
            .toList();
    if (found.size() < request.sectors()) {
      throw new InvalidInputException(
          "%d sectors are asked for, %s holds %d C1 files"
              .formatted(request.sectors(), String.join(", ", request.inputs()), found.size()));
    }
    return request.sectors() == 0 ? found : found.subList(0, request.sectors());
  }

  private ProveAction.Result prove(SparkSession spark, List<String> inputs, String name) {
    RunFiles files = new RunFiles(spark.sparkContext().hadoopConfiguration());
    Path run = new Path(files.qualify(request.output()), "run-" + name);
    RunDirectory earlier =
        new RunDirectory(run.toString(), spark.sparkContext().hadoopConfiguration());
    if (earlier.isRun()) {
      files.delete(run); // a measurement is of all its sectors
    }
    return ProveAction.on(spark)
        .inputs(inputs)
        .parameters(request.parameters())
        .output(run.toString())
        .progress(progress)
        .build()
        .execute();
  }
}
