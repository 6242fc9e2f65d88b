package io.cuzk.notebooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Predictions of {@code cuzk simulate} beside runs. */
class SimulationsTest {
  private static String simulated(int hosts, double perSecond) {
    return """
    {"from": "runs/one", "hosts": %d, "gpus_per_host": 0, "cpu_slots": 1, "partitions": 40,
     "partitions_per_s": %s, "bottleneck": "cpu"}
    """
        .formatted(hosts, perSecond);
  }

  @Test
  void predictionsStandBesideWhatWasMeasured(@TempDir Path directory) throws Exception {
    Path one = directory.resolve("one");
    Path two = directory.resolve("two");
    SyntheticRun.write(one, 40, 1, 0);
    SyntheticRun.write(two, 40, 2, 0);
    Path file = directory.resolve("simulate.json");
    Files.writeString(file, simulated(1, 0.1) + simulated(2, 0.3) + simulated(8, 0.7));
    try (Runs runs = Runs.of(List.of(one + "", two + "", file + ""), List.of())) {
      Scaling scaling = Scaling.of(runs);
      double[] measured = scaling.table().numbers("partitions an hour");
      Table table = scaling.simulated();
      assertThat(table.numbers("partitions an hour")).containsExactly(360, 1080, 2520);
      assertThat(table.numbers("measured")).containsExactly(measured[0], measured[1], Double.NaN);
      assertThat(table.numbers("off by %")[1]).isEqualTo(100 * (1080 / measured[1] - 1));
      double[][] line = scaling.throughput().get("cuzk simulate, from one");
      assertThat(line[0]).containsExactly(1, 2, 8);
      assertThat(line[1]).containsExactly(360, 1080, 2520);
      assertThat(runs.benches()).isEmpty();
    }
    try (Runs runs = Runs.of(List.of(one + "", two + ""), List.of(file + ""))) {
      // A sample's prediction says nothing of a user's runs.
      assertThat(Scaling.of(runs).simulated().isEmpty()).isTrue();
    }
  }

  @Test
  void somethingElseInTheFileIsNamed(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("simulate.json");
    Files.writeString(file, simulated(1, 0.1) + "{\"error\": \"no run\"}");
    assertThatThrownBy(() -> Simulations.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("simulate.json: object 2 has no hosts");
  }
}
