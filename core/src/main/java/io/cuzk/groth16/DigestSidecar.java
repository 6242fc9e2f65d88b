package io.cuzk.groth16;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The digest that {@code setup} and {@code params check} leave beside a file, as {@code
 * FILE.digest}: a JSON object with {@code format} (1), {@code file}, {@code origin} (who vouches
 * for it), {@code bytes}, {@code blake2b} (first 16 bytes of BLAKE2b-512), {@code sha256} and
 * {@code sections}, a list of {@code name, offset, bytes, blake2b}. Unknown keys are ignored.
 *
 * @param fileName name of the file it belongs to, without directories
 * @param origin what made or checked the file
 */
public record DigestSidecar(
    String fileName, String origin, FileDigest digest, List<SectionDigest> sections) {
  /** Digest of one section of a parameter file, so that damage can be placed. */
  public record SectionDigest(String name, long offset, long bytes, String blake2b) {}

  /** Longest sidecar that is read. */
  private static final long LIMIT = 1 << 16;

  private static final JsonFactory JSON = new JsonFactory();

  /** A sidecar with an immutable list. */
  public DigestSidecar {
    sections = List.copyOf(sections);
  }

  /** Where the sidecar of a file lies. */
  public static Path beside(Path file) {
    return file.resolveSibling(file.getFileName() + ".digest");
  }

  /**
   * Digests a file and its sections, reading it twice.
   *
   * @param sections names, offsets and lengths; their digests are computed
   */
  static DigestSidecar of(Path file, String fileName, String origin, List<SectionDigest> sections) {
    List<SectionDigest> done = new ArrayList<>();
    for (SectionDigest section : sections) {
      FileDigest part = FileDigest.part(file, section.offset(), section.bytes());
      done.add(
          new SectionDigest(section.name(), section.offset(), section.bytes(), part.blake2b()));
    }
    return new DigestSidecar(fileName, origin, FileDigest.of(file), done);
  }

  /** Writes this beside a file, atomically. */
  public void write(Path file) {
    Path target = beside(file);
    Path temporary = target.resolveSibling(target.getFileName() + ".part");
    try {
      Files.writeString(temporary, json());
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new InfrastructureException("cannot write " + target + ": " + e, e);
    }
  }

  private String json() throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = JSON.createGenerator(text)) {
      out.useDefaultPrettyPrinter();
      out.writeStartObject();
      out.writeNumberField("format", 1);
      out.writeStringField("file", fileName);
      out.writeStringField("origin", origin);
      out.writeNumberField("bytes", digest.bytes());
      out.writeStringField("blake2b", digest.blake2b());
      out.writeStringField("sha256", digest.sha256());
      out.writeArrayFieldStart("sections");
      for (SectionDigest section : sections) {
        out.writeStartObject();
        out.writeStringField("name", section.name());
        out.writeNumberField("offset", section.offset());
        out.writeNumberField("bytes", section.bytes());
        out.writeStringField("blake2b", section.blake2b());
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
    return text + "\n";
  }

  /**
   * Reads the sidecar of a file; empty where there is none.
   *
   * @throws InvalidInputException if it is there but not a sidecar
   */
  public static Optional<DigestSidecar> read(Path file) {
    Path source = beside(file);
    if (!Files.exists(source)) {
      return Optional.empty();
    }
    try {
      long size = Files.size(source);
      if (size > LIMIT) {
        throw bad(source, "it has " + size + " bytes, expected at most " + LIMIT, null);
      }
      try (JsonParser in = JSON.createParser(Files.readAllBytes(source))) {
        return Optional.of(parse(in, source));
      }
    } catch (IOException e) {
      throw bad(source, e.getMessage(), e);
    }
  }

  private static DigestSidecar parse(JsonParser in, Path source) throws IOException {
    long format = 1;
    long bytes = -1;
    String name = "";
    String origin = "unknown";
    String blake2b = "";
    String sha256 = "";
    List<SectionDigest> sections = new ArrayList<>();
    if (in.nextToken() != JsonToken.START_OBJECT) {
      throw bad(source, "expected a JSON object", null);
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String key = in.currentName();
      in.nextToken();
      switch (key) {
        case "format" -> format = in.getLongValue();
        case "bytes" -> bytes = in.getLongValue();
        case "file" -> name = in.getText();
        case "origin" -> origin = in.getText();
        case "blake2b" -> blake2b = in.getText();
        case "sha256" -> sha256 = in.getText();
        case "sections" -> readSections(in, source, sections);
        default -> in.skipChildren();
      }
    }
    if (format != 1) {
      throw bad(source, "its format is " + format + ", this version reads 1", null);
    }
    if (bytes < 0 || !blake2b.matches("[0-9a-f]{32}")) {
      throw bad(source, "bytes and blake2b (32 hex digits) are required", null);
    }
    return new DigestSidecar(name, origin, new FileDigest(bytes, blake2b, sha256), sections);
  }

  private static void readSections(JsonParser in, Path source, List<SectionDigest> sections)
      throws IOException {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      throw bad(source, "sections must be a list", null);
    }
    while (in.nextToken() == JsonToken.START_OBJECT) {
      String name = "";
      String blake2b = "";
      long offset = 0;
      long bytes = 0;
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        String key = in.currentName();
        in.nextToken();
        switch (key) {
          case "name" -> name = in.getText();
          case "blake2b" -> blake2b = in.getText();
          case "offset" -> offset = in.getLongValue();
          case "bytes" -> bytes = in.getLongValue();
          default -> in.skipChildren();
        }
      }
      if (offset < 0 || bytes < 0) {
        throw bad(source, "negative offset or length of section " + name, null);
      }
      sections.add(new SectionDigest(name, offset, bytes, blake2b));
    }
  }

  private static InvalidInputException bad(Path source, String what, Throwable cause) {
    return new InvalidInputException(
        "bad digest file "
            + source
            + ": "
            + what
            + "; if the parameters are good, delete it and run 'cuzk params check'",
        cause);
  }
}
