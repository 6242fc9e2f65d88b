package io.cuzk.groth16;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.curve.Group;
import io.cuzk.curve.PointEncoding;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A Groth16 verifying key in bellperson's file format: alpha_g1, beta_g1, beta_g2, gamma_g2,
 * delta_g1, delta_g2 uncompressed, the number of ic points as an unsigned big-endian int, and the
 * ic points. The first ic point belongs to the constant one. Every point is checked when it is
 * read: canonical, on the curve, in the subgroup, not infinity. Immutable and thread-safe.
 */
public final class VerifyingKey {
  /** Bytes before the ic points: three points of each group and the count. */
  static final int HEADER_BYTES = 3 * 96 + 3 * 192 + 4;

  /** Most ic points that are read; PoRep keys have 40 or 328. */
  static final int MAX_IC = 1 << 20;

  private static final int G1_BYTES = 96;

  private final long[] alphaG1;
  private final long[] betaG1;
  private final long[] betaG2;
  private final long[] gammaG2;
  private final long[] deltaG1;
  private final long[] deltaG2;
  private final long[] ic;

  VerifyingKey(
      long[] alphaG1,
      long[] betaG1,
      long[] betaG2,
      long[] gammaG2,
      long[] deltaG1,
      long[] deltaG2,
      long[] ic) {
    this.alphaG1 = alphaG1;
    this.betaG1 = betaG1;
    this.betaG2 = betaG2;
    this.gammaG2 = gammaG2;
    this.deltaG1 = deltaG1;
    this.deltaG2 = deltaG2;
    this.ic = ic;
  }

  /**
   * Reads a {@code .vk} file, at most 64 MiB.
   *
   * @throws InvalidInputException naming the file and what is wrong in it
   */
  public static VerifyingKey read(Path file) {
    byte[] bytes;
    try {
      long size = Files.size(file);
      if (size > 1 << 26) {
        throw new InvalidInputException(
            "%s is no verifying key: it has %d bytes, expected at most %d"
                .formatted(file, size, 1 << 26));
      }
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new InvalidInputException("verifying key " + file + " does not exist", e);
    } catch (IOException e) {
      throw new InfrastructureException("cannot read verifying key " + file + ": " + e, e);
    }
    return read(bytes, file.toString());
  }

  /**
   * Reads the bytes of a verifying key, all of them.
   *
   * @param source what to call the bytes in messages
   * @throws InvalidInputException naming the source, the point and what is wrong with it
   */
  public static VerifyingKey read(byte[] bytes, String source) {
    long needed = HEADER_BYTES;
    if (bytes.length >= HEADER_BYTES) {
      needed = bytesNeeded(bytes, source);
    }
    if (bytes.length != needed) {
      throw new InvalidInputException(
          "verifying key %s has %d bytes, expected %s%d"
              .formatted(
                  source, bytes.length, bytes.length < HEADER_BYTES ? "at least " : "", needed));
    }
    Reader in = new Reader(bytes, source);
    long[] alphaG1 = in.point(Group.G1, "alpha_g1");
    long[] betaG1 = in.point(Group.G1, "beta_g1");
    long[] betaG2 = in.point(Group.G2, "beta_g2");
    long[] gammaG2 = in.point(Group.G2, "gamma_g2");
    long[] deltaG1 = in.point(Group.G1, "delta_g1");
    long[] deltaG2 = in.point(Group.G2, "delta_g2");
    in.at = HEADER_BYTES;
    int count = (bytes.length - HEADER_BYTES) / G1_BYTES;
    int words = Group.G1.affineWords();
    long[] ic = new long[count * words];
    for (int i = 0; i < count; i++) {
      System.arraycopy(in.point(Group.G1, "ic[" + i + "]"), 0, ic, i * words, words);
    }
    return new VerifyingKey(alphaG1, betaG1, betaG2, gammaG2, deltaG1, deltaG2, ic);
  }

  /** Length of the key that begins with these {@link #HEADER_BYTES} bytes, by its count. */
  static long bytesNeeded(byte[] header, String source) {
    long count = ByteBuffer.wrap(header).getInt(HEADER_BYTES - 4) & 0xffffffffL;
    if (count < 1 || count > MAX_IC) {
      throw new InvalidInputException(
          "verifying key %s: %d ic points, expected 1 to %d".formatted(source, count, MAX_IC));
    }
    return HEADER_BYTES + G1_BYTES * count;
  }

  private static final class Reader {
    private final byte[] bytes;
    private final String source;
    private int at;

    Reader(byte[] bytes, String source) {
      this.bytes = bytes;
      this.source = source;
    }

    long[] point(Group group, String name) {
      long[] affine = new long[group.affineWords()];
      try {
        PointEncoding.decodeUncompressed(group, bytes, at, affine, 0, PointEncoding.Check.SUBGROUP);
      } catch (InvalidInputException e) {
        throw new InvalidInputException(
            "verifying key %s, %s at offset %d: %s".formatted(source, name, at, e.getMessage()), e);
      }
      if (group.isAffineInfinity(affine, 0)) {
        throw new InvalidInputException(
            "verifying key %s, %s at offset %d is infinity".formatted(source, name, at));
      }
      at += PointEncoding.uncompressedBytes(group);
      return affine;
    }
  }

  /** The key's bytes. */
  public byte[] toBytes() {
    int count = inputs();
    byte[] out = new byte[HEADER_BYTES + G1_BYTES * count];
    int at = 0;
    at = put(Group.G1, out, at, alphaG1);
    at = put(Group.G1, out, at, betaG1);
    at = put(Group.G2, out, at, betaG2);
    at = put(Group.G2, out, at, gammaG2);
    at = put(Group.G1, out, at, deltaG1);
    at = put(Group.G2, out, at, deltaG2);
    ByteBuffer.wrap(out).putInt(at, count);
    for (int i = 0; i < count; i++) {
      PointEncoding.encodeUncompressed(
          Group.G1, out, HEADER_BYTES + G1_BYTES * i, ic, i * Group.G1.affineWords());
    }
    return out;
  }

  private static int put(Group group, byte[] out, int at, long[] affine) {
    PointEncoding.encodeUncompressed(group, out, at, affine, 0);
    return at + PointEncoding.uncompressedBytes(group);
  }

  /** Number of ic points: the inputs of the circuit, the constant one included. */
  public int inputs() {
    return ic.length / Group.G1.affineWords();
  }

  /** First 16 bytes of the BLAKE2b-512 of the key's bytes in hex, as Filecoin publishes it. */
  public String digest() {
    return FileDigest.blake2bOf(toBytes());
  }

  /** alpha in G1, affine; for reading only, as are all below. */
  public long[] alphaG1() {
    return alphaG1;
  }

  /** beta in G1. */
  public long[] betaG1() {
    return betaG1;
  }

  /** beta in G2. */
  public long[] betaG2() {
    return betaG2;
  }

  /** gamma in G2. */
  public long[] gammaG2() {
    return gammaG2;
  }

  /** delta in G1. */
  public long[] deltaG1() {
    return deltaG1;
  }

  /** delta in G2. */
  public long[] deltaG2() {
    return deltaG2;
  }

  /** The ic points one after another. */
  public long[] ic() {
    return ic;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VerifyingKey key && Arrays.equals(toBytes(), key.toBytes());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(alphaG1) + 31 * Arrays.hashCode(ic);
  }
}
