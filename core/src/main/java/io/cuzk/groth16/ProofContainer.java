package io.cuzk.groth16;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Several proofs of one circuit with their key and inputs in one file, the {@code .prf} container
 * of fil-blst: proof count and input count (without the constant one) as big-endian longs, the
 * verifying key, then for each proof its 192 bytes and its inputs as 32-byte big-endian numbers.
 *
 * @param proofs the proofs, every point checked
 * @param inputs the inputs of each, as {@link InputVector}
 */
public record ProofContainer(VerifyingKey key, List<Proof> proofs, List<long[]> inputs) {
  private static final long MAX_BYTES = 1L << 28;

  /** A container with immutable lists. */
  public ProofContainer {
    proofs = List.copyOf(proofs);
    inputs = List.copyOf(inputs);
  }

  /**
   * Reads a file of at most 256 MiB.
   *
   * @throws InvalidInputException naming the file and what is wrong in it
   */
  public static ProofContainer read(Path file) {
    try {
      long size = Files.size(file);
      if (size > MAX_BYTES) {
        throw new InvalidInputException(
            "%s has %d bytes, expected at most %d".formatted(file, size, MAX_BYTES));
      }
      return read(Files.readAllBytes(file), file.toString());
    } catch (NoSuchFileException e) {
      throw new InvalidInputException("proof container " + file + " does not exist", e);
    } catch (IOException e) {
      throw new InfrastructureException("cannot read " + file + ": " + e, e);
    }
  }

  /** Reads the bytes of a container; {@code source} names them in messages. */
  public static ProofContainer read(byte[] bytes, String source) {
    int keyAt = 16;
    if (bytes.length < keyAt + VerifyingKey.HEADER_BYTES) {
      throw new InvalidInputException(
          "%s has %d bytes, a proof container at least %d"
              .formatted(source, bytes.length, keyAt + VerifyingKey.HEADER_BYTES));
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long proofCount = in.getLong();
    long inputCount = in.getLong();
    byte[] header = new byte[VerifyingKey.HEADER_BYTES];
    in.get(header);
    long keyBytes = VerifyingKey.bytesNeeded(header, source);
    long icCount = (keyBytes - VerifyingKey.HEADER_BYTES) / 96;
    if (inputCount != icCount - 1) {
      throw new InvalidInputException(
          "%s says %d inputs a proof, its verifying key takes %d"
              .formatted(source, inputCount, icCount - 1));
    }
    long each = Proof.BYTES + 32 * inputCount;
    // The count is compared by division first: it may be any 64 bits.
    long room = bytes.length - keyAt - keyBytes;
    if (proofCount < 0 || room < 0 || room / each != proofCount || room % each != 0) {
      throw new InvalidInputException(
          "%s says %d proofs of %d bytes after %d bytes of key, but %d bytes are left for them"
              .formatted(source, proofCount, each, keyBytes, Math.max(room, 0)));
    }
    byte[] key = new byte[(int) keyBytes];
    in.position(keyAt);
    in.get(key);
    VerifyingKey vk = VerifyingKey.read(key, source);
    List<Proof> proofs = new ArrayList<>();
    List<long[]> inputs = new ArrayList<>();
    byte[] proof = new byte[Proof.BYTES];
    for (int p = 0; p < proofCount; p++) {
      try {
        in.get(proof);
        proofs.add(Proof.decode(proof));
        List<byte[]> scalars = new ArrayList<>();
        for (int i = 0; i < inputCount; i++) {
          byte[] scalar = new byte[32];
          in.get(scalar);
          scalars.add(scalar);
        }
        inputs.add(InputVector.ofBigEndian(scalars));
      } catch (InvalidInputException e) {
        throw new InvalidInputException(source + ", proof " + p + ": " + e.getMessage(), e);
      }
    }
    return new ProofContainer(vk, proofs, inputs);
  }
}
