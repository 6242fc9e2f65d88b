package io.cuzk.submit;

import static io.cuzk.submit.Captured.cuzk;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code cuzk bench} on small sizes: fields of the object, and what is refused. */
class BenchCommandTest {
  @TempDir private Path temp;

  private static JsonNode rows(Object... words) {
    Captured ran = cuzk(words);
    assertThat(ran.code()).as(ran.err()).isZero();
    JsonNode json = ran.json();
    assertThat(json.path("cpu").asText()).isNotEmpty();
    assertThat(json.path("jdk").asText()).contains("25");
    for (JsonNode row : json.path("rows")) {
      assertThat(row.path("cpu_s").asDouble()).isPositive();
      assertThat(row.path("wall_s").asDouble()).isPositive();
      assertThat(row.path("ns").asDouble()).isPositive();
      for (String name : new String[] {"rival", "rival_ns", "rival_cpu_s", "ratio"}) {
        assertThat(row.has(name)).as(name).isTrue();
        assertThat(row.get(name).isNull()).as(name + " without a rival").isTrue();
      }
    }
    return json.path("rows");
  }

  @Test
  void fieldMeasuresBothFieldsWithEveryProviderAndThreadCount() {
    JsonNode rows =
        rows(
            "bench",
            "field",
            "--size=3",
            "--provider=scalar",
            "--threads=1,2",
            "--iterations=3",
            "--warmup=0",
            "--json");
    assertThat(rows).hasSize(4);
    assertThat(rows.at("/0/work").asText()).isEqualTo("fp_mul");
    assertThat(rows.at("/0/provider").asText()).isEqualTo("scalar");
    assertThat(rows.at("/0/size").asInt()).isEqualTo(3);
    assertThat(rows.at("/0/threads").asInt()).isEqualTo(1);
    assertThat(rows.at("/1/threads").asInt()).isEqualTo(2);
    assertThat(rows.at("/3/work").asText()).isEqualTo("fr_mul");
    double perIteration = rows.at("/3/cpu_s").asDouble() / rows.at("/3/ns").asDouble() * 1e9;
    assertThat(Math.round(perIteration)).isEqualTo(2L << 20);
  }

  @Test
  void transformsAndSumsAreMeasuredByButterflyAndPoint() {
    JsonNode ntt = rows("bench", "fft", "--size=1,7", "--provider=scalar", "--warmup=0", "--json");
    assertThat(ntt).hasSize(2);
    assertThat(ntt.at("/1/work").asText()).isEqualTo("ntt");
    assertThat(ntt.at("/1/unit").asText()).isEqualTo("butterfly");
    assertThat(ntt.at("/1/cpu_s").asDouble() / ntt.at("/1/ns").asDouble())
        .isCloseTo(64 * 7 * 1e-9, org.assertj.core.data.Percentage.withPercentage(0.01));
    JsonNode g1 = rows("bench", "msm", "--size=7", "--warmup=0", "--iterations=1", "--json");
    assertThat(g1.at("/0/work").asText()).isEqualTo("msm_g1");
    assertThat(g1.at("/0/unit").asText()).isEqualTo("point");
    assertThat(g1.at("/0/window").isMissingNode()).isTrue();
    JsonNode g2 =
        rows(
            "bench",
            "msm",
            "--size=5",
            "--group=g2",
            "--windows=3..5",
            "--warmup=0",
            "--iterations=1",
            "--json");
    assertThat(g2).hasSize(3);
    assertThat(g2.at("/2/work").asText()).isEqualTo("msm_g2");
    assertThat(g2.at("/2/window").asInt()).isEqualTo(5);
  }

  @Test
  void peopleGetATableWithTheMachine() {
    Captured ran =
        cuzk("bench", "fft", "--size=3", "--provider=scalar", "--warmup=0", "--iterations=1");
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("cores;").contains("CPU ns per").contains("butterfly");
    assertThat(ran.err()).contains("ntt scalar 2^3 x1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bench                              | field, fft, msm, prove",
        "bench fild                         | did you mean field?",
        "bench field --iteration=5          | did you mean --iterations?",
        "bench field --provider=lane        | did you mean lanes?",
        "bench field --iterations=0         | --iterations: at least 1",
        "bench field --warmup=-1            | --warmup",
        "bench field --threads=0            | --threads: 1 to 1024",
        "bench field --size=21              | --size",
        "bench fft --size=0                 | --size",
        "bench msm --size=25                | 0 to 24",
        "bench msm --backend=sim --size=28  | 0 to 27",
        "bench msm --backend=sim --group=g2 --size=27 | 0 to 26",
        "bench msm --group=g3               | g1 or g2",
        "bench msm --windows=1..5           | 2..22",
        "bench msm --windows=9..5           | 2..22",
        "bench msm --windows=all            | 8..17",
        "bench prove --sector-size=3KiB     | 2KiB, 4KiB",
        "bench prove --synthesis=fast       | compiled or reference",
        "bench prove --provider=lanes,scalar | name one",
        "bench prove --variants=standart    | did you mean standard?",
        "bench prove --variants=fast        | parallel-b-g2, pinned-host, unpinned-host,"
            + " one-window, c-product",
      })
  void whatIsTypedWronglyIsNamed(String words, String message) {
    Captured ran = cuzk((Object[]) words.split(" "));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains(message);
    assertThat(ran.out()).isEmpty();
  }

  /** A whole partition of the smallest sector, half a minute of CPU time. */
  @Test
  @Tag("nightly")
  void aPartitionIsProvedWithASyntheticKey() {
    JsonNode row =
        rows(
                "bench",
                "prove",
                "--sector-size=2KiB",
                "--synthetic-key",
                "--threads=2",
                "--iterations=1",
                "--warmup=0",
                "--json")
            .get(0);
    assertThat(row.path("provider").asText()).isEqualTo("cpu");
    assertThat(row.path("size").asText()).isEqualTo("2KiB");
    assertThat(row.path("sums_right").asInt()).isEqualTo(1);
    assertThat(row.has("verified")).as("by the pairing").isFalse();
    for (String phase : new String[] {"quotient", "msm.h", "msm.l", "msm.a", "msm.b1", "msm.b2"}) {
      assertThat(row.path("phases_wall_s").path(phase).asDouble()).as(phase).isPositive();
    }
  }

  @Test
  void aSyntheticKeyTakesThePlaceOfParameters() {
    Captured ran = cuzk("bench", "prove", "--synthetic-key", "--params", temp);
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("--synthetic-key takes the place of --params");
  }

  @ParameterizedTest
  @ValueSource(strings = {"field", "fft", "msm", "prove"})
  void everyBenchHasHelpWithExamples(String name) {
    Captured ran = cuzk("bench", name, "--help");
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("Examples:").contains("cuzk bench " + name);
  }

  /**
   * The largest size that a device is held against; a simulator says that it is too slow for it.
   */
  @Test
  void aDevicesSumsGoUpTo27() {
    Captured ran = cuzk("bench", "msm", "--backend=sim", "--size=27");
    assertThat(ran.code()).isEqualTo(5);
    assertThat(ran.err()).contains("2^27").doesNotContain("--size");
  }

  @Test
  void absentRivalsAndBackendsAreErrors() {
    Captured blst = cuzk("bench", "field", "--against-blst", temp);
    assertThat(blst.code()).isEqualTo(3);
    assertThat(blst.err()).contains("no libblst.so in " + temp).contains("./build.sh -shared");
    Captured cuda = cuzk("bench", "msm", "--backend=cuda");
    assertThat(cuda.code()).isIn(3, 5);
    assertThat(cuda.err()).contains("cuda");
  }
}
