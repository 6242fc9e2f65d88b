package io.cuzk.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which provider a JVM of its own chooses, and what it says. */
final class LaneSourceTest {
  /** The main class of those JVMs. */
  static final class Chooser {
    private Chooser() {}

    public static void main(String[] args) {
      try {
        System.out.println("chosen " + io.cuzk.field.Arithmetic.current().name());
      } catch (RuntimeException e) {
        System.out.println("failed " + e.getMessage());
      }
    }
  }

  private static String choose(String... flags) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    command.addAll(List.of(flags));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Chooser.class.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  @Test
  void withoutTheModuleTheScalarProviderRuns() throws Exception {
    assertThat(choose()).contains("chosen scalar");
  }

  @Test
  void forcedWithoutTheModuleIsAnErrorWithTheRemedy() throws Exception {
    assertThat(choose("-Dcuzk.arithmetic=lanes"))
        .contains("failed")
        .contains("jdk.incubator.vector is absent")
        .contains("--add-modules jdk.incubator.vector");
  }

  @Test
  void narrowVectorsAreRefused() throws Exception {
    assertThat(
            choose(
                "--add-modules=jdk.incubator.vector",
                "-XX:MaxVectorSize=16",
                "-Dcuzk.arithmetic=lanes"))
        .contains("failed")
        .contains("2 doubles");
  }

  @Test
  void interpretedMultiplyAddIsRefused() throws Exception {
    assertThat(
            choose("--add-modules=jdk.incubator.vector", "-XX:-UseFMA", "-Dcuzk.arithmetic=lanes"))
        .contains("failed")
        .contains("emulated");
  }

  @Test
  void scalarCanBeForced() throws Exception {
    assertThat(choose("--add-modules=jdk.incubator.vector", "-Dcuzk.arithmetic=scalar"))
        .contains("chosen scalar");
  }
}
