package io.cuzk.groth16;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.parallel.HostLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * By what a large file is known again after it was read whole: length, modification time and inode;
 * left beside it as {@code FILE.stamp} with the digest that was found and the version that found
 * it; where that directory cannot be written to, in the user's cache directory ({@code cuzk.cache},
 * else {@code ~/.cache/cuzk}). The number of the file's device is no part of it: NFS and volumes
 * have another one on each host and after each mount.
 */
record FileStamp(long bytes, long modifiedNanos, String inode) {
  private static final Pattern INODE = Pattern.compile("\\bino=(\\d+)");

  static FileStamp of(Path file) {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new FileStamp(
          found.size(),
          found.lastModifiedTime().to(TimeUnit.NANOSECONDS),
          inode(String.valueOf(found.fileKey())));
    } catch (NoSuchFileException e) {
      throw new InvalidInputException(file + " does not exist", e);
    } catch (IOException e) {
      throw new InfrastructureException("cannot read " + file + ": " + e, e);
    }
  }

  /** Of {@code (dev=10,ino=11)}; other systems' keys as they are. */
  private static String inode(String key) {
    Matcher inode = INODE.matcher(key);
    return inode.find() ? inode.group(1) : key.replaceAll("\\s", "");
  }

  /**
   * The turn of one process of this host to read the file whole: the others find its stamp then.
   * Empty where the cache directory takes no lock: each reads it then.
   */
  @SuppressWarnings("MustBeClosedChecker") // the caller's to close
  static Optional<HostLock> turn(Path file) {
    Path cached = cached(file);
    Path lock = cached.resolveSibling(cached.getFileName() + ".lock");
    try {
      Files.createDirectories(lock.getParent());
      return Optional.of(HostLock.take(lock, "the digest of " + file));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Path path(Path file) {
    return file.resolveSibling(file.getFileName() + ".stamp");
  }

  private static Path cached(Path file) {
    String home = System.getProperty("user.home", ".");
    String name = FileDigest.blake2bOf(file.toAbsolutePath().toString().getBytes(UTF_8));
    return Path.of(System.getProperty("cuzk.cache", home + "/.cache/cuzk"), "stamps", name);
  }

  private String line(String digest) {
    return "cuzk-stamp-2 %d %d %s %s %s\n"
        .formatted(bytes, modifiedNanos, inode, digest, version());
  }

  private static String version() {
    String version = FileStamp.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  boolean fits(Path file, String expected) {
    return isLine(path(file), expected) || isLine(cached(file), expected);
  }

  private boolean isLine(Path stamp, String expected) {
    try {
      return Files.size(stamp) < 4096 && Files.readString(stamp).equals(line(expected));
    } catch (IOException e) {
      return false;
    }
  }

  /** Best effort: without a stamp the file is hashed again next time. */
  void write(Path file, String digest) {
    if (!writeTo(path(file), digest)) {
      writeTo(cached(file), digest);
    }
  }

  /** Under a name of its own first: several executors of a host may have read the file at once. */
  private boolean writeTo(Path target, String digest) {
    Path temporary =
        target.resolveSibling(target.getFileName() + ".part-" + ProcessHandle.current().pid());
    try {
      Files.createDirectories(target.toAbsolutePath().getParent());
      Files.write(temporary, line(digest).getBytes(UTF_8));
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      return true;
    } catch (IOException e) {
      return false; // a read-only parameter directory is normal
    }
  }
}
