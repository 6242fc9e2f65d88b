package io.cuzk.circuit;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Compiled circuits in files: the eight bytes {@code CUZKCC01}, the SHA-256 of all that follows,
 * the length of the head and the head (name and maker), the length of the inflated body and the
 * body. Lengths are u32, the lowest byte last. The maker identifies the code that described and
 * compiled the circuit: other code may make other rows.
 */
public final class CircuitFile {
  private static final byte[] MAGIC = {'C', 'U', 'Z', 'K', 'C', 'C', '0', '1'};
  private static final int DIGEST = 32;
  private static final int BODY_LIMIT = 1 << 30;
  private static final int FILE_LIMIT = 1 << 28;

  private CircuitFile() {}

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * The fingerprint of a circuit, SHA-256 of its templates and instances in lower-case hex. Equal
   * rows compiled by equal code have equal fingerprints.
   */
  public static String fingerprint(CompiledCircuit circuit) {
    return HexFormat.of().formatHex(sha256().digest(new Packer().circuit(circuit).toBytes()));
  }

  /**
   * Writes a circuit, whole or not at all.
   *
   * @param maker what identifies the code that made it
   * @throws InfrastructureException if the file cannot be written
   */
  public static void save(CompiledCircuit circuit, String maker, Path file) {
    byte[] head = new Packer().text(circuit.name()).text(maker).toBytes();
    byte[] plain = new Packer().circuit(circuit).toBytes();
    byte[] body = Packer.deflate(plain);
    ByteBuffer bytes = ByteBuffer.allocate(MAGIC.length + DIGEST + 8 + head.length + body.length);
    bytes.position(MAGIC.length + DIGEST);
    bytes.putInt(head.length).put(head).putInt(plain.length).put(body);
    MessageDigest digest = sha256();
    digest.update(bytes.array(), MAGIC.length + DIGEST, bytes.position() - MAGIC.length - DIGEST);
    bytes.put(0, MAGIC).put(MAGIC.length, digest.digest());
    Path folder = file.toAbsolutePath().getParent();
    try {
      // not createTempFile, whose files only their owner may read: executors run as other users too
      Path temporary = folder.resolve("." + file.getFileName() + "." + UUID.randomUUID() + ".part");
      try {
        Files.write(temporary, bytes.array());
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      throw new InfrastructureException(
          "cannot write the compiled circuit %s: %s".formatted(file, e), e);
    }
  }

  /**
   * Reads a circuit.
   *
   * @param name the circuit that is expected
   * @param maker the code that is expected to have made it
   * @throws InvalidInputException if the file is damaged, or holds another circuit or one of other
   *     code
   * @throws InfrastructureException if it cannot be read
   */
  public static CompiledCircuit open(Path file, String name, String maker) {
    byte[] bytes = read(file);
    int at = MAGIC.length + DIGEST;
    if (bytes.length < at + 8 || !Arrays.equals(MAGIC, Arrays.copyOf(bytes, MAGIC.length))) {
      throw refused(file, "it is no compiled circuit of this format (CUZKCC01)");
    }
    MessageDigest digest = sha256();
    digest.update(bytes, at, bytes.length - at);
    String expected = HexFormat.of().formatHex(bytes, MAGIC.length, at);
    String found = HexFormat.of().formatHex(digest.digest());
    if (!expected.equals(found)) {
      throw refused(file, "it is damaged: SHA-256 %s, expected %s".formatted(found, expected));
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try {
      int headLength = buffer.getInt(at);
      if (headLength < 0 || headLength > bytes.length - at - 8) {
        throw new Unpacker.Malformed("a head of " + headLength + " bytes");
      }
      Unpacker head = new Unpacker(Arrays.copyOfRange(bytes, at + 4, at + 4 + headLength));
      require(file, "circuit", name, head.text());
      require(file, "maker", maker, head.text());
      int body = at + 4 + headLength;
      int length = buffer.getInt(body);
      if (length < 0 || length > BODY_LIMIT || length > 1032L * (bytes.length - body)) {
        throw new Unpacker.Malformed("a body of " + length + " bytes");
      }
      Unpacker unpacker = new Unpacker(Unpacker.inflate(bytes, body + 4, length));
      return unpacker.circuit(name);
    } catch (Unpacker.Malformed | IndexOutOfBoundsException | IllegalArgumentException e) {
      throw refused(file, "it does not hold together: " + e.getMessage());
    }
  }

  private static byte[] read(Path file) {
    try {
      long size = Files.size(file);
      if (size > FILE_LIMIT) {
        throw refused(file, "it has %d bytes, more than %d".formatted(size, FILE_LIMIT));
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new InfrastructureException(
          "cannot read the compiled circuit %s: %s".formatted(file, e), e);
    }
  }

  private static void require(Path file, String what, String expected, String found) {
    if (!expected.equals(found)) {
      throw refused(file, "its %s is '%s', expected '%s'".formatted(what, found, expected));
    }
  }

  private static InvalidInputException refused(Path file, String why) {
    return new InvalidInputException(
        "compiled circuit %s is refused: %s; delete it and it is compiled again"
            .formatted(file, why));
  }
}
