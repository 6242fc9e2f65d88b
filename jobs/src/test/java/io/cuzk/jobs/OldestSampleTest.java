package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cuzk.jobs.compare.Comparison;
import io.cuzk.jobs.compare.RunComparison;
import io.cuzk.jobs.report.RunReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.types.StructField;
import org.junit.jupiter.api.Test;

/** What reads runs must read the oldest one that is kept: three real 2 KiB proofs. */
class OldestSampleTest {
  private static final Path SAMPLE = Path.of("..", "notebooks", "sample", "run");

  private static RunData sample() {
    return RunData.open(SAMPLE.toString(), new Configuration());
  }

  @Test
  void everyColumnIsReadWithItsType() {
    RunData run = sample();
    for (var dataset : List.of(RunData.PROOFS, RunData.PHASES, RunData.SECTORS, RunData.DEVICES)) {
      RecordType<?> type =
          switch (dataset) {
            case RunData.PROOFS -> ProofRecord.TYPE;
            case RunData.PHASES -> PhaseRecord.TYPE;
            case RunData.SECTORS -> SectorRecord.TYPE;
            default -> DeviceRecord.TYPE;
          };
      // A column that was added since may be missing, if it may be null.
      for (StructField field : type.schema().fields()) {
        if (!field.nullable()) {
          Columns read = run.read(dataset, field.name());
          assertThat(read.rows()).as(dataset + "." + field.name()).isPositive();
          assertThat(read.longs(field.name())).isNotEmpty();
        }
      }
      Columns version = run.read(dataset, "schema_version");
      assertThat(Arrays.stream(version.longs("schema_version")).limit(version.rows()))
          .allMatch(number -> number == 1);
    }
  }

  @Test
  void valuesAreThoseOfTheRun() {
    Columns proofs =
        sample().read(RunData.PROOFS, "sector", "verified", "wall_ns", "cpu_ns", "started_at");
    assertThat(proofs.rows()).isEqualTo(3);
    assertThat(IntStream.range(0, 3).mapToObj(row -> proofs.text("sector", row)))
        .containsExactlyInAnyOrder("s-t01000-1", "s-t01000-2", "s-t01000-3");
    Columns phases = sample().read(RunData.PHASES, "phase", "sector", "start_ns", "wall_ns");
    assertThat(phases.words("phase")).contains("queue.wait", "msm.h", "verify", "write");
    for (int row = 0; row < 3; row++) {
      assertThat(proofs.longs("verified")[row]).isEqualTo(1);
      String sector = proofs.text("sector", row);
      // Phases of a CPU task come one after the other and fill it.
      double sum =
          IntStream.range(0, phases.rows())
              .filter(at -> phases.text("sector", at).equals(sector))
              .filter(at -> !List.of("queue.wait", "write").contains(phases.text("phase", at)))
              .mapToDouble(at -> phases.longs("wall_ns")[at] * 1e-9)
              .sum();
      assertThat(sum / (proofs.longs("wall_ns")[row] * 1e-9)).isEqualTo(1, within(0.02));
      java.time.Instant started =
          java.time.Instant.ofEpochSecond(0, proofs.longs("started_at")[row]);
      assertThat(started)
          .isBetween(
              java.time.Instant.parse(sample().record().path("started_at").asText()),
              java.time.Instant.parse(sample().record().path("ended_at").asText()));
    }
  }

  @Test
  void compareAndReportTakeIt() {
    String path = SAMPLE.toString();
    Comparison one =
        RunComparison.of(List.of(path, path), List.of(), new Configuration())
            .comparisons()
            .getFirst();
    assertThat(one.phases()).allMatch(row -> row.judged().seconds() == 0);
    assertThat(one.explained(true)).isZero();
    RunReport report = RunReport.of(path, null, new Configuration());
    assertThat(report.object()).containsEntry("verified", 3).containsEntry("partitions", 3);
    assertThat(report.page()).contains("3 of 3", "s-t01000-2");
  }

  @Test
  void ratesAreReadFromIt() {
    RunRates rates = RunRates.read(SAMPLE.toString(), new Configuration());
    assertThat(rates.partitionsPerSecond()).isPositive();
  }

  @Test
  void nothingInItNamesAMachine() throws IOException {
    try (Stream<Path> files = Files.walk(SAMPLE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1);
        assertThat(text).as(file.toString()).doesNotContain("/tmp/", "/home/", "/root/");
      }
    }
  }
}
