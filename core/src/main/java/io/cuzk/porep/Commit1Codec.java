package io.cuzk.porep;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads and writes C1 files: filecoin-proofs-api's {@code SealCommitPhase1Output} as serde_json
 * writes it, the same inside Curio's and Lotus's wrapper, and bincode's {@code C2Input}.
 *
 * <p>Files are hostile: they are read as a stream, once; every size is compared with the sector
 * shape's before anything is allocated, numbers are range-checked, field elements canonical, keys
 * known and unique, and nothing may follow the end. What is wrong is told in one line that names
 * file, field, found and expected. That the proofs hold is {@link VanillaCheck}'s affair.
 * Thread-safe: all methods are static and stateless.
 */
public final class Commit1Codec {
  private static final JsonFactory JSON = new JsonFactory();

  private Commit1Codec() {}

  /**
   * Reads a file whose form its content tells.
   *
   * @throws InvalidInputException if it is no acceptable C1 file
   * @throws InfrastructureException if it cannot be read
   */
  public static Commit1File read(Path file) {
    return read(file, Optional.empty());
  }

  /**
   * Reads a file, with another shape than its registered proof's.
   *
   * @param override the shape to expect instead, for experiments
   */
  public static Commit1File read(Path file, Optional<SectorShape> override) {
    if (Files.isDirectory(file)) {
      throw new InvalidInputException(file + ": is a directory, expected a C1 file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return read(in, file.toString(), override);
    } catch (NoSuchFileException e) {
      throw new InvalidInputException(file + ": no such file", e);
    } catch (IOException e) {
      throw new InfrastructureException("cannot read " + file + ": " + e, e);
    }
  }

  /**
   * Reads a stream to its end and leaves it open.
   *
   * @param name what messages call it
   * @param override the shape to expect instead of the registered proof's, for experiments
   */
  public static Commit1File read(InputStream in, String name, Optional<SectorShape> override) {
    Commit1Bounds widest = override.map(Commit1Bounds::new).orElse(Commit1Bounds.LARGEST);
    ByteSource source = new ByteSource(in, name, widest.fileLimit(), widest.fileLimitReason());
    FieldPath path = new FieldPath(name);
    Commit1File.Form form = detect(source.head(), path);
    Commit1Output output;
    OptionalLong sectorNumber = OptionalLong.empty();
    Optional<byte[]> proverId = Optional.empty();
    boolean sparse = false;
    switch (form) {
      case BINCODE -> {
        Commit1Bincode reader = new Commit1Bincode(source, path, override);
        output = reader.read();
        sectorNumber = OptionalLong.of(reader.sectorId());
        proverId = Optional.of(reader.proverId());
      }
      case WRAPPED -> {
        Commit1Wrapper reader = new Commit1Wrapper(source, path, override);
        output = reader.read();
        sectorNumber = reader.sectorNumber();
        sparse = reader.sparse();
      }
      default ->
          output =
              new Commit1Json(
                      source,
                      path,
                      "the file",
                      override,
                      bounds -> source.limit(bounds.fileLimit(), bounds.fileLimitReason()))
                  .read();
    }
    return new Commit1File(
        name, form, output, sectorNumber, proverId, source.sha256(), source.position(), sparse);
  }

  private static Commit1File.Form detect(byte[] head, FieldPath path) {
    if (head.length == 0) {
      throw path.fault("the file is empty");
    }
    int at = blank(head, 0);
    if (at < head.length && head[at] == '{') {
      at = blank(head, at + 1);
      if (at < head.length && head[at] == '"') {
        int end = at + 1;
        while (end < head.length && head[end] != '"') {
          end++;
        }
        String key = new String(head, at + 1, end - at - 1, StandardCharsets.UTF_8);
        return Commit1Json.rootKeys().contains(key)
            ? Commit1File.Form.BARE
            : Commit1File.Form.WRAPPED;
      }
      return Commit1File.Form.WRAPPED;
    }
    if (head.length >= 4 && head[1] == 0 && head[2] == 0 && head[3] == 0) {
      return Commit1File.Form.BINCODE;
    }
    throw path.fault(
        "begins with "
            + HexFormat.of().formatHex(head, 0, Math.min(head.length, 4))
            + compression(head)
            + ", expected a C1 file: JSON, wrapped JSON or bincode");
  }

  private static String compression(byte[] head) {
    if (head.length >= 4 && (head[0] & 0xff) == 0x1f && (head[1] & 0xff) == 0x8b) {
      return " (gzip: unpack it first)";
    }
    if (head.length >= 4 && head[0] == 0x28 && (head[1] & 0xff) == 0xb5) {
      return " (zstd: unpack it first)";
    }
    return "";
  }

  private static int blank(byte[] text, int from) {
    int at = from;
    while (at < text.length && (text[at] == ' ' || text[at] >= '\t' && text[at] <= '\r')) {
      at++;
    }
    return at;
  }

  /** Writes the bare JSON, byte for byte as serde_json does. Leaves the stream open. */
  public static void writeJson(Commit1Output c1, OutputStream out) throws IOException {
    JsonGenerator json = JSON.createGenerator(new Unclosed(out), JsonEncoding.UTF8);
    json.writeStartObject();
    json.writeStringField("registered_proof", c1.proof().name());
    json.writeObjectFieldStart("vanilla_proofs");
    json.writeArrayFieldStart(c1.proof().vanillaTag());
    for (List<ChallengeProof> partition : c1.partitions()) {
      json.writeStartArray();
      for (ChallengeProof challenge : partition) {
        Commit1JsonWriter.challenge(json, challenge);
      }
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeEndObject();
    Commit1JsonWriter.node(json, "comm_r", c1.commR());
    Commit1JsonWriter.node(json, "comm_d", c1.commD());
    Commit1JsonWriter.node(json, "replica_id", c1.replicaId());
    Commit1JsonWriter.node(json, "seed", c1.seed());
    Commit1JsonWriter.node(json, "ticket", c1.ticket());
    json.writeEndObject();
    json.close();
  }

  /** Writes the wrapper around the JSON in base64. Leaves the stream open. */
  public static void writeWrapped(Commit1Output c1, long sectorNumber, OutputStream out)
      throws IOException {
    writeWrapped(c1, sectorNumber, false, out);
  }

  /**
   * Writes the wrapper around the JSON in base64. Leaves the stream open.
   *
   * @param sparse whether the wrapper shall say that the sector was never sealed
   */
  public static void writeWrapped(
      Commit1Output c1, long sectorNumber, boolean sparse, OutputStream out) throws IOException {
    OutputStream to = new BufferedOutputStream(out, 1 << 16);
    ascii(to, "{\"" + Commit1Wrapper.PHASE1_OUT + "\":\"");
    OutputStream base64 = Base64.getEncoder().wrap(new Unclosed(to));
    writeJson(c1, base64);
    base64.close();
    ascii(to, "\",\"" + Commit1Wrapper.SECTOR_NUM + "\":" + sectorNumber);
    ascii(to, ",\"" + Commit1Wrapper.SECTOR_SIZE + "\":" + c1.shape().sectorBytes());
    ascii(to, sparse ? ",\"" + Commit1Wrapper.SPARSE + "\":true}" : "}");
    to.flush();
  }

  /**
   * Writes bincode's {@code C2Input::V0}. Leaves the stream open.
   *
   * @param proverId 32 bytes
   */
  public static void writeBincode(
      Commit1Output c1, byte[] proverId, long sectorNumber, OutputStream out) throws IOException {
    Commit1BincodeWriter.write(c1, proverId, sectorNumber, out);
  }

  private static void ascii(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** A stream that outlives what is written on top of it. */
  private static final class Unclosed extends FilterOutputStream {
    Unclosed(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int at, int count) throws IOException {
      out.write(bytes, at, count);
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
