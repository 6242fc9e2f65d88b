package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import java.io.File;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunSpaceTest {
  @TempDir private File temp;

  @Test
  void everyLocalDirectoryNeedsRoom() {
    File missing = new File(temp, "missing");
    assertThatCode(() -> RunSpace.require(List.of(temp, temp), 1)).doesNotThrowAnyException();
    assertThatThrownBy(() -> RunSpace.require(List.of(temp, missing), RunSpace.TEMPORARY))
        .isInstanceOf(InfrastructureException.class)
        .hasMessage(missing + " has 0 bytes free; 16777216 are needed in each temporary directory");
    assertThatThrownBy(() -> RunSpace.require(List.of(temp, missing), Long.MAX_VALUE))
        .hasMessageContaining(temp + " has ")
        .hasMessageContaining(", " + missing + " has 0 bytes free");
  }
}
