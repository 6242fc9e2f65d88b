package io.cuzk.groth16;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.hash.Blake2b;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Length and digests of a file or of a part of it.
 *
 * @param bytes how many bytes were read
 * @param blake2b the first 16 bytes of BLAKE2b-512 in hex, Filecoin's digest; empty where it was
 *     not asked for
 * @param sha256 SHA-256 in hex; empty where it was not asked for
 */
public record FileDigest(long bytes, String blake2b, String sha256) {
  private static final int BUFFER = 1 << 18;

  /** Both digests of a whole file. */
  public static FileDigest of(Path file) {
    return read(file, 0, Long.MAX_VALUE, true, true);
  }

  /** Filecoin's digest of a whole file alone. */
  public static FileDigest blake2bOf(Path file) {
    return read(file, 0, Long.MAX_VALUE, true, false);
  }

  /** SHA-256 of a whole file alone: processors have instructions for it, so it is the fastest. */
  public static FileDigest sha256Of(Path file) {
    return read(file, 0, Long.MAX_VALUE, false, true);
  }

  /** Filecoin's digest of bytes in memory. */
  public static String blake2bOf(byte[] data) {
    return HexFormat.of().formatHex(Blake2b.digest(data), 0, 16);
  }

  /** Filecoin's digest of at most {@code length} bytes from an offset. */
  static FileDigest part(Path file, long offset, long length) {
    return read(file, offset, length, true, false);
  }

  private static FileDigest read(
      Path file, long offset, long length, boolean withBlake2b, boolean withSha256) {
    Blake2b blake = withBlake2b ? new Blake2b() : null;
    MessageDigest sha = withSha256 ? newSha256() : null;
    long total = 0;
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = Files.newInputStream(file)) {
      in.skipNBytes(offset);
      int n;
      while (total < length
          && (n = in.read(buffer, 0, (int) Math.min(BUFFER, length - total))) > 0) {
        if (blake != null) {
          blake.update(buffer, 0, n);
        }
        if (sha != null) {
          sha.update(buffer, 0, n);
        }
        total += n;
      }
    } catch (NoSuchFileException e) {
      throw new InvalidInputException(file + " does not exist", e);
    } catch (IOException e) {
      throw new InfrastructureException("cannot read " + file + ": " + e, e);
    }
    return new FileDigest(
        total,
        blake == null ? "" : HexFormat.of().formatHex(blake.digest(), 0, 16),
        sha == null ? "" : HexFormat.of().formatHex(sha.digest()));
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
