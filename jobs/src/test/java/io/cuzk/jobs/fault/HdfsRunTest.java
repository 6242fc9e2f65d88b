package io.cuzk.jobs.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import io.cuzk.jobs.CustomShape;
import io.cuzk.jobs.Progress;
import io.cuzk.jobs.ProveAction;
import io.cuzk.jobs.VerifyAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose C1 files and run directory are in HDFS, on one executor. */
@Timeout(300)
class HdfsRunTest {
  @TempDir private static Path temp;

  private static SmallHdfs hdfs;
  private static SparkSession spark;

  @BeforeAll
  static void start() throws IOException {
    hdfs = SmallHdfs.start(temp.resolve("hdfs"));
    TrapdoorKey.write(temp.resolve("params"), CustomShape.parse(SmallSectors.SHAPE));
    SmallSectors.seal(temp.resolve("c1"), 1, 2);
    hdfs.put(temp.resolve("c1"), "/c1");
    System.setProperty("cuzk.faults", Files.createDirectories(temp.resolve("faults")).toString());
    Files.writeString(temp.resolve("faults/delay"), "300");
    spark = SmallRuns.open();
  }

  @AfterAll
  static void stop() {
    System.clearProperty("cuzk.faults");
    if (spark != null) {
      spark.stop();
    }
    if (hdfs != null) {
      hdfs.close();
    }
  }

  private static ProveAction.Result prove(String run, Progress progress) {
    return SmallRuns.prove(
        spark, hdfs.uri("/c1/*.json"), temp.resolve("params"), hdfs.uri(run), progress);
  }

  private static void requireWhole(String run, ProveAction.Result result) {
    assertThat(result.failures()).isEmpty();
    assertThat(result.verified()).isEqualTo(2);
    VerifyAction.Result verified = SmallRuns.verify(spark, temp.resolve("params"), hdfs.uri(run));
    assertThat(verified.verified()).isEqualTo(2);
    assertThat(verified.proofs()).isEqualTo(4);
    assertThat(verified.rejected()).isZero();
  }

  @Test
  void aQuotaThatIsUsedUpEndsTheRunAndTheRerunProvesTheMissing() throws IOException {
    // as soon as something is proved
    Progress fills = Meddling.asProved(done -> hdfs.setFull("/full", true));
    try (var files = hdfs.client()) {
      files.mkdirs(new org.apache.hadoop.fs.Path("/full"));
    }
    assertThatThrownBy(() -> prove("/full/run", fills))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("DSQuotaExceededException");
    hdfs.setFull("/full", false);
    ProveAction.Result result = prove("/full/run", Progress.NONE);
    requireWhole("/full/run", result);
    assertThat(result.partitionsFoundDone()).isPositive();
    assertThat(result.partitionsFoundDone() + result.partitionsProved()).isEqualTo(4);
  }

  @Test
  void anHdfsThatIsReadOnlyIsRefusedBeforeAnyProof() throws IOException {
    hdfs.setReadOnly(true);
    assertThatThrownBy(() -> prove("/frozen", Progress.NONE))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("cannot make the output directory " + hdfs.uri("/frozen"))
        .hasMessageContaining("safe mode");
    hdfs.setReadOnly(false);
    requireWhole("/frozen", prove("/frozen", Progress.NONE));
  }
}
