package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NvmlTest {
  @Test
  void everyReadingIsTheLibrarys(@TempDir Path directory) throws Exception {
    FakeDriver driver = FakeDriver.build(directory);
    String library = driver.directory().resolve("libnvidia-ml.so.1").toString();
    try (Nvml.Opened opened = Nvml.open(library)) {
      assertThat(opened.missing()).isEmpty();
      assertThat(opened.read("GPU-10111213-1415-1617-1819-1a1b1c1d1e1f"))
          .contains(
              new Nvml.Reading(
                  "Fake GPU 0",
                  "580.00.01",
                  OptionalLong.of(64L << 30),
                  OptionalLong.of(24L << 30),
                  OptionalLong.of(1980),
                  OptionalLong.of(3201),
                  OptionalLong.of(51),
                  OptionalLong.of(412345),
                  OptionalLong.of(3)));
      assertThat(opened.read("GPU-of-another-machine")).isEmpty();
    }
  }

  @Test
  void withoutTheLibraryTheReasonIsGiven() {
    try (Nvml.Opened opened = Nvml.open("libnvidia-ml-that-is-not-there.so.1")) {
      assertThat(opened.read("GPU-x")).isEqualTo(Optional.empty());
      assertThat(opened.missing()).contains("libnvidia-ml-that-is-not-there.so.1", "driver");
    }
  }

  @Test
  void aLibraryThatLacksWhatIsCalledIsNoReason() {
    try (Nvml.Opened opened = Nvml.open("libc.so.6")) {
      assertThat(opened.read("GPU-x")).isEmpty();
      assertThat(opened.missing()).contains("libc.so.6: nvmlInit: error -1");
    }
  }
}
