package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.InvalidInputException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunPlanTest {
  private static SectorScan scan(String path, String sha256, int replica, Long miner, Long sector) {
    byte[] id = new byte[32];
    id[0] = (byte) replica;
    return new SectorScan(
        path,
        100,
        sha256,
        "StackedDrg2KiBV1_1",
        "2KiB",
        2048,
        1,
        id,
        new byte[32],
        new byte[32],
        miner,
        sector,
        miner != null,
        0,
        io.cuzk.prover.PartitionOrder.NO_DEADLINE,
        null);
  }

  private static SectorScan broken(String path) {
    return SectorScan.failed(path, 5, null, "the file is empty");
  }

  @Test
  void namesAreTheChainsWhereMinerAndSectorAreCheckedElseTheFiles() {
    RunPlan plan =
        RunPlan.of(
            List.of(
                scan("file:/c1/a.json", "aa", 1, 1000L, 7L),
                scan("file:/c1/b.tar.json", "bb", 2, null, 8L),
                broken("file:/c1/c.json")));
    assertThat(plan.sectors())
        .extracting(RunPlan.PlannedSector::name)
        .containsExactly("s-t01000-7", "b.tar", "c");
    assertThat(plan.provable()).hasSize(2);
    assertThat(plan.sectorSizes()).containsExactly("2KiB");
  }

  @Test
  void sameContentSameSectorAndSameOutputAreRefusedWithBothFiles() {
    assertThatThrownBy(
            () ->
                RunPlan.of(
                    List.of(scan("/a/x", "aa", 1, null, null), scan("/b/y", "aa", 1, null, null))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("/a/x and /b/y have the same content");
    assertThatThrownBy(
            () ->
                RunPlan.of(
                    List.of(scan("/a/x", "aa", 1, null, null), scan("/b/y", "bb", 1, null, null))))
        .hasMessageContaining("are of one sector (replica_id 01");
    assertThatThrownBy(
            () ->
                RunPlan.of(
                    List.of(scan("/a/x", "aa", 1, null, null), scan("/b/x", "bb", 2, null, null))))
        .hasMessageContaining("would both write x.proof");
  }

  @Test
  void sectorsOfEarlierRunsAreKeptUnlessTheyAreAskedForAgain() throws Exception {
    RunPlan first =
        RunPlan.of(
            List.of(
                scan("file:/c1/a.json", "aa", 1, 1000L, 7L),
                scan("file:/c1/s-t01000-8.json", "bb", 2, 1000L, 8L),
                broken("file:/c1/c.json"),
                broken("file:/c1/d.json")));
    List<RunPlan.PlannedSector> earlier = read(first);
    RunPlan second =
        RunPlan.of(
            List.of(
                scan("file:/c1/a.json", "ab", 1, 1000L, 7L),
                broken("file:/c1/s-t01000-8.json"),
                scan("file:/c1/c.json", "cc", 3, 1000L, 9L)),
            earlier);
    assertThat(second.sectors())
        .extracting(RunPlan.PlannedSector::name)
        .containsExactly("s-t01000-7", "s-t01000-8~2", "s-t01000-9");
    assertThat(second.kept())
        .extracting(RunPlan.PlannedSector::name)
        .containsExactly("s-t01000-8", "d");
    SectorScan kept = second.kept().getFirst().scan();
    assertThat(kept.sha256()).isEqualTo("bb");
    assertThat(kept.minerId()).isEqualTo(1000L);
    assertThat(kept.sectorNumber()).isEqualTo(8L);
    assertThat(kept.registeredProof()).isEqualTo("StackedDrg2KiBV1_1");
    assertThat(kept.sectorSizeBytes()).isEqualTo(2048);
    assertThat(second.kept().getLast().scan().failure()).isEqualTo("the file is empty");
    RunPlan third =
        RunPlan.of(List.of(scan("file:/c1/s-t01000-8.json", "bb", 2, 1000L, 8L)), read(second));
    assertThat(third.kept())
        .extracting(RunPlan.PlannedSector::name)
        .containsExactly("s-t01000-7", "s-t01000-9", "d");
  }

  @Test
  void theSameContentUnderAnotherNameIsNotProvedAgain() throws Exception {
    List<RunPlan.PlannedSector> unnamed =
        read(RunPlan.of(List.of(scan("file:/c1/c1-42.json", "aa", 1, null, null))));
    assertThatThrownBy(
            () -> RunPlan.of(List.of(scan("file:/c1/c1-42.json", "aa", 1, 1000L, 42L)), unnamed))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("/c1/c1-42.json has the content that sector c1-42 ")
        .hasMessageContaining("would be proved again as s-t01000-42")
        .hasMessageContaining("--miner")
        .hasMessageContaining("another --out");
    assertThatThrownBy(
            () -> RunPlan.of(List.of(scan("file:/new/renamed.json", "aa", 1, null, null)), unnamed))
        .hasMessageContaining("/new/renamed.json has the content that sector c1-42 ")
        .hasMessageContaining("(/c1/c1-42.json)")
        .hasMessageContaining("again as renamed");
    // Moved, or changed, or done twice by an earlier program: nothing to refuse.
    assertThat(
            RunPlan.of(List.of(scan("file:/new/c1-42.json", "aa", 1, null, null)), unnamed).kept())
        .isEmpty();
    RunPlan.of(List.of(scan("file:/c1/c1-42.json", "bb", 1, 1000L, 42L)), unnamed);
    List<RunPlan.PlannedSector> twice = new java.util.ArrayList<>(unnamed);
    twice.addAll(read(RunPlan.of(List.of(scan("file:/c1/c1-42.json", "aa", 1, 1000L, 42L)))));
    assertThat(RunPlan.of(List.of(scan("file:/c1/c1-42.json", "aa", 1, 1000L, 42L)), twice).kept())
        .hasSize(1);
  }

  /** As the next run reads it from {@code plan.json}. */
  private static List<RunPlan.PlannedSector> read(RunPlan plan) throws Exception {
    ObjectMapper json = new ObjectMapper();
    return RunPlan.read(
        json.readTree(json.writeValueAsString(Map.of("sectors", plan.allToJson()))));
  }

  @Test
  void aBrokenFileNeverTakesAGoodOnesName() {
    RunPlan plan =
        RunPlan.of(
            List.of(
                broken("/a/x.json"), scan("/b/x.json", "bb", 2, null, null), broken("/c/x.json")));
    assertThat(plan.sectors())
        .extracting(RunPlan.PlannedSector::name)
        .containsExactly("x~2", "x", "x~3");
  }
}
