package io.cuzk.submit;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.CuzkConf;
import io.cuzk.jobs.SparkSessions;
import io.cuzk.prover.ProverBackends;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where Spark runs and how it is set. */
final class SparkOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--master",
      paramLabel = "URL",
      description = {
        "Spark master, e.g. local[4], spark://host:7077, yarn.",
        "Default: what spark-submit set, else local[*]: one proof at a time on all cores."
      })
  private String master;

  @Option(
      names = "--conf",
      paramLabel = "K=V",
      description = "A Spark or spark.cuzk.* setting; may be repeated.")
  private List<String> settings = new ArrayList<>();

  /** Settings by key; bad ones end in a usage error. */
  Map<String, String> settings() {
    Map<String, String> map = new LinkedHashMap<>();
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      if (equals <= 0) {
        throw new ParameterException(
            spec.commandLine(), "--conf " + setting + ": KEY=VALUE is expected");
      }
      map.put(setting.substring(0, equals).strip(), setting.substring(equals + 1).strip());
    }
    Map<String, String> own = new TreeMap<>(map);
    own.keySet().removeIf(key -> !key.startsWith(CuzkConf.PREFIX));
    try {
      CuzkConf.of(own);
    } catch (InvalidInputException e) {
      throw new ParameterException(spec.commandLine(), "--conf: " + e.getMessage(), e);
    }
    return map;
  }

  /**
   * Runs something that proves nothing in a session with these settings and then {@code more}, and
   * stops it. This program's keys are about proving: there they are refused.
   */
  <T> T inSession(String application, Map<String, String> more, Function<SparkSession, T> body) {
    for (String key : settings().keySet()) {
      if (key.startsWith(CuzkConf.PREFIX)) {
        throw new ParameterException(
            spec.commandLine(), "--conf " + key + ": does nothing where nothing is proved");
      }
    }
    return in(SparkSessions.open(application, master, all(more)), body);
  }

  /** The same for something that proves. */
  <T> T proving(String application, Map<String, String> more, Function<SparkSession, T> body) {
    return in(openToProve(application, more), body);
  }

  /** A session that proves, for the caller to stop. */
  SparkSession openToProve(String application, Map<String, String> more) {
    requireBackend(all(more));
    return SparkSessions.openToProve(application, master, all(more));
  }

  /**
   * Where this machine proves, a backend that it lacks is told before Spark is up. On a cluster the
   * executors are asked: the driver's machine needs no device.
   */
  private void requireBackend(Map<String, String> all) {
    String where = master;
    for (String other :
        new String[] {all.get("spark.master"), System.getProperty("spark.master")}) {
      where = where == null ? other : where;
    }
    String backend = all.get(CuzkConf.BACKEND.name());
    boolean here = where == null || where.startsWith("local");
    if (here && backend != null && !backend.equals(ProverBackends.AUTO)) {
      ProverBackends.choose(backend);
    }
  }

  private Map<String, String> all(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(settings());
    all.putAll(more);
    submitJar().ifPresent(jar -> all.putIfAbsent("spark.jars", jar));
    return all;
  }

  /**
   * What executors of a cluster need of this program. Under spark-submit, and on a local master,
   * nothing is to be sent.
   */
  private Optional<String> submitJar() {
    String home = System.getProperty("cuzk.home");
    if (master == null || master.startsWith("local") || home == null) {
      return Optional.empty();
    }
    Path jar = Path.of(home, "cuzk-spark-submit.jar");
    return System.getProperty("spark.jars") == null && Files.exists(jar)
        ? Optional.of(jar.toUri().toString())
        : Optional.empty();
  }

  private static <T> T in(SparkSession session, Function<SparkSession, T> body) {
    try {
      return body.apply(session);
    } finally {
      session.stop();
    }
  }
}
