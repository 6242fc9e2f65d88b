package io.cuzk.jobs;

import io.cuzk.InvalidInputException;
import io.cuzk.prover.CompiledSynthesis;
import io.cuzk.prover.Synthesis;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  /** {@code spark.cuzk.backend}. */
  public static final Key<String> BACKEND =
      new Key<>(
          PREFIX + "backend",
          "auto",
          "What proves: auto (a device where there is one, else the CPU), cpu or cuda."
              + " A named backend that is not there is an error, never replaced.",
          oneOf("auto", "cpu", "cuda"));

  /** {@code spark.cuzk.threads}. */
  public static final Key<Integer> THREADS =
      new Key<>(
          PREFIX + "threads",
          "0",
          "Compute threads of one task; 0 takes spark.task.cpus.",
          CuzkConf::threads);

  /** {@code spark.cuzk.key}. */
  public static final Key<String> KEY =
      new Key<>(
          PREFIX + "key",
          "auto",
          "What the proving key is read from: auto (the native file that 'cuzk params convert'"
              + " leaves, where there is one, else the .params file), native or params.",
          oneOf("auto", "native", "params"));

  /** {@code spark.cuzk.lock.timeout}. */
  public static final Key<Duration> LOCK_TIMEOUT =
      new Key<>(
          PREFIX + "lock.timeout",
          "30s",
          "How long a run that holds a run directory from another machine must be silent before a"
              + " rerun takes it for dead.",
          value -> duration(value, RunLock.LEAST_TIMEOUT));

  /** {@code spark.cuzk.synthesis}. */
  public static final Key<String> SYNTHESIS =
      new Key<>(
          PREFIX + "synthesis",
          CompiledSynthesis.NAME,
          "How a partition's witness and evaluations are made: compiled (the circuit's blocks are"
              + " compiled once and kept beside the parameters) or reference (linear combinations"
              + " are evaluated as they are built). Both give the same values.",
          oneOf(CompiledSynthesis.NAME, Synthesis.REFERENCE.name()));

  /** All keys, by name. */
  public static final List<Key<?>> KEYS = List.of(BACKEND, KEY, LOCK_TIMEOUT, SYNTHESIS, THREADS);

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|min|h|d)");

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

  private static Integer threads(String value) {
    int number;
    try {
      number = Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("a whole number is expected", e);
    }
    if (number < 0 || number > 4096) {
      throw new IllegalArgumentException("0 to 4096 is expected");
    }
    return number;
  }

  /** As Spark writes durations, but never without a unit. */
  private static Duration duration(String value, Duration least) {
    Matcher written = DURATION.matcher(value.toLowerCase(Locale.ROOT));
    if (!written.matches()) {
      throw new IllegalArgumentException(
          "a whole number with a unit (ms, s, m, min, h or d) is expected, for example 30s");
    }
    long count = Long.parseLong(written.group(1));
    Duration duration =
        switch (written.group(2)) {
          case "ms" -> Duration.ofMillis(count);
          case "s" -> Duration.ofSeconds(count);
          case "m", "min" -> Duration.ofMinutes(count);
          case "h" -> Duration.ofHours(count);
          default -> Duration.ofDays(count);
        };
    if (duration.compareTo(least) < 0) {
      throw new IllegalArgumentException("at least " + least.toMillis() + "ms is expected");
    }
    return duration;
  }

  private static Function<String, String> oneOf(String... allowed) {
    List<String> names = List.of(allowed);
    return value -> {
      if (!names.contains(value)) {
        throw new IllegalArgumentException(
            "one of " + String.join(", ", names) + " is expected" + NearestName.hint(value, names));
      }
      return value;
    };
  }
}
