package io.cuzk.jobs.fault;

import io.cuzk.jobs.CustomShape;
import io.cuzk.parallel.Workers;
import io.cuzk.porep.ApiVersion;
import io.cuzk.porep.Commit1Codec;
import io.cuzk.porep.RegisteredProof;
import io.cuzk.porep.SectorShape;
import io.cuzk.porep.SparseSealer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * C1 files of sectors as small as they can be, sealed sparsely, with a key that proves in no time.
 */
public final class SmallSectors {
  /** Two partitions of one challenge over two layers: 1.4 million rows each. */
  public static final String SHAPE = "nodes=64,tree=8-0-0,layers=2,partitions=2,challenges=1";

  /** The same with as many layers as a sector of 32 GiB. */
  public static final String DEEP_SHAPE = "nodes=64,tree=8-0-0,layers=11,partitions=2,challenges=1";

  private SmallSectors() {}

  /** Writes {@code s-t01000-FIRST.json} and so on; the seed makes them reproducible. */
  public static void seal(Path directory, int first, int count) throws IOException {
    seal(directory, SHAPE, first, count);
  }

  /** The same in a shape of one's own. */
  public static void seal(Path directory, String shape, int first, int count) throws IOException {
    Files.createDirectories(directory);
    SectorShape parsed = CustomShape.parse(shape);
    RegisteredProof proof =
        RegisteredProof.of(SectorShape.of("2KiB"), ApiVersion.V1_1, RegisteredProof.Feature.NONE);
    try (Workers workers = Workers.single()) {
      for (int number = first; number < first + count; number++) {
        SplittableRandom random = new SplittableRandom(number);
        byte[] ticket = new byte[32];
        byte[] seed = new byte[32];
        random.nextBytes(ticket);
        random.nextBytes(seed);
        var request = new SparseSealer.Request(proof, parsed, 1000, number, ticket, seed);
        try (OutputStream out =
            Files.newOutputStream(directory.resolve("s-t01000-" + number + ".json"))) {
          Commit1Codec.writeWrapped(
              new SparseSealer(workers).commit1(request, random), number, true, out);
        }
      }
    }
  }
}
