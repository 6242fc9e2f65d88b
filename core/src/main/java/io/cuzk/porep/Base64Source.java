package io.cuzk.porep;

import java.io.InputStream;

/**
 * The bytes behind a JSON string in standard base64 (RFC 4648 §4, padded), decoded as they are
 * read. Starts behind the opening quote and takes the closing one. Not thread-safe.
 */
final class Base64Source extends InputStream {
  private final ByteSource in;
  private final FieldPath path;
  private final byte[] group = new byte[3];
  private int at;
  private int count;
  private boolean padded;
  private boolean closed;

  Base64Source(ByteSource in, FieldPath path) {
    this.in = in;
    this.path = path;
  }

  @Override
  public int read() {
    return at < count || decodeGroup() ? group[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    int done = 0;
    while (done < length && (at < count || decodeGroup())) {
      into[offset + done++] = group[at++];
    }
    return done == 0 && length > 0 ? -1 : done;
  }

  private boolean decodeGroup() {
    if (closed) {
      return false;
    }
    at = 0;
    count = 0;
    int bits = 0;
    int symbols = 0;
    int padding = 0;
    while (symbols + padding < 4) {
      int c = symbol();
      if (c == '"') {
        if (symbols + padding > 0) {
          throw path.fault(
              "base64 ends inside a group of four at byte "
                  + in.position()
                  + " (padding is required): truncated?");
        }
        closed = true;
        return false;
      }
      if (padded) {
        throw path.fault("base64 goes on behind its padding at byte " + in.position());
      }
      if (c == '=' && symbols >= 2) {
        padding++;
        continue;
      }
      int value = value(c);
      if (value < 0 || padding > 0) {
        throw path.fault(
            "found " + shown(c) + " at byte " + (in.position() - 1) + ", expected standard base64");
      }
      bits = bits << 6 | value;
      symbols++;
    }
    padded = padding > 0;
    bits <<= 6 * padding;
    count = 3 - padding;
    if ((bits & (1 << 8 * padding) - 1) != 0) {
      throw path.fault("base64 has stray bits in its last group, at byte " + in.position());
    }
    group[0] = (byte) (bits >> 16);
    group[1] = (byte) (bits >> 8);
    group[2] = (byte) bits;
    return true;
  }

  /** The next character of the string; JSON lets '/' be escaped. */
  private int symbol() {
    int c = in.read();
    if (c == '\\' && in.peek() == '/') {
      c = in.read();
    }
    if (c < 0) {
      throw path.fault("the file ends at byte " + in.position() + " inside base64: truncated");
    }
    return c;
  }

  private static int value(int c) {
    if (c >= 'A' && c <= 'Z') {
      return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
      return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
      return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
  }

  private static String shown(int c) {
    return c > 0x20 && c < 0x7f ? "'" + (char) c + "'" : "byte 0x" + Integer.toHexString(c);
  }
}
