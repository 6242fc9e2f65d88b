package io.cuzk.jobs;

import io.cuzk.InvalidInputException;
import io.cuzk.groth16.DigestSidecar;
import io.cuzk.groth16.NativeKeyFile;
import io.cuzk.groth16.TrustedDigest;
import io.cuzk.parallel.HostLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copy of one file of a key. It is fetched into {@code incoming/}, from where an earlier try
 * left off; there its digest is checked, and only then it is renamed. {@code FILE.source} says what
 * it is a copy of, by length and modification time: if the source is replaced, so is the copy.
 */
final class KeyCopy {
  private static final Logger LOG = LoggerFactory.getLogger(KeyCopy.class);
  private static final int BUFFER = 1 << 22;
  private static final int SMALL = 1 << 16;
  private static final long SAID_EVERY = TimeUnit.SECONDS.toNanos(10);

  private final RunFiles files;
  private final FileStatus source;
  private final FileStatus sidecar;
  private final Path target;
  private final Path part;

  /**
   * A copy that may be here or not.
   *
   * @param sidecar the source's digest file; null if there is none
   */
  KeyCopy(RunFiles files, FileStatus source, FileStatus sidecar, Path directory) {
    this.files = files;
    this.source = source;
    this.sidecar = sidecar;
    this.target = directory.resolve(source.getPath().getName());
    this.part = directory.resolve("incoming").resolve(source.getPath().getName());
  }

  String name() {
    return source.getPath().getName();
  }

  private static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  /** What it is a copy of. */
  private String origin() {
    String digest =
        sidecar == null
            ? ""
            : " digest %d %d".formatted(sidecar.getLen(), sidecar.getModificationTime());
    return "%s %d %d%s\n"
        .formatted(source.getPath(), source.getLen(), source.getModificationTime(), digest);
  }

  private boolean isOrigin(Path file) throws IOException {
    Path record = beside(file, ".source");
    try {
      return Files.size(record) <= SMALL && Files.readString(record).equals(origin());
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  boolean isHere() throws IOException {
    return Files.exists(target) && Files.size(target) == source.getLen() && isOrigin(target);
  }

  /** What is still to be fetched. */
  long missingBytes() throws IOException {
    return source.getLen() - fetchedBytes();
  }

  /** What an earlier try has left of this very source. */
  private long fetchedBytes() throws IOException {
    return Files.exists(part) && isOrigin(part) ? Math.min(Files.size(part), source.getLen()) : 0;
  }

  /**
   * Fetches it.
   *
   * @param held the right to, on this host
   * @return bytes read from the source
   * @throws InvalidInputException if the digest is not what it ought to be
   */
  long fetch(HostLock held) throws IOException {
    held.requireHeld();
    Files.createDirectories(part.getParent());
    long kept = fetchedBytes();
    long read = download(kept);
    try {
      requireGood();
    } catch (InvalidInputException e) {
      Files.delete(part);
      if (kept > 0) {
        LOG.warn("{}: what an earlier try had left does not fit: {}", name(), e.getMessage());
        return read + fetch(held); // nothing is kept now, so only once
      }
      Files.deleteIfExists(beside(part, ".digest"));
      Files.deleteIfExists(beside(part, ".source"));
      throw new InvalidInputException(
          "%s, fetched to %s: %s".formatted(source.getPath(), part.getParent(), e.getMessage()), e);
    }
    place();
    return read;
  }

  private long download(long kept) throws IOException {
    if (kept == 0) {
      Files.deleteIfExists(part);
    }
    Files.writeString(beside(part, ".source"), origin());
    if (sidecar == null) {
      Files.deleteIfExists(DigestSidecar.beside(part));
    } else {
      Files.write(DigestSidecar.beside(part), files.read(sidecar.getPath(), SMALL));
    }
    long begun = System.nanoTime();
    long said = begun;
    long at = kept;
    byte[] buffer = new byte[BUFFER];
    try (FSDataInputStream in = files.fileSystem(source.getPath()).open(source.getPath());
        FileChannel out =
            FileChannel.open(
                part,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND)) {
      LOG.info("fetching {} ({} bytes) from byte {} on", source.getPath(), source.getLen(), at);
      in.seek(at);
      int n;
      while (at < source.getLen()
          && (n = in.read(buffer, 0, (int) Math.min(BUFFER, source.getLen() - at))) > 0) {
        ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, n);
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        at += n;
        if (System.nanoTime() - said > SAID_EVERY) {
          said = System.nanoTime();
          LOG.info(
              "fetching {}: {} of {} bytes ({} %), {} MB/s",
              name(),
              at,
              source.getLen(),
              100 * at / source.getLen(),
              (at - kept) * 1000 / (said - begun));
        }
      }
      out.force(true);
    }
    if (at != source.getLen()) {
      throw new IOException(
          "%s ended after %d of %d bytes".formatted(source.getPath(), at, source.getLen()));
    }
    return at - kept;
  }

  /** Reads the whole copy again and leaves the stamp of a large one. */
  private void requireGood() {
    if (name().endsWith(NativeKeyFile.SUFFIX)) {
      Path params = Path.of(target.toString().replaceAll("\\" + NativeKeyFile.SUFFIX + "$", ""));
      Path vk = Path.of(params.toString().replaceAll("\\.params$", ".vk"));
      NativeKeyFile.openTrusted(part, params, vk).close();
    } else {
      TrustedDigest.require(part, true);
    }
  }

  /** The file last but one, its origin last: whoever sees that, sees all. */
  private void place() throws IOException {
    Files.deleteIfExists(beside(target, ".source"));
    if (sidecar == null) {
      Files.deleteIfExists(DigestSidecar.beside(target));
    }
    for (String suffix : new String[] {".digest", ".stamp", "", ".source"}) {
      Path from = beside(part, suffix);
      if (Files.exists(from)) {
        Files.move(from, beside(target, suffix), StandardCopyOption.ATOMIC_MOVE);
      }
    }
    LOG.info("{} is a copy of {}", target, source.getPath());
  }
}
