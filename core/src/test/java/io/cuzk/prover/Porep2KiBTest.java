package io.cuzk.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InvalidInputException;
import io.cuzk.circuit.Assignment;
import io.cuzk.field.Arithmetic;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.CircuitShape;
import io.cuzk.groth16.DigestSidecar;
import io.cuzk.groth16.InputVector;
import io.cuzk.groth16.NativeKeyFile;
import io.cuzk.groth16.NativeKeyWriter;
import io.cuzk.groth16.ParameterFile;
import io.cuzk.groth16.ParameterGenerator;
import io.cuzk.groth16.Progress;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.ProvingKeyFile;
import io.cuzk.groth16.PublishedDigests;
import io.cuzk.groth16.ToxicWaste;
import io.cuzk.groth16.TrustedDigest;
import io.cuzk.parallel.Workers;
import io.cuzk.porep.Commit1Codec;
import io.cuzk.porep.PartitionInput;
import io.cuzk.porep.SectorShape;
import io.cuzk.porep.StackedCircuit;
import io.cuzk.porep.StackedCircuits;
import io.cuzk.testing.Golden;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The 2 KiB PoRep from setup to proof, against what the Rust stack made with the same secrets. The
 * parameters (1.1 GB) are made once, for all tests here and for those of later modules that prove.
 */
@Tag("slow")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class Porep2KiBTest {
  private static final JsonNode PARAMS = Golden.json("params-2KiB.json");
  private static final JsonNode PROOF = Golden.json("proof-2KiB.json");
  private static final Path DIRECTORY =
      Path.of(System.getProperty("cuzk.test.params", "target/test-params"));
  private static final String STEM = PublishedDigests.fileStem(2048).orElseThrow();
  private static final Path FILE = DIRECTORY.resolve(STEM + ".params");
  private static final Path VK = DIRECTORY.resolve(STEM + ".vk");

  private static Workers workers;
  private static ParameterGenerator.Result made;

  @BeforeAll
  static void setUp() throws IOException {
    workers = Workers.of(Runtime.getRuntime().availableProcessors());
    Files.createDirectories(DIRECTORY);
    Path json = DIRECTORY.resolve("secrets.json");
    Files.write(json, Golden.bytes("params-2KiB.json"));
    Files.deleteIfExists(NativeKeyFile.beside(FILE)); // of an earlier build
    try (ToxicWaste secrets = ToxicWaste.readForTests(json)) {
      made =
          ParameterGenerator.generate(
              StackedCircuit.blank(SectorShape.of("2KiB")),
              secrets,
              FILE,
              VK,
              "test",
              workers,
              Progress.NONE);
    }
  }

  @AfterAll
  static void close() {
    workers.close();
  }

  @Test
  @Order(1)
  void theParameterFilesAreTheGoldenOnes() {
    assertThat(made.shape()).isEqualTo(new CircuitShape(40, 2_685_673, 2_687_961));
    assertThat(STEM).isEqualTo("v28-" + PARAMS.get("cache_identifier").asText());
    DigestSidecar params = DigestSidecar.read(FILE).orElseThrow();
    assertThat(params.digest().bytes()).isEqualTo(1_114_707_768L);
    assertThat(params.digest().sha256())
        .isEqualTo("1bc0c022f18a3107a3cbf7723fd5324fbc020b6cb946276c21324ec33aa3321e");
    DigestSidecar vk = DigestSidecar.read(VK).orElseThrow();
    assertThat(vk.digest().bytes()).isEqualTo(4708);
    assertThat(vk.digest().sha256()).isEqualTo(PARAMS.get("vk_sha256").asText());
  }

  @Test
  @Order(2)
  void openingTakesNoScan() {
    long start = Workers.threadCpuNanos();
    try (ParameterFile file = ParameterFile.open(FILE)) {
      assertThat(file.bytes()).isEqualTo(1_114_707_768L);
      for (JsonNode section : PARAMS.get("sections_after_vk")) {
        assertThat(file.sections())
            .anySatisfy(
                found -> {
                  assertThat(found.name()).isEqualTo(section.get("name").asText());
                  assertThat(found.count()).isEqualTo(section.get("count").asLong());
                  assertThat(found.dataOffset()).isEqualTo(section.get("data_offset").asLong());
                });
      }
    }
    assertThat(Workers.threadCpuNanos() - start).isLessThan(3_000_000_000L); // a scan: minutes
  }

  private static PartitionInput input() {
    byte[] json = Golden.bytes("c1-2KiB.json");
    return PartitionInput.of(
        Commit1Codec.read(new ByteArrayInputStream(json), "c1-2KiB.json", Optional.empty())
            .output(),
        0);
  }

  private static long[] inputs() {
    List<byte[]> encodings = new ArrayList<>();
    PROOF.get("public_inputs").forEach(text -> encodings.add(Golden.hex(text)));
    return InputVector.ofLittleEndian(encodings);
  }

  @Test
  @Order(3)
  void theEightSumsAndTheProofAreTheGoldenOnes() {
    requireGoldenProof(Arithmetic.current(), "params", Synthesis.REFERENCE);
  }

  @Test
  @Order(4)
  void fromTheNativeKeyAndTheCompiledCircuitTheyAreTheSame() {
    NativeKeyWriter.Result converted = NativeKeyWriter.convert(FILE, workers, Progress.NONE);
    assertThat(converted.sourceDigest()).isEqualTo(made.digest());
    requireGoldenProof(Arithmetic.current(), "native", compiled());
  }

  /** The file is made for the lanes' order: here every coefficient of h is fetched. */
  @Test
  @Order(5)
  @Tag("nightly")
  void fromTheNativeKeyByTheScalarArithmeticToo() {
    NativeKeyWriter.convert(FILE, workers, Progress.NONE); // keeps what is there
    requireGoldenProof(Arithmetic.scalar(), "native", compiled());
  }

  private static Synthesis compiled() {
    return CompiledSynthesis.of(StackedCircuits.compile(SectorShape.of("2KiB")), workers);
  }

  private void requireGoldenProof(Arithmetic arithmetic, String layout, Synthesis synthesis) {
    CpuBackend cpu = CpuBackend.of(workers, arithmetic);
    try (ProvingKeyFile file = ProvingKeyFile.openTrusted(FILE, VK)) {
      assertThat(file.layout()).isEqualTo(layout);
      PartitionProver prover =
          PartitionProver.of(synthesis, new SumsChecked(cpu), file.provingKey(), workers);
      ProvedPartition proved =
          prover.prove(
              "2KiB",
              input(),
              Blinding.forTests(PROOF.get("r").asText(), PROOF.get("s").asText()),
              prover.timer());
      assertThat(proved.proof().hex()).isEqualTo(PROOF.get("proof_hex_192").asText());
      assertThat(proved.inputs()).isEqualTo(inputs());
      assertThat(proved.keyDigest()).isEqualTo(made.digest());
    }
  }

  /** The CPU backend, with its partial sums looked at on the way. */
  private record SumsChecked(CpuBackend cpu) implements ProverBackend {
    @Override
    public String name() {
      return cpu.name();
    }

    @Override
    public String device() {
      return cpu.device();
    }

    @Override
    public Proof prove(ProvingKey key, Assignment assignment, Blinding blinding, PhaseTimer timer) {
      CpuBackend.PartialSums sums = cpu.sums(key, assignment, timer);
      CpuBackendTest.requireSums(sums, PROOF.get("msm"));
      return sums.joined().assemble(key.vk(), blinding);
    }
  }

  @Test
  @Order(6)
  void oneFlippedByteIsFoundBeforeProving() throws IOException {
    long at = 900_000_001L;
    flip(at);
    try {
      assertThatThrownBy(() -> ParameterFile.openTrusted(FILE, VK))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining(FILE.toString())
          .hasMessageContaining("expected digest " + made.digest())
          .hasMessageContaining("(section a)");
    } finally {
      flip(at);
    }
    assertThat(TrustedDigest.require(FILE).digest()).isEqualTo(made.digest());
  }

  private static void flip(long at) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(FILE.toFile(), "rw")) {
      file.seek(at);
      int old = file.read();
      file.seek(at);
      file.write(old ^ 0x10);
    }
  }
}
