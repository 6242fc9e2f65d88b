package io.cuzk.submit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A cluster that {@code submit/bin/local-cluster} starts: a master and workers, a JVM each. */
final class StandaloneCluster implements AutoCloseable {
  private final Path distribution;
  private final Path directory;

  private StandaloneCluster(Path distribution, Path directory) {
    this.distribution = distribution;
    this.directory = directory;
  }

  /** Starts one; returns when all workers have registered. */
  static StandaloneCluster start(Path temp, String... options)
      throws IOException, InterruptedException {
    StandaloneCluster cluster =
        new StandaloneCluster(
            TestDistribution.assemble(temp.resolve("distribution")), temp.resolve("cluster"));
    List<String> words = new ArrayList<>(List.of("start"));
    words.addAll(List.of(options));
    int code = cluster.command(words);
    if (code != 0) {
      throw new AssertionError(Files.readString(cluster.log()));
    }
    return cluster;
  }

  private Path log() {
    return directory.resolveSibling("cluster.log");
  }

  int command(List<String> words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("bin/local-cluster"));
    command.addAll(words);
    command.addAll(List.of("--dir", directory.toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CUZK_DIST", distribution.toString());
    builder.environment().put("CUZK_JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.redirectErrorStream(true).redirectOutput(log().toFile()).start();
    if (!process.waitFor(10, TimeUnit.MINUTES)) {
      process.destroy();
      throw new AssertionError(command + " did not end:\n" + Files.readString(log()));
    }
    return process.exitValue();
  }

  String url() throws IOException {
    return Files.readString(directory.resolve("master-url")).strip();
  }

  /** The master's process, then the workers'. */
  List<Long> processes() throws IOException {
    return Files.readAllLines(directory.resolve("pids")).stream()
        .map(line -> Long.parseLong(line.substring(0, line.indexOf(' '))))
        .toList();
  }

  /** {@code kill -9} of a process of this cluster or of its executors. */
  static void kill(long pid) {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    if (Files.exists(directory.resolve("pids"))) {
      command(List.of("stop"));
    }
  }
}
