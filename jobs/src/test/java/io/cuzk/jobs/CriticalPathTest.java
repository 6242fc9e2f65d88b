package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The critical path of runs small enough to follow by hand. */
class CriticalPathTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path temp;

  private final List<ProofRecord> proofs = new ArrayList<>();
  private final List<PhaseRecord> phases = new ArrayList<>();

  private void task(String session, String sector, String executor, long begin, long seconds) {
    proofs.add(GoldenProof.at(session, sector, 0, 1, executor, begin, seconds * SECOND));
  }

  private void phase(String session, String sector, String name, long start, long seconds) {
    phases.add(
        new PhaseRecord(
            1,
            session,
            sector,
            0,
            0,
            name,
            start * SECOND,
            seconds * SECOND,
            null,
            "cpu",
            "cpu",
            "host",
            "x"));
  }

  private Optional<CriticalPath> path() throws IOException {
    Files.writeString(
        temp.resolve("run.json"),
        "{\"format\":\"cuzk-run\",\"schema_version\":1,\"run_id\":\"now\"}");
    DatasetWriter.write(temp.resolve("proofs"), ProofRecord.TYPE, proofs);
    DatasetWriter.write(temp.resolve("phases"), PhaseRecord.TYPE, phases);
    return CriticalPath.read(temp.toString(), new Configuration());
  }

  @Test
  void theChainIsOfTheExecutorThatEndsLast() throws IOException {
    // executor 0: [100, 110) and [112, 122); executor 1: [101, 104), [104, 121) with its write
    task("now", "a", "0", 100, 10);
    task("now", "b", "0", 112, 10);
    task("now", "c", "1", 101, 3);
    task("now", "d", "1", 104, 17);
    task("before", "e", "1", 500, 100); // of another session
    phase("now", "a", "queue.wait", 0, 50);
    phase("now", "a", "synthesis.witness", 0, 4);
    phase("now", "a", "msm.h", 2, 7); // from second 2 to 9: two seconds of it beside synthesis
    phase("now", "b", "msm.h", 1, 9);
    phase("now", "b", "write", 10, 1); // after the proof: the chain ends at 123
    phase("now", "d", "msm.h", 0, 17);
    CriticalPath path = path().orElseThrow();
    assertThat(path.executor()).isEqualTo("0");
    assertThat(path.tasks()).isEqualTo(2);
    assertThat(path.seconds()).isCloseTo(23, within(1e-9));
    assertThat(path.phases())
        .containsExactly(
            entry("msm.h", 14.0), entry("synthesis.witness", 4.0), entry("write", 1.0));
    // 109 to 112 and 112 to 113
    assertThat(path.elsewhereSeconds()).isCloseTo(4, within(1e-9));
    assertThat(path.toJson()).containsEntry("executor", "0").containsEntry("tasks", 2);
  }

  @Test
  void tasksThatOverlapOnOneExecutorAreNotOneChain() throws IOException {
    task("now", "a", "0", 0, 10);
    task("now", "b", "0", 4, 10);
    task("now", "c", "0", 10, 10); // took the place of a
    phase("now", "a", "msm.h", 0, 10);
    phase("now", "b", "msm.h", 0, 10);
    phase("now", "c", "msm.l", 0, 10);
    CriticalPath path = path().orElseThrow();
    assertThat(path.tasks()).isEqualTo(2);
    assertThat(path.phases()).containsExactly(entry("msm.h", 10.0), entry("msm.l", 10.0));
    assertThat(path.elsewhereSeconds()).isCloseTo(0, within(1e-9));
  }

  @Test
  void aSessionWithoutAProofHasNone() throws IOException {
    task("before", "a", "0", 0, 10);
    assertThat(path()).isEmpty();
  }
}
