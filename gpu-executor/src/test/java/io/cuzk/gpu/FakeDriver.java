package io.cuzk.gpu;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The fake libraries of NVIDIA, built by g++, and JVMs that find them on their library path. */
final class FakeDriver {
  /** What a JVM wrote and how it ended. */
  record Ended(int status, String output) {}

  private static final int LONGEST_SECONDS = 120;

  private final Path directory;

  private FakeDriver(Path directory) {
    this.directory = directory;
  }

  /**
   * Builds the libraries; without a compiler the calling test is skipped with a message; under CI
   * it fails.
   */
  static FakeDriver build(Path directory) throws IOException, InterruptedException {
    Path sources = Path.of("src/test/cpp").toAbsolutePath();
    compile(sources.resolve("fake_cuda.cpp"), directory.resolve("libcuda.so.1"));
    compile(sources.resolve("fake_nvml.cpp"), directory.resolve("libnvidia-ml.so.1"));
    return new FakeDriver(directory);
  }

  private static void compile(Path source, Path library) throws IOException, InterruptedException {
    List<String> command =
        List.of(
            "g++",
            "-std=c++17",
            "-O1",
            "-shared",
            "-fPIC",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-o",
            library.toString(),
            source.toString());
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      String message = "the JCuda layer is not tested here: g++ is absent (" + e + "); install g++";
      if ("true".equals(System.getenv("CI"))) {
        throw new AssertionError(message, e);
      }
      Assumptions.abort(message);
      return;
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
  }

  Path directory() {
    return directory;
  }

  /** Runs {@link FakeDriverMain} with a mode and settings of the fake driver. */
  Ended run(String mode, Map<String, String> environment, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(FakeDriverMain.class.getName(), mode));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("CUDA_VISIBLE_DEVICES");
    builder.environment().put("LD_LIBRARY_PATH", directory.toString());
    builder.environment().putAll(environment);
    Path output = Files.createTempFile(directory, "child-", ".txt");
    Process process = builder.redirectOutput(output.toFile()).start();
    if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException(mode + " did not end: " + Files.readString(output));
    }
    return new Ended(process.exitValue(), Files.readString(output));
  }
}
