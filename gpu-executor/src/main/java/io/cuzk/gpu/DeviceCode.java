package io.cuzk.gpu;

import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The device code of this build, held against the lock file beside it before any device sees it:
 * code that was changed on a disk or in a jar would compute something else, at best.
 *
 * <p>PTX is in every build. A release also has, for some architectures, what it was assembled to:
 * {@code cubin/sm_90/ntt.cubin}, by {@link CubinAssembler}.
 */
final class DeviceCode {
  private static final String LOCK = "kernels.lock";

  private DeviceCode() {}

  /**
   * The PTX of the module of that name, such as {@code ntt}.
   *
   * @throws InvalidInputException naming the file, the digest expected and the one found
   */
  static String read(String module) {
    String file = module + ".ptx";
    return checked(file, required(file), text(required(LOCK)));
  }

  /**
   * The same module assembled for an architecture such as {@code sm_90}; empty if this build has
   * none for it.
   *
   * @throws InvalidInputException if it is damaged, or was made from other PTX than this build's
   */
  static Optional<byte[]> cubin(String module, String architecture) {
    String file = "cubin/" + architecture + "/" + module + ".cubin";
    return found(file)
        .map(
            cubin -> {
              String lock = text(required(CubinAssembler.LOCK));
              read(module);
              requireDigest(module + ".ptx", required(module + ".ptx"), lock, CubinAssembler.LOCK);
              requireDigest(file, cubin, lock, CubinAssembler.LOCK);
              return cubin;
            });
  }

  /** What a device of that architecture is given, for a person. */
  static String describe(String architecture) {
    boolean assembled =
        found(CubinAssembler.LOCK)
            .filter(lock -> text(lock).contains(" cubin/" + architecture + "/"))
            .isPresent();
    return assembled
        ? "assembled for " + architecture
        : "PTX, which the driver compiles for " + architecture;
  }

  /** The text of a module if a lock file's text vouches for it. */
  static String checked(String file, byte[] ptx, String lock) {
    requireDigest(file, ptx, lock, LOCK);
    return text(ptx);
  }

  /**
   * The digest of a file in a lock file's line {@code KIND NAME SHA256} must be that of its bytes.
   */
  private static void requireDigest(String file, byte[] bytes, String lock, String lockFile) {
    String found = sha256(bytes);
    String expected =
        lock.lines()
            .map(line -> line.split(" "))
            .filter(words -> words.length == 3 && words[1].equals(file))
            .map(words -> words[2])
            .findFirst()
            .orElseThrow(
                () ->
                    new InvalidInputException(
                        "%s of this build is damaged: it has no digest of %s; install the build again"
                            .formatted(lockFile, file)));
    if (!found.equals(expected)) {
      throw new InvalidInputException(
          "device code %s of this build is damaged: sha256 %s, expected %s by %s; install the build again"
              .formatted(file, found, expected, lockFile));
    }
  }

  private static byte[] required(String file) {
    return found(file)
        .orElseThrow(
            () ->
                new InvalidInputException(
                    "this build has no device code %s; install the build again".formatted(file)));
  }

  private static Optional<byte[]> found(String file) {
    try (InputStream in = DeviceCode.class.getResourceAsStream(file)) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("device code " + file + " is unreadable", e);
    }
  }

  private static String text(byte[] ascii) {
    return new String(ascii, StandardCharsets.US_ASCII);
  }

  /** Lower-case hex. */
  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
