package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
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
   * @param executors to wait for and use; 0 for those that are there
   * @param executorCores cores of each, by which a standalone cluster gives them
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
    RunRates all = measured(request.executors(), "all", failures);
    RunRates one = null;
    if (request.compareOne()) {
      one = all.executors() == 1 ? all : measured(1, "one", failures);
    }
    return new Result(all, one, failures, request.output());
  }

  private RunRates measured(int executors, String name, List<ProveAction.Failure> failures) {
    SparkSession spark = sessions.apply(settings(executors));
    try {
      SparkContext context = spark.sparkContext();
      if (context.isLocal() && executors > 1) {
        throw new InvalidInputException(
            executors
                + " executors are asked for, but a local master is one; name a cluster with"
                + " --master ('submit/bin/local-cluster start' makes one)");
      }
      int there = CuzkPlugin.awaitExecutors(Math.max(1, executors), PATIENCE);
      if (there < executors) {
        throw new InfrastructureException(
            "%d executors are asked for, %d reported ready within %d s%s"
                .formatted(
                    executors,
                    there,
                    PATIENCE.toSeconds(),
                    CuzkPlugin.health().reasons().isEmpty()
                        ? ""
                        : ": " + CuzkPlugin.health().reasons()));
      }
      List<String> inputs = inputs(spark);
      int warm = Math.min(inputs.size(), Math.max(1, there));
      progress.note("cuzk: warming up %d executor(s)".formatted(there));
      prove(spark, inputs.subList(0, warm), name + "-warm-up");
      ProveAction.Result result = prove(spark, inputs, name);
      failures.addAll(result.failures());
      return RunRates.read(result.output(), slots(context.conf()), context.hadoopConfiguration());
    } finally {
      spark.stop();
    }
  }

  /** Standalone clusters give executors by their cores, the others by number. */
  private Map<String, String> settings(int executors) {
    Map<String, String> settings = new LinkedHashMap<>();
    if (executors > 0) {
      settings.put("spark.executor.instances", Integer.toString(executors));
      settings.put("spark.executor.cores", Integer.toString(request.executorCores()));
      settings.put("spark.cores.max", Integer.toString(executors * request.executorCores()));
    }
    return settings;
  }

  /** Tasks that run at once on one executor. */
  static int slots(SparkConf conf) {
    int task = Integer.parseInt(conf.get("spark.task.cpus", "1"));
    String master = conf.get("spark.master");
    int comma = master.indexOf(',');
    int cores =
        master.startsWith("local[") && comma > 0
            ? Integer.parseInt(master.substring(6, comma))
            : Integer.parseInt(conf.get("spark.executor.cores", Integer.toString(task)));
    return Math.max(1, cores / task);
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
