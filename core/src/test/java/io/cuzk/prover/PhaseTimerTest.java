package io.cuzk.prover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.parallel.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhaseTimerTest {
  @TempDir private Path temp;

  @Test
  void everyPhaseIsAnEventOfTheFlightRecorderAFailedOneToo() throws IOException {
    Path file = temp.resolve("r.jfr");
    PhaseTimer timer = PhaseTimer.of(Workers.single());
    try (Recording recording = new Recording()) {
      recording.enable("io.cuzk.Phase");
      recording.start();
      assertThat(timer.<Integer>time("msm.h", () -> 7)).isEqualTo(7);
      assertThatThrownBy(
              () ->
                  timer.run(
                      "quotient",
                      () -> {
                        throw new IllegalStateException("no");
                      }))
          .hasMessage("no");
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("io.cuzk.Phase"))
            .toList();
    assertThat(events)
        .extracting(event -> event.getString("phase"))
        .containsExactlyInAnyOrder("msm.h", "quotient");
    assertThat(timer.phases()).extracting(Phase::name).containsExactly("msm.h", "quotient");
    timer.ended("device.wait", 1_000_000);
    assertThat(timer.phases().getLast().wallNanos()).isEqualTo(1_000_000);
  }
}
