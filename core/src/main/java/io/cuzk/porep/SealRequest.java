package io.cuzk.porep;

import io.cuzk.InvalidInputException;
import java.util.Objects;

/**
 * What a sector is sealed from.
 *
 * @param shape that of {@code proof}, unless an experiment overrides it
 * @param miner the id behind the address t0{@code miner}; not negative
 * @param sector the sector's number; not negative
 * @param ticket 32 bytes of chain randomness
 * @param data at most 127/128 of the sector; the rest is zeros. Not copied, not modified
 * @throws InvalidInputException if the shape has no registered proof, or a number or size is wrong
 */
public record SealRequest(
    RegisteredProof proof, SectorShape shape, long miner, long sector, byte[] ticket, byte[] data) {
  /** Sectors above this size do not fit in memory as {@link Sealer} holds them. */
  static final long LARGEST = 1L << 29;

  /** Checks sizes. */
  public SealRequest {
    Objects.requireNonNull(proof, "proof");
    Objects.requireNonNull(data, "data");
    Nodes.exactly("ticket", ticket, 1);
    if (miner < 0 || sector < 0) {
      throw new InvalidInputException(
          "miner " + miner + ", sector " + sector + ": numbers must not be negative");
    }
    if (proof.feature() == RegisteredProof.Feature.NON_INTERACTIVE) {
      throw new InvalidInputException(
          proof
              + " has no interactive challenges; seal with the proof of the same size without"
              + " _Feat_NonInteractivePoRep");
    }
    requireMemory(shape);
    if (data.length > Fr32.capacity(shape.sectorBytes())) {
      throw new InvalidInputException(
          "the data has "
              + data.length
              + " bytes; a sector of "
              + shape.name()
              + " holds at most "
              + Fr32.capacity(shape.sectorBytes()));
    }
  }

  /**
   * Refuses sizes that can't be sealed here, before any data is made for them.
   *
   * @throws InvalidInputException if the size exists as a circuit only or is too large for memory
   */
  public static void requireSealable(SectorShape shape) {
    if (!shape.registered()) {
      throw new InvalidInputException(
          "no proof is registered for sectors of "
              + shape.name()
              + ": the size exists as a circuit only and can't be sealed. Sizes that can: 2KiB,"
              + " 8MiB, 512MiB");
    }
    requireMemory(shape);
  }

  private static void requireMemory(SectorShape shape) {
    if (shape.sectorBytes() > LARGEST) {
      // data, replica, layers, three trees, of which one is binary
      long needed = shape.sectorBytes() * (2 + shape.layers() + 1 + 2) + (1L << 30);
      throw new InvalidInputException(
          "a sector of "
              + shape.name()
              + " is sealed in memory and would need "
              + (needed >> 30)
              + " GiB; the largest size sealed here is 512MiB. Use lotus or curio to seal it");
    }
  }

  /**
   * A request for a registered size with API version V1_1.
   *
   * @throws InvalidInputException if the size exists as a circuit only
   */
  public static SealRequest of(
      SectorShape shape, long miner, long sector, byte[] ticket, byte[] data) {
    requireSealable(shape);
    RegisteredProof proof =
        RegisteredProof.of(shape, ApiVersion.V1_1, RegisteredProof.Feature.NONE);
    return new SealRequest(proof, shape, miner, sector, ticket, data);
  }
}
