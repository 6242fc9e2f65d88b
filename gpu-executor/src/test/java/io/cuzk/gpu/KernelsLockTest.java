package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The PTX that ships is what the lock file says, and what the sources are compiled to. */
class KernelsLockTest {
  static final Path RESOURCES = Path.of("src/main/resources/io/cuzk/gpu");
  static final Path LOCK = RESOURCES.resolve("kernels.lock");
  private static final Path SOURCES = Path.of("src/main/cuda");
  private static final String REMEDY = "run gpu-executor/bin/build-ptx and commit what it writes";

  @Test
  void everySourceHasItsDigest() throws Exception {
    requireDigests("source", SOURCES, "");
  }

  @Test
  void everyPtxHasItsDigest() throws Exception {
    requireDigests("ptx", RESOURCES, ".ptx");
  }

  private static void requireDigests(String kind, Path directory, String suffix) throws Exception {
    TreeSet<String> locked = new TreeSet<>();
    for (String line : Files.readAllLines(LOCK)) {
      String[] words = line.split(" ");
      if (words[0].equals(kind)) {
        assertThat(sha256(directory.resolve(words[1])))
            .as("sha256 of %s; %s", directory.resolve(words[1]), REMEDY)
            .isEqualTo(words[2]);
        locked.add(words[1]);
      }
    }
    try (Stream<Path> files = Files.list(directory)) {
      List<String> names =
          files.map(f -> f.getFileName().toString()).filter(f -> f.endsWith(suffix)).toList();
      assertThat(locked)
          .as("what %s locks in %s; %s", LOCK, directory, REMEDY)
          .hasSameElementsAs(names);
    }
  }

  @Test
  void theCompilerMakesTheSameBytes(@TempDir Path made) throws Exception {
    assumeTrue(
        onPath("clang-19"), "clang-19 is not installed, so that the PTX cannot be made again here");
    Process build =
        new ProcessBuilder("bin/build-ptx", "--to", made.toString()).inheritIO().start();
    assertThat(build.waitFor()).as("exit code of bin/build-ptx").isZero();
    String found = Files.readAllLines(made.resolve("kernels.lock")).getFirst();
    String locked = Files.readAllLines(LOCK).getFirst();
    try (Stream<Path> files = Files.list(made)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".ptx")).toList()) {
        assertThat(Files.mismatch(file, RESOURCES.resolve(file.getFileName().toString())))
            .as("%s differs; made by '%s', locked '%s'; %s", file, found, locked, REMEDY)
            .isEqualTo(-1);
      }
    }
  }

  private static boolean onPath(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  private static String sha256(Path file) throws Exception {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    } catch (IOException e) {
      throw new AssertionError(LOCK + " names " + file + ", which is unreadable", e);
    }
  }
}
