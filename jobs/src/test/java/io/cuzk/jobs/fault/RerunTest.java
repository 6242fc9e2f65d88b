package io.cuzk.jobs.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.jobs.CustomShape;
import io.cuzk.jobs.Progress;
import io.cuzk.jobs.ProveAction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is in a run directory when a task or a run comes to it again, and where it is not. */
@Timeout(600)
class RerunTest {
  @TempDir private static Path kept;
  @TempDir private Path temp;

  private Path faults;

  /** Two sectors of two partitions each, proved, for all tests to copy. */
  @BeforeAll
  static void make() throws IOException {
    TrapdoorKey.write(kept.resolve("params"), CustomShape.parse(SmallSectors.SHAPE));
    SmallSectors.seal(kept.resolve("c1"), 1, 2);
    assertThat(prove(kept.resolve("run").toString(), Progress.NONE).verified()).isEqualTo(2);
  }

  @BeforeEach
  void faults() throws IOException {
    faults = Files.createDirectories(temp.resolve("faults"));
    System.setProperty("cuzk.faults", faults.toString());
  }

  @AfterEach
  void end() {
    System.clearProperty("cuzk.faults");
  }

  private static ProveAction.Result prove(String output, Progress progress, String... settings) {
    return SmallRuns.prove(
        kept.resolve("c1").toString(), kept.resolve("params"), output, progress, settings);
  }

  private String run() {
    return temp.resolve("run").toString();
  }

  /** Puts what another task proved into this run's journal. */
  private void arrive(String entry) {
    try {
      Path place = temp.resolve("run/journal").resolve(entry);
      Files.createDirectories(place.getParent());
      Files.copy(
          kept.resolve("run/journal").resolve(entry), place, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Spark tries a task again whose executor died before the driver had its report, or runs a second
   * one beside it: the first proof may be there before the second begins, or while it is made.
   */
  @Test
  void aProofThatIsThereIsNotMadeTwiceAndTheSectorsFileIsWhatTheJournalHolds() throws IOException {
    Files.writeString(faults.resolve("delay"), "1000");
    Path log = Files.createDirectories(faults.resolve("log"));
    Thread meanwhile =
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  while (log.toFile().list().length == 0) {
                    Thread.onSpinWait();
                  }
                  arrive("s-t01000-1/001.json");
                  arrive("s-t01000-2/000.json");
                });
    Progress others =
        Meddling.at(
            Meddling.PROVING,
            () -> {
              arrive("s-t01000-1/000.json");
              copy("s-t01000-2.proof"); // of the task that died: 001 will be another
              meanwhile.start();
            });
    assertThat(prove(run(), others).verified()).isEqualTo(2);
    for (String entry : List.of("s-t01000-1/000", "s-t01000-1/001", "s-t01000-2/000")) {
      String file = "run/journal/" + entry + ".json";
      assertThat(temp.resolve(file)).hasSameBinaryContentAs(kept.resolve(file));
    }
    assertThat(Files.readAllBytes(temp.resolve("run/s-t01000-2.proof")))
        .startsWith(java.util.Arrays.copyOf(first("s-t01000-2.proof"), 192))
        .isNotEqualTo(first("s-t01000-2.proof"));
    assertThat(temp.resolve("run/s-t01000-1.proof")).hasBinaryContent(first("s-t01000-1.proof"));
  }

  private static byte[] first(String name) throws IOException {
    return Files.readAllBytes(kept.resolve("run").resolve(name));
  }

  private void copy(String name) throws IOException {
    Files.write(temp.resolve("run").resolve(name), first(name));
  }

  @Test
  void aRunDirectoryThatIsAnotherOneOnTheExecutorsIsRefusedBeforeAnyProof() {
    assertThatThrownBy(
            () ->
                prove(
                    "own:" + run(),
                    Progress.NONE,
                    "spark.hadoop.fs.own.impl",
                    OwnDiskFileSystem.class.getName()))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("own:" + run() + " on ")
        .hasMessageContaining("is not the run directory that the driver sees")
        .hasMessageContaining("name one that all hosts share");
    assertThat(temp.resolve("run")).doesNotExist();
    assertThat(temp.resolve("own")).doesNotExist();
  }

  @Test
  void aProofThatWasReportedAndIsNotThereIsSaidWithWhoReportedIt() {
    Progress loses =
        Meddling.asProved(
            done -> {
              if (done == 4) {
                Files.delete(temp.resolve("run/journal/s-t01000-1/001.json"));
                Files.delete(temp.resolve("run/s-t01000-1.proof"));
              }
            });
    ProveAction.Result result = prove(run(), loses);
    assertThat(result.verified()).isEqualTo(1);
    assertThat(result.failures()).hasSize(1);
    assertThat(result.failures().getFirst().kind()).isEqualTo("infrastructure");
    assertThat(result.failures().getFirst().reason())
        .startsWith("1 of 2 partitions were proved: proofs were reported (1 by ")
        .contains("that are not in " + run() + "/journal/s-t01000-1 as the driver sees it");
  }

  @Test
  void proofsByAnotherCircuitAreLeftAloneUnlessToldOtherwise() throws IOException {
    copyRun();
    Path entry = temp.resolve("run/journal/s-t01000-2/001.json");
    String text = Files.readString(entry);
    String changed =
        text.replaceFirst("(\"circuit_digest\":\")[0-9a-f]{64}", "$1" + "ee".repeat(32));
    assertThat(changed).isNotEqualTo(text);
    Files.writeString(entry, changed);
    assertThatThrownBy(() -> prove(run(), Progress.NONE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("1 partition by another circuit (circuit_digest " + "ee".repeat(32))
        .hasMessageContaining("spark.cuzk.stale=keep");
    assertThat(entry).hasContent(changed);
    assertThat(temp.resolve("run/s-t01000-2.proof")).exists();
    ProveAction.Result result = prove(run(), Progress.NONE, "spark.cuzk.stale", "keep");
    assertThat(result.partitionsFoundDone()).isEqualTo(4);
    assertThat(entry).hasContent(changed);
  }

  private void copyRun() throws IOException {
    try (Stream<Path> files = Files.walk(kept.resolve("run"))) {
      for (Path file : files.toList()) {
        Files.copy(file, temp.resolve("run").resolve(kept.resolve("run").relativize(file)));
      }
    }
  }
}
