package io.cuzk.groth16;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * By what a large file is known again after it was read whole: length, modification time and inode;
 * left beside it as {@code FILE.stamp} with the digest that was found.
 */
record FileStamp(long bytes, long modifiedNanos, String inode) {
  static FileStamp of(Path file) {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new FileStamp(
          found.size(),
          found.lastModifiedTime().to(TimeUnit.NANOSECONDS),
          String.valueOf(found.fileKey()));
    } catch (NoSuchFileException e) {
      throw new InvalidInputException(file + " does not exist", e);
    } catch (IOException e) {
      throw new InfrastructureException("cannot read " + file + ": " + e, e);
    }
  }

  private static Path path(Path file) {
    return file.resolveSibling(file.getFileName() + ".stamp");
  }

  private String line(String digest) {
    return "cuzk-stamp-1 %d %d %s %s\n".formatted(bytes, modifiedNanos, inode, digest);
  }

  boolean fits(Path file, String expected) {
    try {
      Path stamp = path(file);
      return Files.size(stamp) < 4096 && Files.readString(stamp).equals(line(expected));
    } catch (IOException e) {
      return false;
    }
  }

  /** Best effort: without a stamp the file is hashed again next time. */
  void write(Path file, String digest) {
    Path target = path(file);
    Path temporary = target.resolveSibling(target.getFileName() + ".part");
    try {
      Files.write(temporary, line(digest).getBytes(StandardCharsets.UTF_8));
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      // A read-only parameter directory is normal.
    }
  }
}
