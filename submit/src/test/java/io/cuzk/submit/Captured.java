package io.cuzk.submit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** What the command left on stdout and stderr, run in this JVM; and files that tests share. */
record Captured(int code, String out, String err) {
  static Captured cuzk(Object... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] args = new String[words.length];
    for (int i = 0; i < words.length; i++) {
      args[i] = words[i].toString();
    }
    int code = Cuzk.run(new PrintWriter(out), new PrintWriter(err), args);
    return new Captured(code, out.toString(), err.toString());
  }

  /** The one object on stdout. */
  JsonNode json() {
    if (out.strip().lines().count() != 1) {
      throw new AssertionError("not one line on stdout: " + out + "\n" + err);
    }
    try {
      return new ObjectMapper().readTree(out);
    } catch (IOException e) {
      throw new AssertionError("no JSON on stdout: " + out + "\n" + err, e);
    }
  }

  static byte[] golden(String name) {
    try (InputStream in = Captured.class.getResourceAsStream("/golden/" + name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static JsonNode goldenJson(String name) {
    try {
      return new ObjectMapper().readTree(golden(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file of the real data; absent, the test is skipped, under CI it fails. */
  static Path realdata(String name) {
    Path file = Path.of(System.getProperty("cuzk.realdata", ""), name);
    if (!Files.exists(file)) {
      String message = "real data not found: " + file + " (system property cuzk.realdata)";
      if ("true".equals(System.getenv("CI"))) {
        throw new AssertionError(message);
      }
      Assumptions.abort(message);
    }
    return file;
  }
}
