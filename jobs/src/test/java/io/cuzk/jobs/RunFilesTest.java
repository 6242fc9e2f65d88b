package io.cuzk.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFilesTest {
  @TempDir private Path temp;

  private static RunFiles files() {
    Configuration hadoop = new Configuration();
    hadoop.setClass("fs.hooked.impl", HookedFileSystem.class, FileSystem.class);
    hadoop.setBoolean("fs.hooked.impl.disable.cache", true);
    return new RunFiles(hadoop);
  }

  @AfterEach
  void mend() {
    HookedFileSystem.REPLACED.set(0);
  }

  @Test
  void aFileThatIsReplacedWhileItIsReadIsReadAgain() {
    RunFiles files = files();
    var file = new org.apache.hadoop.fs.Path("hooked:" + temp.resolve("run.json"));
    files.write(file, "whole".getBytes(UTF_8));
    HookedFileSystem.REPLACED.set(3);
    assertThat(files.read(file, 100)).asString(UTF_8).isEqualTo("whole");
    assertThat(HookedFileSystem.REPLACED).hasValue(0);
  }

  @Test
  void oneThatCanNeverBeReadIsSaidWithTheReason() {
    RunFiles files = files();
    var file = new org.apache.hadoop.fs.Path("hooked:" + temp.resolve("run.json"));
    files.write(file, "whole".getBytes(UTF_8));
    HookedFileSystem.REPLACED.set(Integer.MAX_VALUE);
    assertThatThrownBy(() -> files.read(file, 100))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("run.json")
        .hasMessageContaining("Blocklist has changed!");
  }
}
