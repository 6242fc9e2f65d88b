package io.cuzk.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InvalidInputException;
import io.cuzk.porep.SectorShape;
import io.cuzk.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every variant makes what the Rust stack made of the same C1 files. */
class SynthesisBenchTest {
  private static final Plan ONCE = new Plan(0, 1, (what, done, total) -> {});

  @TempDir Path temp;

  private SynthesisBench.Request request(String golden, Optional<SectorShape> shape, int threads)
      throws IOException {
    Path file = Files.write(temp.resolve(golden), Golden.bytes(golden));
    return new SynthesisBench.Request(file, shape, OptionalInt.empty(), threads, false);
  }

  private static void assertGolden(PartitionDigests digests, JsonNode golden) {
    assertThat(digests.rows()).isEqualTo(golden.get("num_constraints_with_input_rows").asLong());
    assertThat(digests.aux()).isEqualTo(golden.get("aux_sha256").asText());
    assertThat(digests.evalA()).isEqualTo(golden.get("eval_a_sha256").asText());
    assertThat(digests.evalB()).isEqualTo(golden.get("eval_b_sha256").asText());
  }

  @ParameterizedTest
  @EnumSource(SynthesisVariant.class)
  void digestsOf2KiB(SynthesisVariant variant) throws IOException {
    JsonNode golden = Golden.json("circuit-2KiB.json");
    // memory is allocated beforehand from the second time on
    Plan plan = variant == SynthesisVariant.PRESIZED ? new Plan(1, 1, ONCE.progress()) : ONCE;
    SynthesisFigures figures =
        SynthesisBench.run(request("c1-2KiB-wrapped.json", Optional.empty(), 1), variant, plan);
    assertThat(figures.partitions()).hasSize(1);
    PartitionDigests digests = figures.partitions().getFirst();
    assertGolden(digests, golden);
    assertThat(digests.witness()).isEqualTo(golden.get("witness_sha256").asText());
    assertThat(figures.rows()).isEqualTo(digests.rows());
    assertThat(figures.wall()).hasSize(1);
    assertThat(figures.wall()[0]).isGreaterThan(figures.synth()[0]);
    long values = golden.get("num_aux").asLong() + 2 * digests.rows();
    if (variant == SynthesisVariant.COMPILED) {
      assertThat(figures.assignmentBytes()).isBetween(values / 8, 2 * values);
    } else {
      assertThat(figures.assignmentBytes()).isBetween(32 * values, 33 * values);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POOLED", "COMPILED"})
  void digestsUnderAnotherShape(SynthesisVariant variant) throws IOException {
    JsonNode golden = Golden.json("mini16KiB-2layers.json").get("circuits").get(0);
    Optional<SectorShape> shape = Optional.of(SectorShape.of("16KiB"));
    SynthesisFigures figures =
        SynthesisBench.run(request("c1-mini16KiB-2layers.json", shape, 2), variant, ONCE);
    assertGolden(figures.partitions().getFirst(), golden);
  }

  @Test
  void thereIsNoSuchPartition() throws IOException {
    SynthesisBench.Request all = request("c1-2KiB.json", Optional.empty(), 1);
    SynthesisBench.Request second =
        new SynthesisBench.Request(all.file(), all.shape(), OptionalInt.of(1), 1, false);
    assertThatThrownBy(() -> SynthesisBench.run(second, SynthesisVariant.POOLED, ONCE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("no partition 1: it has 0 to 0");
  }

  /** Each counter counts or says why not; those that count do so only between start and stop. */
  @Test
  void countersCountOrSayWhyNot() {
    Set<String> names = new HashSet<>();
    for (PerfCounters.Event event : PerfCounters.Event.values()) {
      names.add(event.label());
    }
    try (PerfCounters counters = PerfCounters.open()) {
      counters.start();
      long sum = 0;
      for (int i = 0; i < 1 << 20; i++) {
        sum += Long.rotateLeft(i * 0x9e3779b97f4a7c15L, i);
      }
      counters.stop();
      assertThat(sum).isNotZero();
      Map<String, Double> counts = counters.read();
      Map<String, String> missing = counters.unavailable();
      assertThat(counts.keySet()).doesNotContainAnyElementsOf(missing.keySet());
      Set<String> found = new HashSet<>(counts.keySet());
      found.addAll(missing.keySet());
      assertThat(found).isEqualTo(names);
      missing.values().forEach(reason -> assertThat(reason).isNotBlank());
      if (counts.containsKey("instructions")) {
        assertThat(counts.get("instructions")).isGreaterThan(1 << 20);
      }
      assertThat(counters.read()).isEqualTo(counts);
      counters.reset();
      counters.read().values().forEach(count -> assertThat(count).isZero());
    }
  }

  @Test
  void variantsAreFoundByTheirNames() {
    assertThat(SynthesisVariant.labels())
        .isEqualTo(
            List.of("array", "inline1", "inline2", "inline4", "pooled", "presized", "compiled"));
    assertThat(SynthesisVariant.find("inline4")).contains(SynthesisVariant.INLINE4);
    assertThat(SynthesisVariant.find("inline3")).isEmpty();
  }
}
