package io.cuzk.jobs;

import io.cuzk.CuzkException;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.ProofFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
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

  /** How much later than the first executors of a cluster others may come. */
  private static final Duration LATE = Duration.ofSeconds(15);

  private final Request request;
  private final Function<Map<String, String>, SparkSession> sessions;
  private final Progress progress;
  private MeasurementDirectory directory;

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
   * @param executorCores cores of each of that number, by which a standalone cluster gives them; 0
   *     for as many as its workers have for so many
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
   * @param sectors what was proved in the run of all
   * @param clocks of its executors
   * @param failures of the measured runs; their sectors are in no figure
   */
  public record Result(
      RunRates all,
      RunRates one,
      List<SectorKind> sectors,
      ClockSkew clocks,
      List<ProveAction.Failure> failures,
      String output) {
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
   * @throws InfrastructureException if the executors do not come, or another measurement is at work
   *     in the directory
   * @throws CuzkException of the worst kind of its failures, if a run verified nothing
   */
  public static Result run(
      Request request, Function<Map<String, String>, SparkSession> sessions, Progress progress) {
    return new ThroughputAction(request, sessions, progress).run();
  }

  private Result run() {
    try {
      List<ProveAction.Failure> failures = new ArrayList<>();
      Measured all = measured(request.executors(), this::session, "all", failures);
      RunRates one = null;
      if (request.compareOne()) {
        one =
            all.executors() == 1
                ? all.rates()
                : measured(1, () -> sessions.apply(all.ofOne()), "one", failures).rates();
      }
      return new Result(all.rates(), one, all.sectors(), all.clocks(), failures, request.output());
    } finally {
      if (directory != null) {
        directory.close();
      }
    }
  }

  /**
   * A measurement.
   *
   * @param executors that were there
   * @param cores of each
   * @param taskCores of each task
   */
  record Measured(
      RunRates rates,
      List<SectorKind> sectors,
      ClockSkew clocks,
      int executors,
      int cores,
      String taskCores) {
    /** What makes one executor that is like each of these. */
    Map<String, String> ofOne() {
      return ExecutorSizing.sized(1, cores, taskCores);
    }
  }

  /** A session with the executors that are asked for, or with those that the cluster gives. */
  private SparkSession session() {
    int wanted = request.executors();
    if (wanted == 0) {
      return sessions.apply(Map.of());
    }
    if (request.executorCores() > 0) {
      return sessions.apply(ExecutorSizing.sized(wanted, request.executorCores(), null));
    }
    SparkSession spark = sessions.apply(Map.of(ExecutorSizing.INSTANCES, Integer.toString(wanted)));
    String master = spark.sparkContext().master();
    if (!master.startsWith("spark://") && !master.startsWith("local-cluster[")) {
      return spark; // elsewhere executors are made to order, not taken from workers
    }
    List<Integer> given;
    int cores;
    try {
      given = given(ClusterExecutors.of(spark.sparkContext()), wanted);
      cores = ExecutorSizing.fitting(given, wanted);
    } catch (RuntimeException e) {
      spark.stop();
      throw e;
    }
    progress.note(
        "%s is not set; the cluster gives executors of %s cores: %d of %d each are taken"
            .formatted(ExecutorSizing.CORES, given, wanted, cores));
    if (given.size() == wanted && given.stream().allMatch(each -> each == 1)) {
      return spark;
    }
    spark.stop();
    return sessions.apply(ExecutorSizing.sized(wanted, cores, null));
  }

  /** The cores of those that come unasked; if they are too few, the late ones are waited for. */
  private static List<Integer> given(ClusterExecutors cluster, int wanted) {
    cluster.await(PATIENCE, () -> cluster.active().size());
    cluster.await(LATE, () -> cluster.active().size() < wanted ? 0 : cluster.active().size());
    return cluster.active().stream().map(ClusterExecutors.Registered::cores).toList();
  }

  private Measured measured(
      int executors, Supplier<SparkSession> open, String name, List<ProveAction.Failure> failures) {
    SparkSession spark = open.get();
    try {
      SparkContext context = spark.sparkContext();
      if (context.isLocal() && executors > 1) {
        throw new InvalidInputException(
            executors
                + " executors are asked for, but a local master is one; name a cluster with"
                + " --master ('submit/bin/local-cluster start' makes one)");
      }
      Configuration hadoop = context.hadoopConfiguration();
      if (directory == null) {
        directory =
            MeasurementDirectory.open(
                request.output(),
                hadoop,
                CuzkConf.of(context.conf()).value(CuzkConf.LOCK_TIMEOUT),
                progress);
      }
      ClusterExecutors cluster = ClusterExecutors.of(context);
      int there = await(executors, cluster);
      int cores = ExecutorSizing.commonCores(cluster.active(), request.compareOne());
      List<String> inputs = inputs(spark);
      int warm = Math.min(inputs.size(), Math.max(1, there));
      progress.note(
          "warming up %d executor(s) of %d core(s), %d proof(s) at once each"
              .formatted(there, cores, ClusterExecutors.slots(cores, context.conf())));
      prove(spark, inputs.subList(0, warm), name + "-warm-up");
      ClockSkew clocks = ClockSkew.measure(spark);
      ProveAction.Result result = prove(spark, inputs, name);
      failures.addAll(result.failures());
      return new Measured(
          RunRates.read(result.output(), hadoop),
          SectorKind.of(RunData.open(result.output(), hadoop)),
          clocks,
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
    ProveAction.Result result =
        ProveAction.on(spark)
            .inputs(inputs)
            .parameters(request.parameters())
            .output(directory.fresh("run-" + name))
            .progress(progress)
            .build()
            .execute();
    if (result.verified() == 0) {
      throw nothingVerified("run-" + name, result.failures());
    }
    return result;
  }

  /** A run without a proof has no rate, and a warm-up without one warmed nothing. */
  static CuzkException nothingVerified(String name, List<ProveAction.Failure> failures) {
    ProveAction.Failure worst =
        Collections.max(failures, Comparator.comparingInt(each -> rank(each.kind())));
    String message =
        "%s proved nothing that verified, %d sectors failed; %s: %s"
            .formatted(name, failures.size(), worst.input(), worst.reason());
    return switch (worst.kind()) {
      case PartitionEntry.INPUT -> new InvalidInputException(message);
      case PartitionEntry.PROOF -> new ProofFailedException(message);
      default -> new InfrastructureException(message);
    };
  }

  /** As the exit codes are ordered. */
  private static int rank(String kind) {
    return switch (kind) {
      case PartitionEntry.INPUT -> 0;
      case PartitionEntry.PROOF -> 1;
      default -> 2;
    };
  }
}
