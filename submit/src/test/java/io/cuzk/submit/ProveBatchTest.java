package io.cuzk.submit;

import static io.cuzk.submit.Captured.cuzk;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A batch of ten C1 files of which three are broken in different ways, proved once through Spark;
 * the later tests look at what it left.
 */
@Tag("slow")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ProveBatchTest {
  private static final JsonNode GOLDEN = Captured.goldenJson("proof-2KiB.json");

  private static final Set<String> PHASES =
      Set.of(
          "queue.wait",
          "input.parse",
          "key.load",
          "synthesis.witness",
          "synthesis.evaluate",
          "quotient",
          "msm.h",
          "msm.l",
          "msm.a",
          "msm.b1",
          "msm.b2",
          "assemble",
          "verify",
          "write");

  @TempDir private static Path temp;

  private static Path params;
  private static Path c1;
  private static Path run;
  private static Captured proved;

  @BeforeAll
  static void prove() throws IOException {
    params = TestParameters.directory();
    c1 = temp.resolve("c1");
    run = temp.resolve("run");
    Captured sealed = cuzk("seal", "--sector-size=2KiB", "--sectors=9", "--c1", c1);
    assertThat(sealed.code()).isZero();
    Files.write(c1.resolve("golden.json"), Captured.golden("c1-2KiB-wrapped.json"));
    Path truncated = c1.resolve("s-t01000-2.json");
    byte[] bytes = Files.readAllBytes(truncated);
    Files.write(truncated, Arrays.copyOf(bytes, bytes.length * 2 / 3));
    Path otherSector = c1.resolve("s-t01000-5.json");
    String text = Files.readString(otherSector);
    Files.writeString(otherSector, text.replace("\"SectorNum\":5", "\"SectorNum\":6"));
    Files.writeString(c1.resolve("s-t01000-8.json"), "not a C1 file at all");
    proved =
        cuzk(
            "prove",
            "--json",
            "--c1=" + c1,
            "--params=" + params,
            "--out=" + run,
            "--miner=1000",
            "--test-randomness",
            GOLDEN.path("r").asText() + "," + GOLDEN.path("s").asText());
  }

  @Test
  @Order(1)
  void sevenAreVerifiedAndThreeHaveTheirReasons() {
    assertThat(proved.code()).as(proved.err()).isEqualTo(3);
    JsonNode json = proved.json();
    assertThat(json.path("verified").asInt()).isEqualTo(7);
    assertThat(json.path("failed").asInt()).isEqualTo(3);
    assertThat(json.path("proved_now").asInt()).isEqualTo(7);
    assertThat(json.at("/partitions/planned").asInt()).isEqualTo(7);
    Set<String> reasons = new TreeSet<>();
    for (JsonNode sector : json.path("sectors")) {
      if (sector.path("state").asText().equals("failed")) {
        assertThat(sector.path("failure_kind").asText()).isEqualTo("input");
        reasons.add(sector.path("reason").asText());
        assertThat(proved.err()).contains(sector.path("reason").asText());
      } else {
        assertThat(Path.of(sector.path("proof_file").asText())).hasSize(192);
        assertThat(sector.path("replica_id_checked").asBoolean()).isTrue();
      }
    }
    assertThat(reasons).hasSize(3).anyMatch(reason -> reason.contains("replica_id"));
    assertThat(proved.err()).contains("WARNING: --test-randomness");
  }

  @Test
  @Order(2)
  void withTheRustStacksRandomnessTheProofHasItsBytes() throws IOException {
    assertThat(HexFormat.of().formatHex(Files.readAllBytes(run.resolve("s-t01000-42.proof"))))
        .isEqualTo(GOLDEN.path("proof_hex_192").asText());
  }

  @Test
  @Order(3)
  void theRunVerifiesFromItsFilesAndItsRecordSaysWhatRan() throws IOException {
    Captured ran = cuzk("verify", "--out", run, "--params", params, "--json");
    assertThat(ran.code()).as(ran.err()).isZero();
    JsonNode verified = ran.json();
    assertThat(verified.path("verified").asInt()).isEqualTo(7);
    assertThat(verified.path("rejected").asInt()).isZero();
    assertThat(verified.path("failed").asInt()).isEqualTo(3);
    JsonNode record = new ObjectMapper().readTree(run.resolve("run.json").toFile());
    assertThat(record.path("state").asText()).isEqualTo("finished");
    assertThat(record.path("backend").asText()).isEqualTo("cpu");
    assertThat(record.path("inputs")).hasSize(10);
    assertThat(record.at("/parameters/0/digest").asText()).hasSize(32);
    assertThat(record.at("/parameters/0/layout").asText()).isEqualTo("native");
    assertThat(record.at("/parameters/0/file").asText()).endsWith(".params.native");
    assertThat(record.at("/versions/spark").asText()).isEqualTo("4.2.0");
    assertThat(record.toString()).doesNotContain(GOLDEN.path("r").asText());
    JsonNode status = cuzk("status", run, "--json").json();
    assertThat(status.path("verified").asInt()).isEqualTo(7);
    assertThat(status.path("failed").asInt()).isEqualTo(3);
    assertThat(status.path("pending").asInt()).isZero();
  }

  @Test
  @Order(4)
  void everyPhaseIsThereForEveryPartition() throws IOException {
    try (Stream<Path> sectors = Files.list(run.resolve("journal"))) {
      for (Path sector : sectors.toList()) {
        Set<String> names = new TreeSet<>();
        for (String file : List.of("000.json", "000.after.json")) {
          JsonNode entry = new ObjectMapper().readTree(sector.resolve(file).toFile());
          entry.path("phases").forEach(phase -> names.add(phase.path("phase").asText()));
        }
        assertThat(names).containsExactlyInAnyOrderElementsOf(PHASES);
      }
    }
  }

  @Test
  @Order(5)
  void aRerunFindsAllDoneAndProvesNothing() {
    JsonNode json =
        cuzk("prove", "--json", "--c1", c1, "--params", params, "--out", run, "--miner", "1000")
            .json();
    assertThat(json.path("verified").asInt()).isEqualTo(7);
    assertThat(json.path("found_done").asInt()).isEqualTo(7);
    assertThat(json.path("proved_now").asInt()).isZero();
    assertThat(json.path("failed").asInt()).isEqualTo(3);
  }

  @Test
  @Order(6)
  void aProgramThatSharesNoCodeAcceptsTheProofAndNotAnAlteredOne()
      throws IOException, InterruptedException {
    Path tool = Files.createDirectories(temp.resolve("noble"));
    for (String name : List.of("package.json", ".npmrc", "verify.mjs")) {
      Files.copy(Path.of("verify-with-noble", name), tool.resolve(name));
    }
    assertThat(ran(tool, "npm", "install", "--silent")).isZero();
    Path inputs = tool.resolve("inputs.json");
    Files.write(inputs, new ObjectMapper().writeValueAsBytes(GOLDEN.path("public_inputs")));
    Path proof = run.resolve("s-t01000-42.proof");
    assertThat(noble(tool, proof, inputs)).isZero();

    byte[] bytes = Files.readAllBytes(proof);
    byte[] sibling = Files.readAllBytes(run.resolve("s-t01000-1.proof"));
    System.arraycopy(sibling, 144, bytes, 144, 48);
    assertThat(noble(tool, Files.write(tool.resolve("altered.proof"), bytes), inputs)).isEqualTo(1);
    List<String> changed = new ArrayList<>();
    GOLDEN.path("public_inputs").forEach(input -> changed.add(input.asText()));
    changed.set(0, "0x1");
    Files.write(inputs, new ObjectMapper().writeValueAsBytes(changed));
    assertThat(noble(tool, proof, inputs)).isEqualTo(1);
  }

  private static int noble(Path tool, Path proof, Path inputs)
      throws IOException, InterruptedException {
    try (Stream<Path> files = Files.list(params)) {
      Path vk = files.filter(f -> f.toString().endsWith(".vk")).findFirst().orElseThrow();
      return ran(
          tool,
          "node",
          "verify.mjs",
          vk.toAbsolutePath().toString(),
          proof.toString(),
          inputs.toString());
    }
  }

  private static int ran(Path directory, String... command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    if (!process.waitFor(10, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError(List.of(command) + " did not end");
    }
    return process.exitValue();
  }
}
