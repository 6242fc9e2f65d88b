package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.prover.ProverBackends;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Proves sectors: C1 files in; verified proofs, timings and outcomes out, as Parquet under a run
 * directory, and one {@code .proof} file a sector.
 *
 * <p>One Spark task proves one (sector, partition), sectors in the order given. Before the first
 * proof every file is read and checked, the backend probed, and the parameters opened. A file that
 * cannot be proved ends as a record with its reason; nothing else does. Run again on the same
 * directory, it proves what is missing; while another run works there, it is refused.
 */
public final class ProveAction {
  private final Builder with;
  private final SparkSession spark;
  private final JavaSparkContext context;
  private final CuzkConf conf;
  private final RunDirectory run;

  private ProveAction(Builder with) {
    this.with = with;
    this.spark = with.spark;
    this.context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    this.conf = CuzkConf.of(spark.sparkContext().conf());
    this.run = new RunDirectory(with.output, context.hadoopConfiguration());
  }

  /** A builder over a session; see {@link SparkSessions}. */
  public static Builder on(SparkSession spark) {
    return new Builder(spark);
  }

  /** Collects what to prove, with what, where to. */
  public static final class Builder {
    private final SparkSession spark;
    private List<String> inputs = List.of();
    private String parameters;
    private String output;
    private Long minerId;
    private Long sectorNumber;
    private byte[] fixedR;
    private byte[] fixedS;
    private List<String> commandLine = List.of();
    private Progress progress = Progress.NONE;

    private Builder(SparkSession spark) {
      this.spark = Objects.requireNonNull(spark, "spark");
    }

    /** C1 files, directories or globs, on any Hadoop file system. */
    public Builder inputs(List<String> paths) {
      inputs = List.copyOf(paths);
      return this;
    }

    /**
     * The directory of parameter files, as every executor sees it; or one on a Hadoop file system,
     * from which every host fetches them.
     */
    public Builder parameters(String directory) {
      parameters = directory;
      return this;
    }

    /** The run directory, new or an earlier run's. */
    public Builder output(String directory) {
      output = directory;
      return this;
    }

    /** The miner that every file's replica_id is checked against. */
    public Builder miner(Long id) {
      minerId = id;
      return this;
    }

    /** The sector number that the one file's replica_id is checked against. */
    public Builder sector(Long number) {
      sectorNumber = number;
      return this;
    }

    /** For tests only: r and s, 32 bytes little-endian each, for every proof. */
    public Builder testRandomness(byte[] r, byte[] s) {
      fixedR = r.clone();
      fixedS = s.clone();
      return this;
    }

    /** What the user typed, for the record. Values of secret settings are left out. */
    public Builder commandLine(List<String> words) {
      commandLine = List.copyOf(words);
      return this;
    }

    /** Who is told how far the run is. */
    public Builder progress(Progress listener) {
      progress = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /**
     * The action.
     *
     * @throws IllegalArgumentException if inputs, parameters or output are not set
     */
    public ProveAction build() {
      if (inputs.isEmpty() || parameters == null || output == null) {
        throw new IllegalArgumentException("inputs, parameters and output are needed");
      }
      return new ProveAction(this);
    }
  }

  /** A sector that was not proved. */
  public record Failure(String sector, String input, String kind, String reason) {}

  /**
   * How a run ended.
   *
   * @param verified sectors with all their proofs, those found done included
   * @param provedNow sectors of which this call proved a partition
   * @param foundDone sectors that an earlier call had finished
   * @param partitionsProved by this call
   * @param sectors the record of every sector that was asked for
   * @param retried tries of partitions that were given to another device after a bad proof or
   *     device
   * @param badDevices by name, each with {@code suspect} or {@code excluded}
   */
  public record Result(
      String runId,
      String output,
      int verified,
      int failed,
      int provedNow,
      int foundDone,
      int partitions,
      int partitionsProved,
      int partitionsFoundDone,
      String backend,
      String device,
      boolean replicaIdsChecked,
      Duration wall,
      List<SectorRecord> sectors,
      List<Failure> failures,
      int retried,
      List<String> badDevices) {
    /** Failed sectors by kind, every kind named. */
    public Map<String, Integer> failuresByKind() {
      Map<String, Integer> count = new LinkedHashMap<>();
      for (String kind : PartitionEntry.KINDS) {
        count.put(kind, 0);
      }
      failures.forEach(failure -> count.merge(failure.kind(), 1, Integer::sum));
      return count;
    }
  }

  /**
   * Runs it.
   *
   * @throws InvalidInputException for whatever makes the run as a whole impossible; nothing was
   *     written then
   * @throws InfrastructureException if there is no such backend, no space, no cluster, or another
   *     run at work in the directory
   */
  public Result execute() {
    Progress told = with.progress;
    try (LiveMetrics live = LiveMetrics.open(conf, spark, told)) {
      with.progress = live;
      return executeWatched();
    } finally {
      with.progress = told;
    }
  }

  private Result executeWatched() {
    Instant started = Instant.now();
    String runId = UUID.randomUUID().toString();
    requireKnownBackend();
    List<InputPaths.InputFile> files = InputPaths.resolve(with.inputs, run.files());
    if (with.sectorNumber != null && files.size() > 1) {
      throw new InvalidInputException(
          "one sector number was given for " + files.size() + " C1 files");
    }
    boolean made = run.prepare();
    boolean begun = false;
    try (RunLock lock = lock(runId, started)) {
      JobSettings wanted = settings(runId, conf.value(CuzkConf.BACKEND));
      List<SectorScan> scans =
          new ClusterScan(spark, run.files(), with.progress).scan(files, wanted);
      RunPlan plan = RunPlan.of(scans, RunPlan.read(run.readPlan()));
      Preflight preflight = preflight(wanted, plan.sectorSizes());
      with.progress.note(preflight.choice());
      IneffectiveKeys.refuse(
          conf, spark.sparkContext().conf(), preflight.backend(), with.parameters);
      MissingPartitions missing =
          MissingPartitions.of(run, plan, preflight, conf.value(CuzkConf.STALE));
      RunSpace.require(run.files(), run.root(), missing.tasks().size());
      begun = true;
      try {
        return prove(plan, missing, preflight, settings(runId, preflight.backend()), started, lock);
      } catch (RuntimeException e) {
        throw lock.explain(e);
      }
    } finally {
      if (made && !begun) {
        run.removeIfEmpty();
      }
    }
  }

  private RunLock lock(String runId, Instant started) {
    LockHolder holder = LockHolder.current(runId, started, conf.value(CuzkConf.LOCK_TIMEOUT));
    return RunLock.take(run, holder, with.progress, () -> context.cancelJobGroup(runId));
  }

  private JobSettings settings(String runId, String backend) {
    String shape = conf.value(CuzkConf.SHAPE);
    return new JobSettings(
        runId,
        run.root().toString(),
        with.parameters,
        conf.value(CuzkConf.PARAMS_CACHE),
        backend,
        conf.value(CuzkConf.KEY),
        conf.value(CuzkConf.SYNTHESIS),
        conf.threads(spark.sparkContext().conf()),
        shape.equals("none") ? null : shape,
        conf.value(CuzkConf.MEMORY_BUDGET),
        conf.value(CuzkConf.DEVICE_TIMEOUT).toMillis(),
        System.currentTimeMillis(),
        with.minerId,
        with.sectorNumber,
        with.fixedR,
        with.fixedS);
  }

  private Preflight preflight(JobSettings settings, List<String> sectorSizes) {
    context.setJobGroup(settings.runId(), "cuzk: preflight");
    with.progress.stage("opening parameters", 0);
    return ClusterPreflight.look(spark, settings, sectorSizes, with.progress);
  }

  /** A backend whose module is missing here is missing everywhere: found before any work. */
  private void requireKnownBackend() {
    String wanted = conf.value(CuzkConf.BACKEND);
    if (!wanted.equals(ProverBackends.AUTO)
        && ProverBackends.providers().stream().noneMatch(p -> p.name().equals(wanted))) {
      ProverBackends.choose(wanted);
    }
  }

  /** Sees to the files of all sectors; returns those that do not have all their proofs. */
  private Set<String> incomplete(RunPlan plan) {
    List<RunPlan.PlannedSector> sectors =
        plan.all().stream().filter(RunPlan.PlannedSector::provable).toList();
    List<Boolean> complete =
        Concurrently.map(
            sectors, sector -> run.completeProofFile(sector.name(), sector.scan().partitions()));
    Set<String> incomplete = new HashSet<>();
    for (int i = 0; i < sectors.size(); i++) {
      if (!complete.get(i)) {
        incomplete.add(sectors.get(i).name());
      }
    }
    return incomplete;
  }

  private Result prove(
      RunPlan plan,
      MissingPartitions missing,
      Preflight preflight,
      JobSettings settings,
      Instant started,
      RunLock lock) {
    RunRecord record =
        new RunRecord(run, plan, preflight, settings, conf, spark, with.commandLine, started);
    lock.requireHeld();
    record.begin();
    new DatasetPlaces(run).heal();
    missing.stale().forEach(run::forget);
    Concurrently.map(plan.provable(), sector -> run.forgetFailures(sector.name()));
    CuzkPlugin.beginRun();
    ProvingWaves waves =
        new ProvingWaves(spark, run, settings, conf, with.progress, lock::requireHeld);
    Datasets datasets = new Datasets(spark, run);
    if (!missing.tasks().isEmpty()) {
      waves.run(missing.tasks(), () -> datasets.commitSoFar(plan, settings.runId()));
    }
    Map<String, String> lost = waves.reported().missing(run, incomplete(plan));
    lost.values().stream()
        .limit(5) // all are in the sectors' records
        .forEach(with.progress::note);
    lock.requireHeld();
    with.progress.stage("writing datasets", 0);
    List<SectorRecord> all =
        datasets.commit(
            plan, settings.runId(), sector -> lost.getOrDefault(sector, waves.stopped()));
    List<SectorRecord> sectors = all.subList(0, plan.sectors().size());
    List<Map<String, Object>> devices = CuzkPlugin.health().toJson();
    boolean provedNow =
        sectors.stream().mapToInt(SectorRecord::partitionsVerified).sum()
            > missing.partitionsDone();
    record.end(all, waves.retried(), devices, provedNow);
    List<Failure> failures = new ArrayList<>();
    for (SectorRecord sector : sectors) {
      if (sector.state().equals(SectorRecord.FAILED)) {
        failures.add(
            new Failure(
                sector.sector(), sector.inputPath(), sector.failureKind(), sector.reason()));
      }
    }
    return new Result(
        settings.runId(),
        run.show(),
        sectors.size() - failures.size(),
        failures.size(),
        missing.sectorsToProve(),
        missing.sectorsDone(),
        missing.partitions(),
        sectors.stream().mapToInt(SectorRecord::partitionsVerified).sum()
            - missing.partitionsDone(),
        missing.partitionsDone(),
        preflight.backend(),
        preflight.device(),
        sectors.stream().allMatch(SectorRecord::replicaIdChecked),
        Duration.between(started, Instant.now()),
        sectors,
        failures,
        waves.retried(),
        devices.stream().map(device -> device.get("device") + " " + device.get("state")).toList());
  }
}
