package io.cuzk.submit;

import io.cuzk.groth16.NativeKeyWriter;
import io.cuzk.groth16.ParameterGenerator;
import io.cuzk.groth16.Progress;
import io.cuzk.groth16.ToxicWaste;
import io.cuzk.jobs.KeyFiles;
import io.cuzk.parallel.Workers;
import io.cuzk.porep.SectorShape;
import io.cuzk.porep.StackedCircuit;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The build's one set of 2 KiB parameters, from the secrets of the golden files: core's slow test
 * leaves it in {@code cuzk.test.params}; where it has not run, it is made here (minutes).
 */
final class TestParameters {
  private TestParameters() {}

  static Path directory() throws IOException {
    Path directory = Path.of(System.getProperty("cuzk.test.params", "target/test-params"));
    Files.createDirectories(directory);
    SectorShape shape = SectorShape.of("2KiB");
    KeyFiles files = KeyFiles.of(directory, shape);
    try (FileChannel channel =
            FileChannel.open(
                directory.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      if (!files.present() && lock.isValid()) {
        Path secrets = directory.resolve("secrets.json");
        Files.write(secrets, Captured.golden("params-2KiB.json"));
        try (ToxicWaste known = ToxicWaste.readForTests(secrets);
            Workers workers = Workers.of(Runtime.getRuntime().availableProcessors())) {
          ParameterGenerator.generate(
              StackedCircuit.blank(shape),
              known,
              files.params(),
              files.vk(),
              "test",
              workers,
              Progress.NONE);
        }
      }
    }
    try (Workers workers = Workers.of(Runtime.getRuntime().availableProcessors())) {
      NativeKeyWriter.convert(files.params(), workers, Progress.NONE); // keeps one that is good
    }
    return directory;
  }
}
