package io.cuzk.jobs.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.jobs.Progress;
import io.cuzk.jobs.ProveAction;
import io.cuzk.jobs.RunStatus;
import io.cuzk.jobs.SparkSessions;
import io.cuzk.jobs.VerifyAction;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/**
 * Runs over {@link SmallSectors} with a {@link TrapdoorKey}, on one executor whose device is a
 * {@link FaultyBackend}.
 */
public final class SmallRuns {
  private SmallRuns() {}

  /**
   * A session of two cores.
   *
   * @param settings keys and values by turns, beside or in the place of the usual ones
   */
  public static SparkSession open(String... settings) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("spark.cuzk.backend", FaultyBackend.NAME);
    all.put("spark.cuzk.shape", SmallSectors.SHAPE);
    all.put("spark.cuzk.selftest", "never"); // a real proof in each session
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    return SparkSessions.openToProve("test", "local[2]", all);
  }

  /** Proves what lies at {@code input}, in a session that is there. */
  public static ProveAction.Result prove(
      SparkSession spark, String input, Path parameters, String output, Progress progress) {
    return ProveAction.on(spark)
        .inputs(List.of(input))
        .parameters(parameters.toString())
        .output(output)
        .miner(1000L)
        .progress(progress)
        .build()
        .execute();
  }

  /** What another pass says of a run's proofs. */
  static VerifyAction.Result verify(SparkSession spark, Path parameters, String run) {
    return VerifyAction.on(spark).run(run).parameters(parameters.toString()).build().execute();
  }

  /** Proves in a session of its own, and has verified whatever is said to be proved. */
  static ProveAction.Result prove(
      String input, Path parameters, String output, Progress progress, String... settings) {
    SparkSession spark = open(settings);
    try {
      ProveAction.Result result = prove(spark, input, parameters, output, progress);
      if (result.verified() > 0) {
        VerifyAction.Result verified = verify(spark, parameters, output);
        RunStatus status = RunStatus.read(output, spark.sparkContext().hadoopConfiguration());
        assertThat(verified.verified()).isEqualTo(status.verified());
        assertThat(verified.rejected()).isZero();
      }
      return result;
    } finally {
      spark.stop();
    }
  }
}
