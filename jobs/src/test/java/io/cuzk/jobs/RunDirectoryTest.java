package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {
  @TempDir private Path temp;

  private RunDirectory run(Path path) {
    return new RunDirectory(path.toString(), new Configuration());
  }

  @Test
  void aDirectoryWithSomethingElseInItIsRefused() throws IOException {
    Files.writeString(temp.resolve("thesis.tex"), "precious");
    assertThatThrownBy(() -> run(temp).prepare())
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(temp.toString())
        .hasMessageContaining("holds no run");
    assertThat(temp).isDirectoryContaining(file -> file.endsWith("thesis.tex"));
  }

  @Test
  void aPlaceThatCannotBeADirectoryIsRefused() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "x");
    assertThatThrownBy(() -> run(file.resolve("run")).prepare())
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("cannot make the output directory");
  }

  @Test
  void theSectorsFileAppearsWithItsLastPartitionAndInOrder() throws IOException {
    RunDirectory run = run(temp);
    byte[] first = new byte[192];
    first[0] = 1;
    byte[] second = new byte[192];
    second[0] = 2;
    PartitionEntry entry = GoldenProof.entry(second, new byte[0]);
    run.writeEntry(
        new PartitionEntry(entry.sector(), 1, entry.proof(), null, null, 1, List.of(), null));
    assertThat(run.completeProofFile(GoldenProof.SECTOR, 2)).isFalse();
    assertThat(temp.resolve(GoldenProof.SECTOR + ".proof")).doesNotExist();
    run.writeEntry(GoldenProof.entry(first, new byte[0]));
    assertThat(run.completeProofFile(GoldenProof.SECTOR, 2)).isTrue();
    byte[] written = Files.readAllBytes(temp.resolve(GoldenProof.SECTOR + ".proof"));
    assertThat(written)
        .hasSize(384)
        .startsWith(1)
        .contains(2, org.assertj.core.data.Index.atIndex(192));
    assertThat(run.journalled(GoldenProof.SECTOR).fingerprint())
        .isEqualTo(RunDirectory.fingerprint("ab".repeat(32), "cd".repeat(16)));
  }

  @Test
  void aProofTakesThePlaceOfAFailureAndStatusCountsBoth() {
    RunDirectory run = run(temp);
    run.writePlan(
        Map.of(
            "sectors",
            List.of(
                Map.of("sector", GoldenProof.SECTOR, "partitions", 1),
                Map.of("sector", "later", "partitions", 10),
                Map.of("sector", "broken", "partitions", 0, "failure", "the file is empty"))));
    run.writeRun(Map.of("state", "running"));
    run.writeEntry(
        new PartitionEntry(
            GoldenProof.SECTOR, 0, null, PartitionEntry.PROOF, "no", 1, List.of(), null));
    RunStatus status = RunStatus.read(temp.toString(), new Configuration());
    assertThat(status.failed()).isEqualTo(2);
    assertThat(status.pending()).isEqualTo(1);
    run.writeEntry(GoldenProof.entry(new byte[192], new byte[0]));
    run.writeAfter(new PartitionEntry(GoldenProof.SECTOR, 0, null, null, null, 1, List.of(), null));
    status = RunStatus.read(temp.toString(), new Configuration());
    assertThat(status.verified()).isEqualTo(1);
    assertThat(status.failed()).isEqualTo(1);
    assertThat(status.partitionsVerified()).isEqualTo(1);
    assertThat(status.partitions()).isEqualTo(11);
  }

  @Test
  void noFileIsSeenHalfWritten() throws IOException {
    RunDirectory run = run(temp);
    run.writeEntry(GoldenProof.entry(new byte[192], new byte[0]));
    try (var files = Files.walk(temp)) {
      assertThat(files.filter(Files::isRegularFile).map(f -> f.getFileName().toString()))
          .containsExactly("000.json");
    }
  }

  @Test
  void globsDirectoriesAndFilesAreResolvedInOrderAndOnce() throws IOException {
    for (String name : List.of("b.json", "a.json", ".hidden", "c.bin")) {
      Files.writeString(temp.resolve(name), name);
    }
    Files.createDirectory(temp.resolve("sub"));
    RunFiles files = new RunFiles(new Configuration());
    assertThat(
            InputPaths.resolve(List.of(temp.resolve("c.bin").toString(), temp.toString()), files))
        .extracting(file -> file.path().substring(file.path().lastIndexOf('/') + 1))
        .containsExactly("c.bin", "a.json", "b.json");
    assertThat(InputPaths.resolve(List.of(temp + "/{a,b}.json"), files)).hasSize(2);
    assertThatThrownBy(
            () -> InputPaths.resolve(List.of(temp + "/x.json", temp + "/*.nothing"), files))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("x.json")
        .hasMessageContaining("*.nothing");
  }
}
