package io.cuzk.porep;

import io.cuzk.InvalidInputException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads {@code {"SectorNum": n, "Phase1Out": "<base64>", "SectorSize": bytes}}, keys in any order,
 * with {@code "sparse": true} where the sector was never sealed ({@link SparseSealer}). Phase1Out
 * is decoded and parsed while it is read; other keys are skipped unless they look like a misspelt
 * one. Not thread-safe.
 */
final class Commit1Wrapper {
  static final String SECTOR_NUM = "SectorNum";
  static final String PHASE1_OUT = "Phase1Out";
  static final String SECTOR_SIZE = "SectorSize";
  static final String SPARSE = "sparse";
  private static final List<String> KEYS = List.of(SECTOR_NUM, PHASE1_OUT, SECTOR_SIZE, SPARSE);
  private static final int MAX_KEYS = 64;
  private static final int MAX_DEPTH = 24;

  private final ByteSource in;
  private final FieldPath path;
  private final Optional<SectorShape> override;
  private Commit1Output output;
  private OptionalLong sectorNumber = OptionalLong.empty();
  private OptionalLong sectorSize = OptionalLong.empty();
  private boolean sparse;

  Commit1Wrapper(ByteSource in, FieldPath path, Optional<SectorShape> override) {
    this.in = in;
    this.path = path;
    this.override = override;
  }

  OptionalLong sectorNumber() {
    return sectorNumber;
  }

  boolean sparse() {
    return sparse;
  }

  /** The output inside; reads the source to its end. */
  Commit1Output read() {
    expect('{');
    Set<String> seen = new HashSet<>();
    int c = token();
    while (c != '}') {
      if (c != '"') {
        throw unexpected(c, "a key");
      }
      String key = key();
      int mark = path.enter(key);
      if (!seen.add(key)) {
        throw path.fault("the key appears twice, the second time at byte " + in.position());
      }
      if (seen.size() > MAX_KEYS) {
        throw path.fault("more than " + MAX_KEYS + " keys");
      }
      expect(':');
      value(key);
      path.leave(mark);
      c = token();
      if (c == ',') {
        c = token();
        if (c == '}') {
          throw unexpected(c, "a key");
        }
      } else if (c != '}') {
        throw unexpected(c, "',' or '}'");
      }
    }
    finish();
    return output;
  }

  private void value(String key) {
    switch (key) {
      case SECTOR_NUM -> sectorNumber = OptionalLong.of(number());
      case SECTOR_SIZE -> sectorSize = OptionalLong.of(number());
      case PHASE1_OUT -> output = inner();
      case SPARSE -> sparse = truth();
      default -> {
        String nearest = NearestName.find(key, KEYS);
        if (Commit1Json.rootKeys().contains(key)) {
          nearest = null;
        } else if (nearest == null) {
          nearest = NearestName.find(key, Commit1Json.rootKeys());
        }
        if (nearest != null) {
          throw path.fault("unknown key; did you mean " + nearest + "?");
        }
        skip(token(), 0);
      }
    }
  }

  private void finish() {
    int c = token(true);
    if (c >= 0) {
      throw unexpected(c, "the end of the file");
    }
    if (output == null) {
      throw path.fault(
          "neither a wrapper with the key "
              + PHASE1_OUT
              + " nor a bare C1 output, which begins with "
              + Commit1Json.rootKeys().getFirst());
    }
    long bytes = output.proof().shape().sectorBytes();
    if (sectorSize.isPresent()
        && sectorSize.getAsLong() != bytes
        && sectorSize.getAsLong() != output.shape().sectorBytes()) {
      throw path.fault(
          SECTOR_SIZE
              + " is "
              + sectorSize.getAsLong()
              + ", expected "
              + bytes
              + " for registered_proof "
              + output.proof());
    }
  }

  private Commit1Output inner() {
    int c = token();
    if (c != '"') {
      throw unexpected(c, "a string of base64");
    }
    FieldPath inside = new FieldPath(path.file());
    Base64Source base64 = new Base64Source(in, path);
    return new Commit1Json(
            base64,
            inside,
            "the JSON inside " + PHASE1_OUT,
            override,
            bounds -> in.limit(bounds.fileLimit(), bounds.fileLimitReason()))
        .read();
  }

  private boolean truth() {
    int c = token();
    String literal = literal(c);
    if (!literal.equals("true") && !literal.equals("false")) {
      throw unexpected(c, "true or false");
    }
    return literal.equals("true");
  }

  private long number() {
    int c = token();
    long value = 0;
    int digits = 0;
    while (c >= '0' && c <= '9') {
      value = value * 10 + (c - '0');
      digits++;
      if (digits > 18 || digits > 1 && value < 10) {
        throw path.fault("found an unreasonable number at byte " + in.position());
      }
      int following = in.peek();
      if (following < '0' || following > '9') {
        if (following == '.' || following == 'e' || following == 'E') {
          throw path.fault("found a fraction at byte " + in.position() + ", expected an integer");
        }
        return value;
      }
      c = in.read();
    }
    throw unexpected(c, "a number");
  }

  private String key() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int c = in.read(); c != '"'; c = in.read()) {
      if (c < 0) {
        throw truncated();
      }
      if (c < 0x20 || c == '\\' || bytes.size() == 128) {
        throw path.fault("found a key that is none of this format's, at byte " + in.position());
      }
      bytes.write(c);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** Skips a value that begins with {@code c}. */
  private void skip(int c, int depth) {
    if (depth > MAX_DEPTH) {
      throw path.fault("nested deeper than " + MAX_DEPTH + " at byte " + in.position());
    }
    if (c == '"') {
      skipString();
    } else if (c == '{' || c == '[') {
      skipNested(c == '{', depth);
    } else {
      skipLiteral(c);
    }
  }

  private void skipNested(boolean object, int depth) {
    int close = object ? '}' : ']';
    int c = token();
    if (c == close) {
      return;
    }
    while (true) {
      if (object) {
        if (c != '"') {
          throw unexpected(c, "a key");
        }
        skipString();
        expect(':');
        c = token();
      }
      skip(c, depth + 1);
      c = token();
      if (c == close) {
        return;
      }
      if (c != ',') {
        throw unexpected(c, "',' or '" + (char) close + "'");
      }
      c = token();
    }
  }

  private void skipString() {
    for (int c = in.read(); c != '"'; c = in.read()) {
      if (c == '\\') {
        c = in.read();
      }
      if (c < 0) {
        throw truncated();
      }
      if (c < 0x20) {
        throw unexpected(c, "no control character inside a string");
      }
    }
  }

  private String literal(int first) {
    StringBuilder literal = new StringBuilder();
    literal.append((char) first);
    while (isLiteral(in.peek()) && literal.length() < 64) {
      literal.append((char) in.read());
    }
    return literal.toString();
  }

  private void skipLiteral(int first) {
    if (!literal(first).matches("true|false|null|-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?")) {
      throw unexpected(first, "a value");
    }
  }

  private static boolean isLiteral(int c) {
    return c >= 'a' && c <= 'z'
        || c >= '0' && c <= '9'
        || c == '+'
        || c == '-'
        || c == '.'
        || c == 'E';
  }

  private void expect(int expected) {
    int c = token();
    if (c != expected) {
      throw unexpected(c, "'" + (char) expected + "'");
    }
  }

  private int token() {
    return token(false);
  }

  /** The next character that is not white space. */
  private int token(boolean endAllowed) {
    int c = in.read();
    while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      c = in.read();
    }
    if (c < 0 && !endAllowed) {
      throw truncated();
    }
    return c;
  }

  private InvalidInputException truncated() {
    return path.fault("the file ends at byte " + in.position() + ": truncated");
  }

  private InvalidInputException unexpected(int c, String expected) {
    String found = c > 0x20 && c < 0x7f ? "'" + (char) c + "'" : "0x" + Integer.toHexString(c);
    return path.fault(
        "found " + found + " at byte " + (in.position() - 1) + ", expected " + expected);
  }
}
