package io.cuzk.submit;

import static io.cuzk.submit.Captured.cuzk;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.ProofFailedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchSynthTest {
  /** Of golden/circuit-2KiB.json. */
  private static final Map<String, String> GOLDEN =
      Map.of(
          "witness_sha256",
          "69d6d38413134aa3942093824acf39c3fbd7c9dac2decc8311a733b31a209fbf",
          "aux_sha256",
          "707c05ce9579ca9ccaf29fc3e4b01d51f941e58e53981a97cd10963ca9653046",
          "eval_a_sha256",
          "66c9b060b6ed72db54322b9fc43975c7edaf530d211796f63a7a15a17ed951cb",
          "eval_b_sha256",
          "dc226d5845b90800d3b71c475a3ffec3c2f92ab0953356a5d181e859565882d5");

  @TempDir Path temp;

  private Path file(String golden) throws IOException {
    return Files.write(temp.resolve(golden), Captured.golden(golden));
  }

  @Test
  void variantsInJvmsOfTheirOwnAgreeWithTheRustStack() throws IOException {
    Captured ran =
        cuzk(
            "bench",
            "synth",
            "--c1",
            file("c1-2KiB-wrapped.json"),
            "--variants=array,inline2,compiled",
            "--iterations=1",
            "--warmup=0",
            "--counters",
            "--json");
    assertThat(ran.err()).contains("inline2 in a JVM of its own");
    assertThat(ran.code()).as(ran.err()).isZero();
    JsonNode json = ran.json();
    assertThat(json.path("variants")).hasSize(3);
    for (JsonNode variant : json.path("variants")) {
      assertThat(variant.path("rows").asLong()).isEqualTo(2_687_961);
      assertThat(variant.path("wall_s")).hasSize(1);
      assertThat(variant.path("synth_s").get(0).asDouble()).isPositive();
      assertThat(variant.path("synth_cpu_s").get(0).asDouble()).isPositive();
      assertThat(variant.path("peak_bytes").asLong()).isGreaterThan(50_000_000);
      assertThat(variant.path("counters").size() + variant.path("counters_unavailable").size())
          .isGreaterThanOrEqualTo(6);
      JsonNode digests = variant.path("partitions").get(0);
      GOLDEN.forEach((name, hex) -> assertThat(digests.path(name).asText()).isEqualTo(hex));
    }
    long array = json.at("/variants/0/allocated_bytes").asLong();
    long compiled = json.at("/variants/2/allocated_bytes").asLong();
    assertThat(array).isGreaterThan(10 * compiled);
    assertThat(json.path("verdicts")).hasSize(2);
    assertThat(json.at("/verdicts/0/against").asText()).isEqualTo("array");
    assertThat(json.at("/verdicts/0/synth_beyond_spread").asBoolean()).isFalse();
  }

  @Test
  void oneVariantRunsHereAndPrintsItsTable() throws IOException {
    Captured ran =
        cuzk(
            "bench",
            "synth",
            "--c1",
            file("c1-2KiB.json"),
            "--shape=nodes=64,tree=8-0-0,layers=2,partitions=1,challenges=2",
            "--variants=compiled",
            "--threads=2",
            "--iterations=2",
            "--partition=0");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("synth avg s").contains("compiled").contains("once to compile");
  }

  @Test
  void whatIsWrongIsSaid() throws IOException {
    Path c1 = file("c1-2KiB.json");
    Captured variant = cuzk("bench", "synth", "--c1", c1, "--variants=array,inlin2");
    assertThat(variant.code()).isEqualTo(2);
    assertThat(variant.err())
        .contains("no variant 'inlin2'; did you mean inline2?")
        .contains("array, inline1, inline2, inline4, pooled, presized, compiled");
    Captured partition = cuzk("bench", "synth", "--c1", c1, "--partition=some");
    assertThat(partition.code()).isEqualTo(2);
    Captured beyond =
        cuzk("bench", "synth", "--c1", c1, "--partition=3", "--variants=array,pooled", "--json");
    assertThat(beyond.code()).isEqualTo(3);
    assertThat(beyond.json().path("error").asText()).contains("no partition 3: it has 0 to 0");
    Captured shape =
        cuzk("bench", "synth", "--c1", c1, "--shape=nodes=512,layer=2", "--variants=pooled");
    assertThat(shape.code()).isEqualTo(2);
    assertThat(shape.err()).contains("no part 'layer'; did you mean layers?");
    Captured incomplete = cuzk("bench", "synth", "--c1", c1, "--shape=nodes=2048");
    assertThat(incomplete.code()).isEqualTo(2);
    Captured other = cuzk("bench", "synth", "--c1", c1, "--shape=nodes=512", "--variants=compiled");
    assertThat(other.code()).isEqualTo(3);
    assertThat(other.err()).contains("c1-2KiB.json");
  }

  /** A leaf of the data's tree altered: the circuit reads it, so no row may pass over it. */
  @Test
  void anUnsatisfiedCircuitIsNamedByItsRow() throws IOException {
    String text = new String(Captured.golden("c1-2KiB.json"), StandardCharsets.UTF_8);
    int at = text.indexOf("\"leaf\":[") + 8;
    String altered = text.substring(0, at) + "7" + text.substring(text.indexOf(',', at));
    Path bad = Files.writeString(temp.resolve("bad.json"), altered);
    Captured ran =
        cuzk("bench", "synth", "--c1", bad, "--variants=compiled", "--iterations=1", "--warmup=0");
    assertThat(ran.code()).isEqualTo(3);
    assertThat(ran.err()).contains("challenge_0/comm_d_inclusion");
  }

  @Test
  void variantsThatDisagreeFail() {
    List<Map<String, Object>> figures =
        List.of(
            Map.of("variant", "a", "partitions", List.of(Map.of("witness_sha256", "00"))),
            Map.of("variant", "b", "partitions", List.of(Map.of("witness_sha256", "01"))));
    assertThatThrownBy(() -> new SynthesisReport(new Common(), figures).show(Path.of("x"), 1, 1, 0))
        .isInstanceOf(ProofFailedException.class)
        .hasMessageContaining("the variants do not agree: a made")
        .hasMessageContaining("b made");
  }
}
