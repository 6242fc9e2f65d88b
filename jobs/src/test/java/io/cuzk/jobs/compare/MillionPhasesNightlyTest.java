package io.cuzk.jobs.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two runs of a million phases each: what is slower is named. Prints how long it took. */
@Tag("nightly")
@Timeout(1800)
class MillionPhasesNightlyTest {
  @TempDir private Path temp;

  @Test
  void aSmallChangeInAMillionPhasesIsNamed() {
    int partitions = Math.ceilDiv(1_000_000, SyntheticRun.TYPICAL.size());
    Path a = new SyntheticRun(1, 0.05).executors(20).write(temp.resolve("a"), partitions);
    Path b =
        new SyntheticRun(2, 0.05)
            .executors(20)
            .slower("msm.h", 1.01)
            .write(temp.resolve("b"), partitions);
    long begun = System.nanoTime();
    RunComparison found =
        RunComparison.of(List.of(a.toString(), b.toString()), List.of(), new Configuration());
    System.out.printf(
        "compare of 2 × %d phases: %.2f s%n",
        partitions * SyntheticRun.TYPICAL.size(), (System.nanoTime() - begun) * 1e-9);
    Comparison one = found.comparisons().getFirst();
    assertThat(one.culprit()).get().extracting(PhaseDifference::phase).isEqualTo("msm.h");
    for (PhaseDifference row : one.phases()) {
      assertThat(row.verdict())
          .as(row.phase())
          .isEqualTo(row.phase().equals("msm.h") ? Verdict.SLOWER : Verdict.NO_DIFFERENCE);
      assertThat(row.judged().beforeCount()).isEqualTo(partitions);
    }
  }
}
