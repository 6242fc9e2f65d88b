package io.cuzk.porep;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.hash.NodeHash;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A buffered file with its position, its digest and a bound on its size. Failures of the medium are
 * {@link InfrastructureException}, a passed bound {@link InvalidInputException}; so whatever else a
 * parser on top reports lies in the content. Not thread-safe.
 */
final class ByteSource extends InputStream {
  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private final String name;
  private final MessageDigest digest = NodeHash.newSha256();
  private final byte[] buffer = new byte[BUFFER];
  private int at;
  private int end;
  private long base;
  private long limit;
  private String limitReason;

  ByteSource(InputStream in, String name, long limit, String limitReason) {
    this.in = in;
    this.name = name;
    this.limit = limit;
    this.limitReason = limitReason;
    fill();
  }

  /** The first bytes, up to 64 KiB; does not move. Valid before anything is read. */
  byte[] head() {
    return Arrays.copyOf(buffer, end);
  }

  /** The offset in the file of the byte that the next read returns. */
  long position() {
    return base + at;
  }

  /** Lowers the bound. */
  void limit(long bytes, String reason) {
    if (bytes < limit) {
      limit = bytes;
      limitReason = reason;
      checkLimit();
    }
  }

  /** The next byte without moving, −1 at the end. */
  int peek() {
    return at < end || fill() ? buffer[at] & 0xff : -1;
  }

  @Override
  public int read() {
    return at < end || fill() ? buffer[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    if (at == end && !fill()) {
      return -1;
    }
    int count = Math.min(length, end - at);
    System.arraycopy(buffer, at, into, offset, count);
    at += count;
    return count;
  }

  @Override
  public int readNBytes(byte[] into, int offset, int length) {
    int done = 0;
    while (done < length && (at < end || fill())) {
      done += read(into, offset + done, length - done);
    }
    return done;
  }

  /** SHA-256 of all that was read, in hex. Meant for the end of the file; ends the digest. */
  String sha256() {
    return HexFormat.of().formatHex(digest.digest());
  }

  private boolean fill() {
    base += end;
    at = 0;
    try {
      end = in.readNBytes(buffer, 0, BUFFER);
    } catch (IOException e) {
      throw new InfrastructureException("cannot read " + name + ": " + e, e);
    }
    digest.update(buffer, 0, end);
    checkLimit();
    return end > 0;
  }

  private void checkLimit() {
    if (base + end > limit) {
      throw new InvalidInputException(
          name + ": larger than " + limit + " bytes, " + limitReason + ": not read further");
    }
  }
}
