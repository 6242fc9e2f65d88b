package io.cuzk.submit;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.parallel.Workers;
import io.cuzk.porep.Commit1Codec;
import io.cuzk.porep.Commit1Output;
import io.cuzk.porep.RegisteredProof;
import io.cuzk.porep.SealProgress;
import io.cuzk.porep.SealRequest;
import io.cuzk.porep.Sealer;
import io.cuzk.porep.SectorShape;
import io.cuzk.porep.SparseSealer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cuzk seal}. */
@Command(
    name = "seal",
    description = {
      "Seals small sectors into C1 files, for trying and testing.",
      "PC1, PC2 and C1 in memory; the files are wrapped JSON as Curio and Lotus keep it.",
      "With --sparse sectors of any size, in seconds, without sealing: valid C1 files of zeros"
          + " under a",
      "seed that was chosen beforehand, for benchmarks."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk seal --sector-size 2KiB --sectors 2 --c1 c1/",
      "  cuzk seal --sector-size 8MiB --sectors 1 --c1 c1/ --miner 1000 --first-sector 7"
          + " --random-seed 1",
      "  cuzk seal --sparse --sector-size 32GiB --sectors 1 --c1 c1/"
    })
final class SealCommand implements Callable<Integer> {
  /** Sectors from this size on tell of the stages of their sealing. */
  private static final long STAGES_FROM = 1L << 20;

  @Spec private CommandSpec spec;
  @Mixin private Common common;

  @Option(
      names = "--sector-size",
      required = true,
      paramLabel = "S",
      converter = Sizes.class,
      description =
          "2KiB, 8MiB or 512MiB: the sector is sealed in memory. With --sparse 32GiB and 64GiB"
              + " too.")
  private SectorShape size;

  @Option(
      names = "--sectors",
      required = true,
      paramLabel = "N",
      converter = SectorCount.class,
      description = "How many.")
  private int sectors;

  @Option(names = "--c1", required = true, paramLabel = "D", description = "Where to.")
  private Path directory;

  @Option(
      names = "--miner",
      paramLabel = "M",
      defaultValue = "1000",
      converter = MinerId.class,
      description = "Miner id (default: ${DEFAULT-VALUE}).")
  private Long miner;

  @Option(
      names = "--first-sector",
      paramLabel = "K",
      defaultValue = "1",
      converter = SectorNumber.class,
      description = "Number of the first sector (default: ${DEFAULT-VALUE}).")
  private Long first;

  @Option(
      names = "--data",
      paramLabel = "FILE",
      description = "What to seal, from its begin; the rest is zeros (default: random).")
  private Path data;

  @Option(names = "--ticket", paramLabel = "HEX", description = "32 bytes (default: random).")
  private String ticket;

  @Option(
      names = "--seed",
      paramLabel = "HEX",
      description = "The interactive PoRep seed, 32 bytes (default: random).")
  private String seed;

  @Option(
      names = "--random-seed",
      paramLabel = "N",
      description = "Makes data, ticket and seed reproducible.")
  private Long randomSeed;

  @Option(
      names = "--registered-proof",
      paramLabel = "NAME",
      description = "Proof type of the size (default: StackedDrgSIZEV1_1).")
  private String proofName;

  @Option(
      names = "--sparse",
      description =
          "Don't seal: columns at the challenges and their parents only. Interactive proofs only.")
  private boolean sparse;

  @Override
  public Integer call() {
    Sizes.requireRegistered(size, "seal");
    SealContent content =
        new SealContent(
            data,
            bytes32("--ticket", ticket),
            bytes32("--seed", seed),
            randomSeed,
            proof(),
            sparse);
    if (sparse && data != null) {
      throw new ParameterException(
          spec.commandLine(), "--sparse: the sector holds zeros, so --data can't be given with it");
    }
    List<Path> files = seal(common, size, sectors, directory, miner, first, content);
    List<String> names = files.stream().map(Path::toString).toList();
    names.forEach(common::say);
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("sectors", sectors);
    object.put("sector_size", size.name());
    object.put("miner", miner);
    object.put("sparse", sparse);
    object.put("files", names);
    common.object(object);
    return ExitCode.GOOD;
  }

  private RegisteredProof proof() {
    if (proofName == null) {
      return null;
    }
    RegisteredProof proof = RegisteredProof.fromName(proofName);
    if (!proof.shape().equals(size)) {
      throw new InvalidInputException(
          "--registered-proof: %s is of %s, --sector-size is %s"
              .formatted(proof, proof.shape().name(), size.name()));
    }
    return proof;
  }

  private byte[] bytes32(String option, String hex) {
    if (hex == null) {
      return null;
    }
    if (!hex.matches("[0-9a-fA-F]{64}")) {
      throw new ParameterException(spec.commandLine(), option + ": 64 hex digits are expected");
    }
    return HexFormat.of().parseHex(hex);
  }

  /** Seals sectors one after another; returns the C1 files. */
  static List<Path> seal(
      Common common,
      SectorShape shape,
      int sectors,
      Path directory,
      long miner,
      long first,
      SealContent content) {
    if (content.sparse()) {
      SparseSealer.requireInteractive(content.proof(shape));
    } else {
      SealRequest.requireSealable(shape);
    }
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new InfrastructureException("cannot make " + directory + ": " + e, e);
    }
    List<Path> files = new ArrayList<>();
    try (Workers workers = Workers.of(Runtime.getRuntime().availableProcessors());
        ProgressLines progress = ProgressLines.on(common.err())) {
      progress.stage("sealing sectors of " + shape.name(), sectors);
      // the stages of small sectors pass too quickly to be told
      boolean slow = !content.sparse() && shape.sectorBytes() >= STAGES_FROM;
      SealProgress stages = slow ? progress::advanced : SealProgress.NONE;
      for (int i = 0; i < sectors; i++) {
        long number = first + i;
        RandomGenerator random = content.random(number);
        Commit1Output c1 =
            content.sparse()
                ? sparse(workers, shape, miner, number, content, random)
                : sealed(workers, stages, shape, miner, number, content, random);
        Path file = directory.resolve("s-t0" + miner + "-" + number + ".json");
        write(c1, number, content.sparse(), file);
        files.add(file);
        if (slow) {
          progress.stage("sealed " + (i + 1) + " of " + sectors, 1);
        } else {
          progress.advanced(i + 1);
        }
      }
    }
    return files;
  }

  private static Commit1Output sealed(
      Workers workers,
      SealProgress stages,
      SectorShape shape,
      long miner,
      long number,
      SealContent content,
      RandomGenerator random) {
    byte[] data = content.data(shape, random);
    byte[] ticket = content.ticket(random);
    byte[] seed = content.seed(random);
    RegisteredProof proof = content.proof(shape);
    SealRequest request = new SealRequest(proof, shape, miner, number, ticket, data);
    return new Sealer(workers, stages).seal(request).commit1(seed);
  }

  private static Commit1Output sparse(
      Workers workers,
      SectorShape shape,
      long miner,
      long number,
      SealContent content,
      RandomGenerator random) {
    byte[] ticket = content.ticket(random);
    byte[] seed = content.seed(random);
    RegisteredProof proof = content.proof(shape);
    return new SparseSealer(workers)
        .commit1(new SparseSealer.Request(proof, shape, miner, number, ticket, seed), random);
  }

  private static void write(Commit1Output c1, long number, boolean sparse, Path file) {
    Path temporary = file.resolveSibling("." + file.getFileName() + ".part");
    try {
      try {
        try (OutputStream out = Files.newOutputStream(temporary)) {
          Commit1Codec.writeWrapped(c1, number, sparse, out);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      throw new InfrastructureException("cannot write " + file + ": " + e, e);
    }
  }
}
