package io.cuzk.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What two executors are to reach with real proofs of sparse 2 KiB sectors, on two workers of a
 * core each: 1.85 times what one does, and 3 % of the task time in no phase of the proof. The times
 * are read from the journal as well, without this program's rates. It takes two idle cores.
 */
@Tag("nightly")
@Timeout(3600)
class ThroughputTargetsNightlyTest {
  private static final int SECTORS = 6;

  @TempDir private Path temp;

  @Test
  void twoExecutorsDoNearlyTwiceAsMuchAsOne() throws IOException, InterruptedException {
    Path params = TestParameters.directory();
    Path output = temp.resolve("out");
    JsonNode measured;
    try (StandaloneCluster cluster = StandaloneCluster.start(temp, "--workers=2")) {
      Captured ran =
          Captured.cuzk(
              "throughput",
              "--json",
              "--sectors=" + SECTORS,
              "--sector-size=2KiB",
              "--params=" + params,
              "--master=" + cluster.url(),
              "--executors=2",
              "--compare-one",
              "--out=" + output);
      assertThat(ran.code()).as(ran.err()).isZero();
      measured = ran.json();
    }
    System.out.println(measured);
    assertThat(measured.path("verified").asInt()).isEqualTo(SECTORS);
    assertThat(measured.at("/sectors/0/sector_size").asText()).isEqualTo("2KiB");
    assertThat(measured.at("/sectors/0/partitions").asInt()).isEqualTo(1);
    assertThat(measured.path("executors").asInt()).isEqualTo(2);
    assertThat(measured.path("cores_per_executor").asInt()).isEqualTo(1);
    for (String run : List.of("", "/one")) {
      assertThat(measured.at(run + "/overhead_fraction").asDouble()).isBetween(0.0, 0.03);
      // one task at a time on one slot, which is the device: what it does not prove is overhead
      assertThat(measured.at(run + "/device_utilisation").asDouble())
          .isBetween(0.5, measured.at(run + "/utilisation").asDouble());
    }
    double all = secondsOf(output.resolve("run-all"));
    double one = secondsOf(output.resolve("run-one"));
    assertThat(measured.path("wall_s").asDouble()).isCloseTo(all, Percentage.withPercentage(2));
    assertThat(measured.at("/one/wall_s").asDouble()).isCloseTo(one, Percentage.withPercentage(2));
    assertThat(measured.path("speedup_against_one").asDouble()).isCloseTo(one / all, within(0.05));
    assertThat(one / all).as("two executors against one").isGreaterThanOrEqualTo(1.85);
  }

  /** From the first proof's begin to the last one's end. */
  private static double secondsOf(Path run) throws IOException {
    double first = Double.MAX_VALUE;
    double last = 0;
    int proofs = 0;
    try (Stream<Path> files = Files.walk(run.resolve("journal"))) {
      for (Path file : files.filter(f -> f.endsWith("000.json")).toList()) {
        JsonNode proof = new ObjectMapper().readTree(file.toFile()).path("proof");
        Instant begun = Instant.parse(proof.path("started_at").asText());
        double at = begun.getEpochSecond() + begun.getNano() * 1e-9;
        first = Math.min(first, at);
        last = Math.max(last, at + proof.path("wall_ns").asDouble() * 1e-9);
        proofs++;
      }
    }
    assertThat(proofs).isEqualTo(SECTORS);
    return last - first;
  }
}
