package io.cuzk.jobs;

import io.cuzk.InvalidInputException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.util.VersionInfo;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/** Writes {@code plan.json} and {@code run.json}: what ran, on what, from what. No secrets. */
final class RunRecord {
  private static final Pattern SECRET =
      Pattern.compile("(?i)secret|password|passwd|token|credential|access[._-]?key|private");

  private final RunDirectory run;
  private final RunPlan plan;
  private final Map<String, Object> record = new LinkedHashMap<>();
  private final Instant started;
  private final SparkContext spark;
  private final String backend;

  RunRecord(
      RunDirectory run,
      RunPlan plan,
      Preflight preflight,
      JobSettings settings,
      CuzkConf conf,
      SparkSession spark,
      List<String> commandLine,
      Instant started) {
    this.run = run;
    this.plan = plan;
    this.spark = spark.sparkContext();
    this.started = started;
    this.backend = preflight.backend();
    record.put("format", RunDirectory.FORMAT);
    record.put("schema_version", ProofRecord.SCHEMA_VERSION);
    record.put("run_id", settings.runId());
    record.put("state", "running");
    record.put("started_at", started.toString());
    record.put("command_line", redact(commandLine));
    record.put("versions", versions(spark));
    record.put("hardware", hardware(spark));
    record.put("configuration", configuration(conf, settings, spark));
    record.put("backend", preflight.backend());
    record.put("device", preflight.device());
    record.put("backend_choice", preflight.choice());
    record.put("synthesis", settings.synthesis());
    record.put("parameters", parameters(preflight));
    record.put("inputs", plan.toJson());
    if (settings.shape() != null) {
      record.put("experiment", "a shape of its own: no chain takes these proofs");
    }
    if (settings.fixedR() != null) {
      record.put("warning", "test randomness: r and s were given; these proofs are not private");
    }
  }

  void begin() {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("format", RunDirectory.FORMAT);
    content.put("schema_version", ProofRecord.SCHEMA_VERSION);
    content.put("run_id", record.get("run_id"));
    content.put("sectors", plan.allToJson());
    run.writePlan(content);
    run.writeRun(record);
  }

  void end(
      List<SectorRecord> sectors,
      int retried,
      List<Map<String, Object>> badDevices,
      boolean provedNow) {
    long verified = sectors.stream().filter(s -> s.state().equals(SectorRecord.VERIFIED)).count();
    Instant ended = Instant.now();
    record.put("state", "finished");
    record.put("ended_at", ended.toString());
    record.put("wall_ns", Duration.between(started, ended).toNanos());
    Map<String, Object> totals = new LinkedHashMap<>();
    totals.put("sectors", sectors.size());
    totals.put("verified", verified);
    totals.put("failed", sectors.size() - verified);
    totals.put("partitions", sectors.stream().mapToInt(SectorRecord::partitions).sum());
    totals.put(
        "partitions_verified", sectors.stream().mapToInt(SectorRecord::partitionsVerified).sum());
    Map<String, Object> kinds = new LinkedHashMap<>();
    for (String kind : PartitionEntry.KINDS) {
      kinds.put(kind, sectors.stream().filter(s -> kind.equals(s.failureKind())).count());
    }
    totals.put("failed_by_kind", kinds);
    totals.put("retried", retried);
    record.put("totals", totals);
    record.put("bad_devices", badDevices);
    record.put(
        "executors",
        ClusterExecutors.of(spark).mostAtOnce(started.toEpochMilli(), backend).toJson());
    run.writeRun(record);
    if (provedNow && verified > 0) {
      throughput().ifPresent(found -> record.put("throughput", found));
      CriticalPath.read(run.root().toString(), spark.hadoopConfiguration())
          .ifPresent(path -> record.put("critical_path", path.toJson()));
      run.writeRun(record);
    }
  }

  /** Of this session, from the datasets that were just written. */
  private Optional<Map<String, Object>> throughput() {
    RunRates rates;
    try {
      rates = RunRates.read(run.root().toString(), spark.hadoopConfiguration());
    } catch (InvalidInputException e) {
      return Optional.empty(); // what was proved now is of sectors that are not whole
    }
    Map<String, Object> throughput = new LinkedHashMap<>();
    throughput.put("partitions", rates.partitions());
    throughput.put("seconds", rates.seconds());
    throughput.put("partitions_per_s", rates.partitionsPerSecond());
    throughput.put("sectors_per_hour", rates.sectorsPerHour());
    throughput.put("executors", rates.executors());
    throughput.put("utilisation", rates.utilisation());
    throughput.put("device_utilisation", rates.deviceUtilisation());
    throughput.put("overhead_fraction", rates.overhead());
    throughput.put(
        "longest_phase",
        rates.phases().entrySet().stream()
            .max(Comparator.comparingDouble(each -> each.getValue().share()))
            .map(Map.Entry::getKey)
            .orElse(null));
    return Optional.of(throughput);
  }

  private static Map<String, Object> versions(SparkSession spark) {
    Map<String, Object> versions = new LinkedHashMap<>();
    String own = RunRecord.class.getPackage().getImplementationVersion();
    versions.put("cuzk", own == null ? "development" : own);
    versions.put("spark", spark.version());
    versions.put("scala", scala.util.Properties.versionNumberString());
    versions.put("hadoop", VersionInfo.getVersion());
    versions.put("java", Runtime.version().toString());
    versions.put("jvm", System.getProperty("java.vm.name"));
    versions.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    return versions;
  }

  private static Map<String, Object> hardware(SparkSession spark) {
    Machine machine = Machine.current();
    Map<String, Object> hardware = new LinkedHashMap<>();
    hardware.put("driver_host", machine.host());
    hardware.put("cpu_model", machine.cpuModel());
    hardware.put("cores", machine.cores());
    hardware.put("memory_bytes", machine.memoryBytes());
    hardware.put("max_heap_bytes", Runtime.getRuntime().maxMemory());
    hardware.put("master", spark.sparkContext().master());
    hardware.put("default_parallelism", spark.sparkContext().defaultParallelism());
    return hardware;
  }

  private static Map<String, Object> configuration(
      CuzkConf conf, JobSettings settings, SparkSession spark) {
    Map<String, Object> all = new TreeMap<>(conf.effective());
    for (var entry : spark.sparkContext().conf().getAll()) {
      if (!SECRET.matcher(entry._1()).find() && !entry._1().endsWith("JavaOptions")) {
        all.put(entry._1(), entry._2());
      }
    }
    all.put("parameters_directory", settings.parameters());
    all.put("threads_per_task", settings.threads());
    all.put("miner", settings.minerId());
    all.put("sector", settings.sectorNumber());
    return all;
  }

  private static List<Map<String, Object>> parameters(Preflight preflight) {
    List<Map<String, Object>> list = new ArrayList<>();
    for (Preflight.KeyFound key : preflight.keys()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("sector_size", key.sectorSize());
      entry.put("name", key.name());
      entry.put("file", key.path());
      entry.put("layout", key.layout());
      entry.put("bytes", key.bytes());
      entry.put("digest", key.digest());
      entry.put("circuit_digest", key.circuitDigest());
      entry.put("verifying_key_sha256", key.verifyingKeySha256());
      list.add(entry);
    }
    return list;
  }

  /** The words as typed, without the values of secret settings and of test randomness. */
  static List<String> redact(List<String> words) {
    List<String> out = new ArrayList<>();
    boolean hideNext = false;
    for (String word : words) {
      int equals = word.indexOf('=');
      boolean randomness = word.startsWith("--test-randomness");
      if (hideNext) {
        out.add("(hidden)");
      } else if (equals > 0 && (randomness || SECRET.matcher(word.substring(0, equals)).find())) {
        out.add(word.substring(0, equals + 1) + "(hidden)");
      } else {
        out.add(word);
      }
      hideNext = !hideNext && randomness && equals < 0;
    }
    return out;
  }
}
