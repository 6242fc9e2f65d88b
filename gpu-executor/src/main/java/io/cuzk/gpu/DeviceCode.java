package io.cuzk.gpu;

import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The PTX of this build, held against the lock file beside it before any device sees it: code that
 * was changed on a disk or in a jar would compute something else, at best.
 */
final class DeviceCode {
  private static final String LOCK = "kernels.lock";

  private DeviceCode() {}

  /**
   * The module of that name, such as {@code ntt}.
   *
   * @throws InvalidInputException naming the file, the digest expected and the one found
   */
  static String read(String module) {
    String file = module + ".ptx";
    return checked(file, resource(file), new String(resource(LOCK), StandardCharsets.US_ASCII));
  }

  /** The text of a module if a lock file's text vouches for it. */
  static String checked(String file, byte[] ptx, String lock) {
    String found = sha256(ptx);
    String expected =
        lock.lines()
            .filter(line -> line.startsWith("ptx " + file + " "))
            .map(line -> line.substring(line.lastIndexOf(' ') + 1))
            .findFirst()
            .orElseThrow(
                () ->
                    new InvalidInputException(
                        "%s of this build is damaged: it has no digest of %s; install the build again"
                            .formatted(LOCK, file)));
    if (!found.equals(expected)) {
      throw new InvalidInputException(
          "device code %s of this build is damaged: sha256 %s, expected %s by %s; install the build again"
              .formatted(file, found, expected, LOCK));
    }
    return new String(ptx, StandardCharsets.US_ASCII);
  }

  private static byte[] resource(String file) {
    try (InputStream in = DeviceCode.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new InvalidInputException(
            "this build has no device code %s; install the build again".formatted(file));
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("device code " + file + " is unreadable", e);
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
