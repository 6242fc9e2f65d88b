package io.cuzk.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;

/** Golden vectors in the test resources, and real files that are read in place. */
public final class Golden {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Golden() {}

  /** The bytes of {@code golden/name} or of {@code golden/name.gz}, unpacked. */
  public static byte[] bytes(String name) {
    try (InputStream in = open(name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The JSON of {@code golden/name} or of {@code golden/name.gz}. */
  public static JsonNode json(String name) {
    try (InputStream in = open(name)) {
      return JSON.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bytes of a hex text. */
  public static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  /** The bytes of a JSON node that holds hex. */
  public static byte[] hex(JsonNode node) {
    return hex(node.asText());
  }

  /**
   * A file of the real data beside the checkout. Where the directory is absent the test is skipped
   * with a message, but under CI it fails.
   */
  public static Path realdata(String name) {
    String root = System.getProperty("cuzk.realdata", "");
    Path file = Path.of(root, name);
    if (root.isEmpty() || !Files.exists(file)) {
      String message = "real data not found: " + file + " (system property cuzk.realdata)";
      if ("true".equals(System.getenv("CI"))) {
        throw new AssertionError(message);
      }
      Assumptions.abort(message);
    }
    return file;
  }

  private static InputStream open(String name) throws IOException {
    InputStream in = Golden.class.getResourceAsStream("/golden/" + name);
    if (in != null) {
      return in;
    }
    in = Golden.class.getResourceAsStream("/golden/" + name + ".gz");
    if (in == null) {
      throw new AssertionError("no test resource golden/" + name + "(.gz)");
    }
    return new GZIPInputStream(in);
  }
}
