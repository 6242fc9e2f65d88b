package io.cuzk.submit;

import io.cuzk.InfrastructureException;
import io.cuzk.jobs.KeyFiles;
import io.cuzk.porep.SectorShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Test parameters and a sealed sector for benches, made once in the build's cache directory. */
final class BenchKeys {
  private static final long MINER = 1000;
  private static final long SECTOR = 1;
  private static final long SEED = 1;

  /** Larger sectors are sealed sparsely. */
  private static final long SEALED_WHOLE = 8L << 20;

  private BenchKeys() {}

  /** Beside the distribution, in the build's target directory; without one, a temporary place. */
  static Path cache() {
    String home = System.getProperty("cuzk.home");
    return home == null
        ? Path.of(System.getProperty("java.io.tmpdir"), "cuzk-cache")
        : Path.of(home).toAbsolutePath().resolveSibling("cache");
  }

  /** Where compiled circuits are kept. */
  static Path circuits() {
    Path directory = cache().resolve("params");
    try {
      return Files.createDirectories(directory);
    } catch (IOException e) {
      throw new InfrastructureException("cannot make %s: %s".formatted(directory, e), e);
    }
  }

  /** The parameters of a size in the cache; made, and said so, where they are not there yet. */
  static KeyFiles parameters(Common common, SectorShape shape) {
    Path directory = cache().resolve("params");
    KeyFiles files = KeyFiles.of(directory, shape);
    if (!files.present()) {
      common.note(
          "cuzk: no test parameters of %s in %s: making them once"
              .formatted(shape.name(), directory));
      SetupCommand.make(common, shape, files, null, 0);
    }
    return files;
  }

  /** A C1 file of a size in the cache; sealed, and said so, where it is not there yet. */
  static Path sector(Common common, SectorShape shape) {
    Path directory = cache().resolve("c1").resolve(shape.name());
    Path file = directory.resolve("s-t0" + MINER + "-" + SECTOR + ".json");
    if (!Files.exists(file)) {
      common.note("cuzk: no sector of %s in %s: sealing one".formatted(shape.name(), directory));
      boolean sparse = shape.sectorBytes() > SEALED_WHOLE;
      SealCommand.seal(
          common,
          shape,
          1,
          directory,
          MINER,
          SECTOR,
          new SealContent(null, null, null, SEED, null, sparse));
    }
    return file;
  }
}
