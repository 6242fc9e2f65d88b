package io.cuzk.jobs;

import io.cuzk.InvalidInputException;
import io.cuzk.prover.CompiledSynthesis;
import io.cuzk.prover.HostPinning;
import io.cuzk.prover.Synthesis;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.spark.SparkConf;

/**
 * The job's configuration: every key under {@code spark.cuzk.}, typed, with default and doc.
 * Unknown keys and unparsable values are refused. Immutable and thread-safe.
 */
public final class CuzkConf {
  /** The prefix of every key. */
  public static final String PREFIX = "spark.cuzk.";

  /**
   * One key.
   *
   * @param name with the prefix
   * @param byDefault as it would be written
   * @param doc one sentence
   * @param parser of a written value; throws IllegalArgumentException with what is expected
   */
  public record Key<T>(String name, String byDefault, String doc, Function<String, T> parser) {}

  /** {@code spark.cuzk.attempts}. */
  public static final Key<Integer> ATTEMPTS =
      new Key<>(
          PREFIX + "attempts",
          "3",
          "How often a partition is tried whose proofs do not verify or whose devices fail, each"
              + " time on another device while there is one. Trouble with the machine is tried"
              + " again by Spark, up to spark.task.maxFailures.",
          value -> ConfValues.number(value, 1, 100));

  /** {@code spark.cuzk.backend}. */
  public static final Key<String> BACKEND =
      new Key<>(
          PREFIX + "backend",
          "auto",
          "What proves: auto (a device where there is one, else the CPU; executors for which that"
              + " differs are refused, so name one for them), cpu or cuda."
              + " A named backend that is not there is an error, never replaced.",
          ConfValues::backend);

  /** {@code spark.cuzk.cuda.pinning}. */
  public static final Key<HostPinning> CUDA_PINNING =
      new Key<>(
          PREFIX + "cuda.pinning",
          "ring",
          "How host memory is page-locked that feeds a CUDA device: ring (a few blocks, once),"
              + " none, or register (all that a proof sends, for that proof: what the original did"
              + " first, to be measured against).",
          value ->
              HostPinning.find(
                      ConfValues.oneOf(HostPinning.labels().toArray(String[]::new)).apply(value))
                  .orElseThrow());

  /** {@code spark.cuzk.device.timeout}. */
  public static final Key<Duration> DEVICE_TIMEOUT =
      new Key<>(
          PREFIX + "device.timeout",
          "10min",
          "How long a device may take for one proof, or a driver to open it. One that takes longer"
              + " hangs: its partition goes to another, its executor is replaced; a device that"
              + " hangs again, or does not open, is excluded. The key before a device's first proof"
              + " has a second more for each 20 MB.",
          value -> ConfValues.duration(value, Duration.ofSeconds(1)));

  /** {@code spark.cuzk.threads}. */
  public static final Key<Integer> THREADS =
      new Key<>(
          PREFIX + "threads",
          "0",
          "Compute threads of one task; 0 takes spark.task.cpus.",
          value -> ConfValues.number(value, 0, 4096));

  /** {@code spark.cuzk.key}. */
  public static final Key<String> KEY =
      new Key<>(
          PREFIX + "key",
          "auto",
          "What the proving key is read from: auto (the native file that 'cuzk params convert'"
              + " leaves, where there is one, else the .params file), native or params.",
          ConfValues.oneOf("auto", "native", "params"));

  /** {@code spark.cuzk.lock.timeout}. */
  public static final Key<Duration> LOCK_TIMEOUT =
      new Key<>(
          PREFIX + "lock.timeout",
          "30s",
          "How long a run that holds a run directory from another machine must be silent before a"
              + " rerun takes it for dead.",
          value -> ConfValues.duration(value, RunLock.LEAST_TIMEOUT));

  /** {@code spark.cuzk.memory.budget}. */
  public static final Key<Long> MEMORY_BUDGET =
      new Key<>(
          PREFIX + "memory.budget",
          "auto",
          "What the assignments and vectors of all proofs of one executor may take: auto (three"
              + " quarters of the heap, or less where the container's limit is lower; see Sizing in"
              + " operations.md), or a size such as 24GiB. A partition waits until it fits; one"
              + " that never can fails at once.",
          value -> value.equals("auto") ? 0L : ConfValues.size(value));

  /** {@code spark.cuzk.metrics.prometheus}. */
  public static final Key<Optional<InetSocketAddress>> METRICS_PROMETHEUS =
      new Key<>(
          PREFIX + "metrics.prometheus",
          "off",
          "Where the driver serves its metrics for Prometheus, under /metrics, while a run goes on:"
              + " HOST:PORT, a port alone on loopback (0: any that is free), or off.",
          ConfValues::address);

  /** {@code spark.cuzk.params.cache}. */
  public static final Key<String> PARAMS_CACHE =
      new Key<>(
          PREFIX + "params.cache",
          "~/.cache/cuzk/params",
          "Where each host keeps its copy of parameters that lie on a Hadoop file system (--params"
              + " hdfs://...): an absolute path, or one that begins with ~/. They are fetched once,"
              + " by one process, and checked.",
          ConfValues::localDirectory);

  /** {@code spark.cuzk.selftest}. */
  public static final Key<String> SELFTEST =
      new Key<>(
          PREFIX + "selftest",
          "auto",
          "Whether an executor proves the built-in known-answer circuit on each of its devices when"
              + " it starts: auto (not on the CPU of a local master), always or never.",
          ConfValues.oneOf("auto", "always", "never"));

  /** {@code spark.cuzk.shape}. */
  public static final Key<String> SHAPE =
      new Key<>(
          PREFIX + "shape",
          "none",
          "For experiments: the shape of the C1 files' sectors, written"
              + " nodes=N,tree=8-8-0,layers=L,partitions=P,challenges=C, in the place of what their"
              + " size implies. No chain takes such proofs.",
          ConfValues::shape);

  /** {@code spark.cuzk.stale}. */
  public static final Key<String> STALE =
      new Key<>(
          PREFIX + "stale",
          StaleProofs.REFUSE,
          "What becomes of proofs in the run directory that were made of the same C1 files with"
              + " another key or circuit: refuse (the run ends before it begins and changes"
              + " nothing), replace (they are deleted and proved anew) or keep (those made with the"
              + " same key, by another version of the circuit, are done; those of another key are"
              + " refused).",
          ConfValues.oneOf(StaleProofs.REFUSE, StaleProofs.REPLACE, StaleProofs.KEEP));

  /** {@code spark.cuzk.synthesis}. */
  public static final Key<String> SYNTHESIS =
      new Key<>(
          PREFIX + "synthesis",
          CompiledSynthesis.NAME,
          "How a partition's witness and evaluations are made: compiled (the circuit's blocks are"
              + " compiled once and kept beside the parameters) or reference (linear combinations"
              + " are evaluated as they are built). Both give the same values.",
          ConfValues.oneOf(CompiledSynthesis.NAME, Synthesis.REFERENCE.name()));

  /** {@code spark.cuzk.wave}. */
  public static final Key<Integer> WAVE =
      new Key<>(
          PREFIX + "wave",
          "10000",
          "How many partitions are given to Spark at a time. After that many the datasets are"
              + " written, so that a long run can be looked at before its end; and executors wait"
              + " for the last one of them.",
          value -> ConfValues.number(value, 1, 1_000_000));

  /** All keys, by name. */
  public static final List<Key<?>> KEYS =
      List.of(
          ATTEMPTS,
          BACKEND,
          CUDA_PINNING,
          DEVICE_TIMEOUT,
          KEY,
          LOCK_TIMEOUT,
          MEMORY_BUDGET,
          METRICS_PROMETHEUS,
          PARAMS_CACHE,
          SELFTEST,
          SHAPE,
          STALE,
          SYNTHESIS,
          THREADS,
          WAVE);

  private final Map<String, String> written;

  private CuzkConf(Map<String, String> written) {
    this.written = written;
  }

  /**
   * The configuration in Spark's.
   *
   * @throws InvalidInputException naming an unknown key and the nearest one, or a bad value
   */
  public static CuzkConf of(SparkConf spark) {
    Map<String, String> values = new TreeMap<>();
    for (var entry : spark.getAllWithPrefix(PREFIX)) {
      values.put(PREFIX + entry._1(), entry._2());
    }
    return of(values);
  }

  /** The configuration in a map whose keys all carry the prefix; as above. */
  public static CuzkConf of(Map<String, String> values) {
    List<String> names = KEYS.stream().map(Key::name).map(String.class::cast).toList();
    Map<String, String> copy = new TreeMap<>(values);
    copy.forEach(
        (name, value) -> {
          Key<?> key =
              KEYS.stream()
                  .filter(known -> known.name().equals(name))
                  .findFirst()
                  .orElseThrow(
                      () ->
                          new InvalidInputException(
                              "unknown configuration key "
                                  + name
                                  + NearestName.hint(name, names)
                                  + " (known: "
                                  + String.join(", ", names)
                                  + ")"));
          parse(key, value);
        });
    return new CuzkConf(copy);
  }

  /** The value of a key, or its default. */
  public <T> T value(Key<T> key) {
    return parse(key, written.getOrDefault(key.name(), key.byDefault()));
  }

  /** Whether somebody set a key, be it to its default. */
  boolean isSet(Key<?> key) {
    return written.containsKey(key.name());
  }

  /** Compute threads of one task. */
  int threads(SparkConf spark) {
    int threads = value(THREADS);
    return threads == 0 ? Integer.parseInt(spark.get("spark.task.cpus", "1")) : threads;
  }

  /** Every key with its value, defaults included, for the run's record. */
  public Map<String, String> effective() {
    Map<String, String> all = new TreeMap<>();
    for (Key<?> key : KEYS) {
      all.put(key.name(), written.getOrDefault(key.name(), key.byDefault()));
    }
    return all;
  }

  private static <T> T parse(Key<T> key, String value) {
    try {
      return key.parser().apply(value.strip());
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(
          key.name() + "=" + value + ": " + e.getMessage() + ". " + key.doc(), e);
    }
  }
}
