package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    Fingerprint made = new Fingerprint("ab".repeat(32), "cd".repeat(16), "ef".repeat(32));
    assertThat(run.journalled(GoldenProof.SECTOR)).isEqualTo(Map.of(0, made, 1, made));
  }

  /** As a crash between two uses of one directory could leave it. */
  @Test
  void aPartitionThatWasProvedFromSomethingElseIsStaleAndItsSiblingsAreNot() throws IOException {
    RunDirectory run = run(temp);
    ProofRecord good = GoldenProof.entry(new byte[192], new byte[0]).proof();
    SectorScan scan = GoldenProof.scan("/c1/s-t01000-42.json");
    String text = null;
    for (int k = 0; k < 4; k++) {
      run.writeEntry(
          new PartitionEntry(GoldenProof.SECTOR, k, good, null, null, 1, List.of(), null));
      Path entry = temp.resolve("journal").resolve(GoldenProof.SECTOR).resolve("00" + k + ".json");
      text = Files.readString(entry);
      String changed =
          switch (k) {
            case 1 -> text.replace("ab".repeat(32), "aa".repeat(32));
            case 2 -> text.replace("ef".repeat(32), "ee".repeat(32));
            case 3 -> text.replace("\"circuit_digest\":\"" + "ef".repeat(32) + "\",", "");
            default -> text;
          };
      assertThat(changed.equals(text)).isEqualTo(k == 0);
      Files.writeString(entry, changed);
    }
    Files.write(temp.resolve(GoldenProof.SECTOR + ".proof"), new byte[4 * 192]);
    RunPlan plan = RunPlan.of(List.of(of(scan, 4)));
    Preflight preflight = preflight("ef".repeat(32));
    assertThatThrownBy(() -> MissingPartitions.of(run, plan, preflight, StaleProofs.REFUSE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(temp + " has proofs of 1 of these C1 files")
        .hasMessageContaining(
            "1 partition by another circuit (circuit_digest %s then, %s now)"
                .formatted("ee".repeat(32), "ef".repeat(32)))
        .hasMessageContaining("spark.cuzk.stale=keep");
    assertThat(MissingPartitions.of(run, plan, preflight, StaleProofs.KEEP).stale())
        .isEqualTo(Map.of(GoldenProof.SECTOR, List.of(1)));
    MissingPartitions missing = MissingPartitions.of(run, plan, preflight, StaleProofs.REPLACE);
    assertThat(missing.stale()).isEqualTo(Map.of(GoldenProof.SECTOR, List.of(1, 2)));
    assertThat(missing.tasks()).extracting(PartitionTask::partition).containsExactly(1, 2);
    missing.stale().forEach(run::forget);
    assertThat(temp.resolve(GoldenProof.SECTOR + ".proof")).doesNotExist();
    assertThat(run.completeProofFile(GoldenProof.SECTOR, 4)).isFalse();
    assertThat(run.journalled(GoldenProof.SECTOR)).containsOnlyKeys(0, 3);
  }

  @Test
  void proofsOfAnotherKeyAreDeletedOnlyWhereTheUserSaysSo() {
    RunDirectory run = run(temp);
    ProofRecord good = GoldenProof.entry(new byte[192], new byte[0]).proof();
    for (int k = 0; k < 2; k++) {
      run.writeEntry(
          new PartitionEntry(GoldenProof.SECTOR, k, good, null, null, 1, List.of(), null));
    }
    RunPlan plan = RunPlan.of(List.of(of(GoldenProof.scan("/c1/s-t01000-42.json"), 2)));
    Preflight other = preflight("dd".repeat(16), "ee".repeat(32));
    for (String policy : List.of(StaleProofs.REFUSE, StaleProofs.KEEP)) {
      assertThatThrownBy(() -> MissingPartitions.of(run, plan, other, policy))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining(
              "2 partitions with another key (key_digest %s then, %s now)"
                  .formatted("cd".repeat(16), "dd".repeat(16)))
          .hasMessageContaining("--params")
          .hasMessageContaining("another --out")
          .hasMessageContaining("spark.cuzk.stale=replace");
    }
    assertThat(MissingPartitions.of(run, plan, other, StaleProofs.REPLACE).stale())
        .isEqualTo(Map.of(GoldenProof.SECTOR, List.of(0, 1)));
  }

  @Test
  void theSectorsFileFollowsTheJournalAndAFailureNeverHidesAProof() throws IOException {
    RunDirectory run = run(temp);
    Path file = Files.write(temp.resolve(GoldenProof.SECTOR + ".proof"), new byte[192]);
    byte[] proof = new byte[192];
    proof[7] = 1;
    run.writeEntry(GoldenProof.entry(proof, new byte[0]));
    run.writeEntry(PartitionEntry.lost(GoldenProof.SECTOR, 0, "its executor died"));
    assertThat(run.progress(GoldenProof.SECTOR)).isEqualTo(new RunDirectory.Progress(1, 0));
    assertThat(run.completeProofFile(GoldenProof.SECTOR, 1)).isTrue();
    assertThat(file).hasBinaryContent(proof);
  }

  private static SectorScan of(SectorScan scan, int partitions) {
    return new SectorScan(
        scan.path(),
        scan.bytes(),
        scan.sha256(),
        scan.registeredProof(),
        scan.sectorSize(),
        scan.sectorSizeBytes(),
        partitions,
        scan.replicaId(),
        scan.commR(),
        scan.commD(),
        scan.minerId(),
        scan.sectorNumber(),
        true,
        0,
        scan.deadlineMillis(),
        null);
  }

  private static Preflight preflight(String circuit) {
    return preflight("cd".repeat(16), circuit);
  }

  private static Preflight preflight(String digest, String circuit) {
    Preflight.KeyFound key =
        new Preflight.KeyFound("2KiB", "k", "/p/k.params", "params", 1, digest, circuit, "v");
    return new Preflight("host", "driver", 0, "cpu", "cpu", "as asked", List.of(key), null, null);
  }

  /** Every place at which a process can be killed while it swaps datasets. */
  @Test
  void aSwapOfDatasetsThatIsCutOffIsReadWholeAndHealed() throws IOException {
    for (int step = 0; step <= 10; step++) {
      Path root = Files.createDirectories(temp.resolve("step" + step));
      RunDirectory run = run(root);
      run.writePlan(Map.of("sectors", List.of()));
      run.writeRun(Map.of("state", "running"));
      for (String name : DatasetPlaces.ALL) {
        write(root.resolve(name), "former");
        write(root.resolve("_" + name + ".new"), "fresh");
      }
      int left = step;
      boolean ready = left-- > 0;
      if (ready) {
        Files.createFile(root.resolve("_datasets.ready"));
      }
      for (String name : DatasetPlaces.ALL) {
        if (left-- > 0) {
          Files.move(root.resolve(name), root.resolve("_" + name + ".old"));
        }
        if (left-- > 0) {
          Files.move(root.resolve("_" + name + ".new"), root.resolve(name));
        }
      }
      if (left-- > 0) {
        Files.delete(root.resolve("_datasets.ready"));
      }
      String expected = ready ? "fresh" : "former";
      for (String name : DatasetPlaces.ALL) {
        assertThat(Path.of(new DatasetPlaces(run).toRead(name).toUri()).resolve("part"))
            .as("step %d, %s", step, name)
            .hasContent(expected);
      }
      RunStatus.read(root.toString(), new Configuration());
      new DatasetPlaces(run).heal();
      for (String name : DatasetPlaces.ALL) {
        assertThat(root.resolve(name).resolve("part")).hasContent(expected);
        assertThat(root.resolve("_" + name + ".new")).doesNotExist();
      }
      assertThat(root.resolve("_datasets.ready")).doesNotExist();
    }
  }

  /** What versions before {@code _datasets.ready} left when they were killed. */
  @Test
  void aDatasetThatIsAbsentIsReadFromBesideItsPlaceAndStatusPutsItBack() throws IOException {
    RunDirectory run = run(temp);
    run.writePlan(Map.of("sectors", List.of()));
    run.writeRun(Map.of("state", "finished", "schema_version", 1));
    write(temp.resolve("_proofs.old"), "former");
    write(temp.resolve("_proofs.new"), "fresh");
    assertThat(RunData.open(temp.toString(), new Configuration()).has(RunData.PROOFS)).isTrue();
    assertThat(Path.of(new DatasetPlaces(run).toRead("proofs").toUri()).resolve("part"))
        .hasContent("former");
    RunStatus.read(temp.toString(), new Configuration());
    assertThat(temp.resolve("proofs/part")).hasContent("former");
    assertThat(RunData.open(temp.toString(), new Configuration()).has(RunData.PHASES)).isFalse();
  }

  @Test
  void whatIsReadTogetherIsOfOneCommitOrTheReaderIsTold() throws IOException {
    DatasetPlaces places = new DatasetPlaces(run(temp));
    for (String name : DatasetPlaces.ALL) {
      write(temp.resolve(name), "first");
    }
    List<String> read = new ArrayList<>();
    String together =
        places.readTogether(
            () -> {
              read.add(content("proofs"));
              if (read.size() == 1) {
                commit(places, "second");
              }
              return read.getLast() + " " + content("sectors");
            });
    assertThat(together).isEqualTo("second second");
    assertThat(read).containsExactly("first", "second");
    assertThatThrownBy(
            () ->
                places.readTogether(
                    () -> {
                      commit(places, "another");
                      throw new IllegalStateException("the file is gone");
                    }))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("the run in " + temp + " is being written")
        .hasMessageContaining("try again");
    assertThatThrownBy(
            () ->
                places.readTogether(
                    () -> {
                      throw new InvalidInputException("no key");
                    }))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("no key");
  }

  private String content(String dataset) {
    try {
      Path part = temp.resolve(dataset).resolve("part-" + commits);
      return Files.readString(commits == 0 ? part.resolveSibling("part") : part);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int commits;

  private void commit(DatasetPlaces places, String content) {
    commits++;
    try {
      for (String name : DatasetPlaces.ALL) {
        Path fresh = Files.createDirectories(temp.resolve("_" + name + ".new"));
        Files.writeString(fresh.resolve("part-" + commits), content);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    places.swap();
  }

  private static void write(Path dataset, String content) throws IOException {
    Files.createDirectories(dataset);
    Files.writeString(dataset.resolve("part"), content);
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
