package io.cuzk.submit;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.porep.ApiVersion;
import io.cuzk.porep.RegisteredProof;
import io.cuzk.porep.SectorShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** What {@code cuzk seal} was asked to seal; null means random, or the usual proof type. */
record SealContent(
    Path data, byte[] ticket, byte[] seed, Long randomSeed, RegisteredProof proof, boolean sparse) {
  static final SealContent RANDOM = new SealContent(null, null, null, null, null, false);

  /** Reproducible for a seed, and then another one for each sector. */
  RandomGenerator random(long number) {
    return randomSeed == null
        ? new SecureRandom()
        : new SplittableRandom(randomSeed * 0x9e3779b97f4a7c15L + number);
  }

  RegisteredProof proof(SectorShape shape) {
    return proof != null
        ? proof
        : RegisteredProof.of(shape, ApiVersion.V1_1, RegisteredProof.Feature.NONE);
  }

  byte[] ticket(RandomGenerator random) {
    return bytes32(ticket, random);
  }

  byte[] seed(RandomGenerator random) {
    return bytes32(seed, random);
  }

  private static byte[] bytes32(byte[] given, RandomGenerator random) {
    if (given != null) {
      return given;
    }
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return bytes;
  }

  byte[] data(SectorShape shape, RandomGenerator random) {
    int capacity = (int) Math.min(1 << 30, shape.sectorBytes() / 128 * 127);
    if (data == null) {
      byte[] bytes = new byte[capacity];
      random.nextBytes(bytes);
      return bytes;
    }
    try {
      if (Files.size(data) > capacity) {
        throw new InvalidInputException(
            "%s has %d bytes, a sector of %s holds %d"
                .formatted(data, Files.size(data), shape.name(), capacity));
      }
      return Files.readAllBytes(data);
    } catch (NoSuchFileException e) {
      throw new InvalidInputException(data + " does not exist", e);
    } catch (IOException e) {
      throw new InfrastructureException("cannot read " + data + ": " + e, e);
    }
  }
}
