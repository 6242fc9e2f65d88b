package io.cuzk.groth16;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InvalidInputException;
import io.cuzk.curve.PointEncoding;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Circuit;
import io.cuzk.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParameterGeneratorTest {
  @TempDir Path directory;

  @Test
  void writesTheGoldenToyParametersByteForByte() throws IOException {
    Path params = directory.resolve("deeper/toy.params");
    Path vk = directory.resolve("deeper/toy.vk");
    List<String> stages = new ArrayList<>();
    try (Workers workers = Workers.of(2);
        ToxicWaste secrets = Toy.secrets()) {
      ParameterGenerator.Result made =
          ParameterGenerator.generate(
              Toy.blank(),
              secrets,
              params,
              vk,
              "test",
              workers,
              (what, done, total) -> {
                synchronized (stages) {
                  stages.add(what + " " + done + "/" + total);
                }
              });
      assertThat(made.shape()).isEqualTo(new CircuitShape(3, 568, 572));
      assertThat(made.bytes()).isEqualTo(342264);
    }
    assertThat(Files.readAllBytes(vk)).isEqualTo(Golden.bytes("toy.vk"));
    assertThat(Files.readAllBytes(params)).isEqualTo(Golden.bytes("toy.params"));
    assertThat(DigestSidecar.read(params).orElseThrow().digest().sha256())
        .isEqualTo(Toy.JSON.get("params_sha256").asText());
    assertThat(stages).contains("section b_g2 3063/3063", "digest 1/1");
    try (Stream<Path> files = Files.list(params.getParent())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("toy.params", "toy.params.digest", "toy.vk", "toy.vk.digest");
    }
    assertThat(TrustedDigest.require(params).published()).isFalse();
    try (ParameterFile file = ParameterFile.openTrusted(params, vk);
        Workers workers = Workers.of(2)) {
      file.check(PointEncoding.Check.SUBGROUP, workers, Progress.NONE);
    }
  }

  @Test
  void freshSecretsMakeOtherParametersThatPassEveryCheck() throws IOException {
    Path params = directory.resolve("toy.params");
    Path vk = directory.resolve("toy.vk");
    try (Workers workers = Workers.of(2)) {
      ParameterGenerator.generate(Toy.blank(), params, vk, workers, Progress.NONE);
      byte[] first = Files.readAllBytes(params);
      ParameterGenerator.generate(Toy.blank(), params, vk, workers, Progress.NONE);
      assertThat(Files.readAllBytes(params)).hasSameSizeAs(first).isNotEqualTo(first);
      try (ParameterFile file = ParameterFile.openTrusted(params, vk)) {
        file.check(PointEncoding.Check.SUBGROUP, workers, Progress.NONE);
      }
    }
  }

  @Test
  void aVariableInNoRowIsRefusedAndLeavesNothing() throws IOException {
    Circuit circuit =
        cs -> {
          Toy.blank().synthesize(cs);
          cs.alloc(null, 0);
        };
    try (Workers workers = Workers.single()) {
      assertThatThrownBy(
              () ->
                  ParameterGenerator.generate(
                      circuit,
                      directory.resolve("x.params"),
                      directory.resolve("x.vk"),
                      workers,
                      Progress.NONE))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("section l, point 568 of 569 would be infinity");
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void secretsAreReadFromAJsonFileAndOverwrittenAtTheEnd() throws IOException {
    Path file = directory.resolve("secrets.json");
    Files.writeString(file, "{\"other\":[1,{\"tau\":2}],\"toxic\":" + Toy.JSON.get("toxic") + "}");
    ToxicWaste secrets = ToxicWaste.readForTests(file);
    assertThat(secrets.known()).isTrue();
    try (ToxicWaste same = Toy.secrets()) {
      assertThat(secrets.tau).isEqualTo(same.tau);
      assertThat(secrets.g2).isEqualTo(same.g2);
    }
    secrets.close();
    assertThat(secrets.tau).containsOnly(0);

    Files.writeString(file, "{\"toxic\":{\"alpha\":\"" + "ff".repeat(32) + "\"}}");
    assertThatThrownBy(() -> ToxicWaste.readForTests(file))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("toxic.alpha is ffff");
    Files.writeString(file, "{\"toxic\":");
    assertThatThrownBy(() -> ToxicWaste.readForTests(file))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("secrets.json");
    try (ToxicWaste fresh = ToxicWaste.random();
        ToxicWaste other = ToxicWaste.random()) {
      assertThat(fresh.known()).isFalse();
      assertThat(fresh.tau).isNotEqualTo(other.tau);
    }
  }
}
