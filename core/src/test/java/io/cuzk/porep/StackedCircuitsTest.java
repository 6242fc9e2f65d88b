package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InvalidInputException;
import io.cuzk.circuit.CircuitFile;
import io.cuzk.circuit.CompactAssignment;
import io.cuzk.circuit.CompiledCircuit;
import io.cuzk.gadget.Bool;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.RowDigest;
import io.cuzk.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiled circuits in files: written once, read whole or not at all. */
class StackedCircuitsTest {
  private static final SectorShape SHAPE = SectorShape.of("2KiB");

  @TempDir private Path directory;

  @Test
  void aSavedCircuitIsTheSame() throws Exception {
    CompiledCircuit made = StackedCircuits.load(directory, SHAPE);
    Path file = StackedCircuits.file(directory, SHAPE);
    long modified = Files.getLastModifiedTime(file).toMillis();
    CompiledCircuit read = StackedCircuits.load(directory, SHAPE);
    assertThat(Files.getLastModifiedTime(file).toMillis()).isEqualTo(modified);
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).containsExactly(file);
    }
    assertThat(read.fingerprint()).isEqualTo(made.fingerprint());
    Path plain = Files.createFile(directory.resolve("plain"));
    assertThat(Files.getPosixFilePermissions(file))
        .as("readable by whom any file is")
        .isEqualTo(Files.getPosixFilePermissions(plain));
    assertThat(Files.size(file)).isLessThan(8_000_000);
    var golden = Golden.json("circuit-2KiB.json");
    RowDigest.Result rows = RowDigest.of(read.expand(), 65536, 0);
    assertThat(rows.sha256()).isEqualTo(golden.get("rows_sha256").asText());
    StackedCircuit circuit = StackedCircuit.of(StackedCircuitWitnessTest.input2KiB());
    CompactAssignment assignment = read.assign(circuit, Workers.single());
    StackedCircuitWitnessTest.check(assignment, golden, 65536);
  }

  @Test
  void damagedFilesAreRefused() throws IOException {
    StackedCircuits.load(directory, SHAPE);
    Path file = StackedCircuits.file(directory, SHAPE);
    byte[] good = Files.readAllBytes(file);
    for (int at : new int[] {0, 8, 39, 41, 60, 200, good.length / 2, good.length - 1}) {
      byte[] bad = good.clone();
      bad[at] ^= 1;
      Files.write(file, bad);
      refused(file).hasMessageContaining(at < 8 ? "no compiled circuit" : "damaged: SHA-256");
    }
    for (int length : new int[] {0, 7, 40, 47, good.length - 1}) {
      Files.write(file, Arrays.copyOf(good, length));
      refused(file);
    }
    Files.write(file, good);
    assertThat(StackedCircuits.load(directory, SHAPE).rows()).isEqualTo(2_687_961);
  }

  private org.assertj.core.api.AbstractThrowableAssert<?, ?> refused(Path file) {
    return assertThatThrownBy(() -> StackedCircuits.load(directory, SHAPE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("delete it");
  }

  @Test
  void foreignAndStaleFilesAreRefused() {
    CompiledCircuit circuit = StackedCircuits.compile(SHAPE);
    Path file = directory.resolve("x.circuit");
    CircuitFile.save(circuit, "code of last year", file);
    assertThatThrownBy(() -> CircuitFile.open(file, circuit.name(), "code of today"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("its maker is 'code of last year', expected 'code of today'");
    assertThatThrownBy(() -> CircuitFile.open(file, "another", "code of last year"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("its circuit is '" + circuit.name() + "', expected 'another'");
  }

  @Test
  void aDirectoryThatCannotBeWrittenCostsOnlyTime() {
    Path missing = directory.resolve("missing");
    assertThat(StackedCircuits.load(missing, SHAPE).rows()).isEqualTo(2_687_961);
    assertThat(missing).doesNotExist();
  }

  @Test
  void theCodesDigestCoversEveryGadget() throws IOException {
    List<String> files = CircuitCode.classFiles(Bool.class);
    assertThat(files)
        .contains("Bool.class", "Bool$Kind.class", "MultiEq.class", "Sha256Gadget.class")
        .allMatch(name -> name.endsWith(".class"));
    // the same by the jar's table as by the directory's
    assertThat(CircuitCode.classFiles(com.fasterxml.jackson.core.JsonFactory.class))
        .contains("JsonFactory.class", "JsonParser.class")
        .noneMatch(name -> name.contains("/"));
    assertThat(CircuitCode.digest()).matches("[0-9a-f]{64}");
  }
}
