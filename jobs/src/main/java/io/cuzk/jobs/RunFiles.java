package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.IOUtils;

/**
 * Small files on any Hadoop file system, written so that a reader sees the whole file or none:
 * under a temporary name, then renamed. On a local disk through {@code java.nio}, which syncs and
 * leaves no checksum file behind.
 */
final class RunFiles {
  /** How often a small file is read that cannot be read to its end. */
  private static final int READS = 4;

  private final Configuration hadoop;

  RunFiles(Configuration hadoop) {
    this.hadoop = hadoop;
  }

  /** The file system of a path, and the path with scheme and working directory filled in. */
  Path qualify(String path) {
    try {
      Path plain = new Path(path);
      return fileSystem(plain).makeQualified(plain);
    } catch (IllegalArgumentException e) {
      throw new io.cuzk.InvalidInputException("not a path: " + path + " (" + reason(e) + ")", e);
    }
  }

  FileSystem fileSystem(Path path) {
    try {
      return path.getFileSystem(hadoop);
    } catch (IOException e) {
      throw new InfrastructureException("no file system for " + path + ": " + reason(e), e);
    }
  }

  /** Replaces a file's content at once. Its directory is made when absent. */
  void write(Path file, byte[] content) {
    try {
      if (isLocal(file)) {
        writeLocal(java.nio.file.Path.of(file.toUri().getPath()), content);
      } else {
        writeRemote(file, content);
      }
    } catch (IOException e) {
      throw new InfrastructureException("cannot write " + show(file) + ": " + reason(e), e);
    }
  }

  private static void writeLocal(java.nio.file.Path file, byte[] content) throws IOException {
    Files.createDirectories(file.getParent());
    java.nio.file.Path temporary = file.resolveSibling(temporaryName(file.getFileName()));
    try {
      try (FileChannel out =
          FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        out.force(true);
      }
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private void writeRemote(Path file, byte[] content) throws IOException {
    FileSystem fs = fileSystem(file);
    Path temporary = new Path(file.getParent(), temporaryName(file.getName()));
    try {
      put(fs.create(temporary, false), content);
      replace(fs, temporary, file);
    } finally {
      fs.delete(temporary, false);
    }
  }

  /** A stream of HDFS that failed fails again in the same words when it is closed. */
  private static void put(FSDataOutputStream out, byte[] content) throws IOException {
    try {
      out.write(content);
      if (out.hasCapability(StreamCapabilities.HSYNC)) {
        out.hsync(); // as the local files: on the disks, not only in the nodes' memory
      }
    } catch (IOException e) {
      IOUtils.closeStream(out);
      throw e;
    }
    out.close();
  }

  /** In HDFS at once; elsewhere, where a rename does not replace, with a moment between. */
  private static void replace(FileSystem fs, Path from, Path to) throws IOException {
    if (fs instanceof DistributedFileSystem hdfs) {
      hdfs.rename(from, to, Options.Rename.OVERWRITE);
    } else if (!fs.rename(from, to)) {
      fs.delete(to, false);
      if (!fs.rename(from, to)) {
        throw new IOException("rename from " + from + " refused");
      }
    }
  }

  /**
   * Makes a file, if there is none of that name; of several that try, one succeeds. A reader may
   * see it empty for a moment.
   *
   * @return whether it was made now
   */
  boolean createNew(Path file, byte[] content) {
    boolean made = false;
    try {
      if (isLocal(file)) {
        java.nio.file.Path local = java.nio.file.Path.of(file.toUri().getPath());
        Files.createDirectories(local.getParent());
        try (OutputStream out = Files.newOutputStream(local, StandardOpenOption.CREATE_NEW)) {
          made = true;
          out.write(content);
        }
      } else {
        FSDataOutputStream out = fileSystem(file).create(file, false);
        made = true;
        put(out, content);
      }
      return true;
    } catch (IOException e) {
      if (made) {
        delete(file);
      } else if (e instanceof NoSuchFileException || exists(file)) {
        return false; // somebody else's, or its directory was just taken away
      }
      throw new InfrastructureException("cannot make " + show(file) + ": " + reason(e), e);
    }
  }

  private static String temporaryName(Object name) {
    return "." + name + "." + UUID.randomUUID() + ".tmp";
  }

  /**
   * The bytes of a small file; null if there is none. One that is replaced after it was opened
   * cannot be read to its end on HDFS: what has its name then is read.
   */
  byte[] read(Path file, int limit) {
    IOException failure = null;
    for (int tried = 0; tried < READS; tried++) {
      try (InputStream in = open(file)) {
        if (in == null) {
          return null;
        }
        byte[] content = in.readNBytes(limit + 1);
        if (content.length > limit) {
          throw new io.cuzk.InvalidInputException(
              show(file) + " has more than the " + limit + " bytes that such a file may have");
        }
        return content;
      } catch (IOException e) {
        failure = e;
      }
    }
    throw new InfrastructureException(
        "cannot read " + show(file) + ": " + reason(failure), failure);
  }

  private InputStream open(Path file) throws IOException {
    try {
      return fileSystem(file).open(file);
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  boolean exists(Path path) {
    try {
      return fileSystem(path).exists(path);
    } catch (IOException e) {
      throw new InfrastructureException("cannot look at " + show(path) + ": " + reason(e), e);
    }
  }

  /** What a file system knows of a file; null if there is none. */
  FileStatus status(Path file) {
    try {
      return fileSystem(file).getFileStatus(file);
    } catch (FileNotFoundException e) {
      return null;
    } catch (IOException e) {
      throw new InfrastructureException("cannot look at " + show(file) + ": " + reason(e), e);
    }
  }

  /** When a file was last written, in milliseconds since 1970; 0 if there is none. */
  long modified(Path file) {
    FileStatus status = status(file);
    return status == null ? 0 : status.getModificationTime();
  }

  /** The time of now by the clock that {@link #modified} is read from. */
  long clock(Path directory) {
    Path probe = new Path(directory, temporaryName("clock"));
    try {
      write(probe, new byte[] {0});
      return modified(probe);
    } finally {
      delete(probe);
    }
  }

  /** What lies directly in a directory, temporary files left out; empty if there is none. */
  List<FileStatus> list(Path directory) {
    try {
      List<FileStatus> found = new ArrayList<>();
      for (FileStatus status : fileSystem(directory).listStatus(directory)) {
        String name = status.getPath().getName();
        if (!name.startsWith(".") || !name.endsWith(".tmp")) {
          found.add(status);
        }
      }
      return found;
    } catch (FileNotFoundException e) {
      return List.of();
    } catch (IOException e) {
      throw new InfrastructureException("cannot list " + show(directory) + ": " + reason(e), e);
    }
  }

  void delete(Path path) {
    try {
      fileSystem(path).delete(path, true);
    } catch (IOException e) {
      throw new InfrastructureException("cannot delete " + show(path) + ": " + reason(e), e);
    }
  }

  /** Deletes a directory, unless something is or appears in it. */
  void deleteIfEmpty(Path directory) {
    if (list(directory).isEmpty()) {
      try {
        fileSystem(directory).delete(directory, false);
      } catch (IOException e) {
        return; // no longer empty
      }
    }
  }

  void rename(Path from, Path to) {
    try {
      if (!fileSystem(from).rename(from, to)) {
        throw new IOException("rename to " + to.getName() + " refused");
      }
    } catch (IOException e) {
      throw new InfrastructureException("cannot rename " + show(from) + ": " + reason(e), e);
    }
  }

  /** Makes a directory and proves that it can be written to. */
  void makeWritable(Path directory) {
    try {
      fileSystem(directory).mkdirs(directory);
    } catch (IOException | RuntimeException e) {
      throw new InfrastructureException(
          "cannot make the output directory " + show(directory) + ": " + reason(e), e);
    }
    requireWritable(directory);
  }

  /** Proves that a directory can be written to. */
  void requireWritable(Path directory) {
    Path probe = new Path(directory, temporaryName("probe"));
    try {
      write(probe, new byte[0]);
      delete(probe);
    } catch (InfrastructureException e) {
      throw new InfrastructureException(
          "the output directory " + show(directory) + " is not writable: " + reason(e), e);
    }
  }

  static boolean isLocal(Path path) {
    String scheme = path.toUri().getScheme();
    return scheme == null || scheme.toLowerCase(Locale.ROOT).equals("file");
  }

  /** The path on this host that a local path or {@code file:} URI names. */
  static java.nio.file.Path local(String path) {
    return path.startsWith("file:")
        ? java.nio.file.Path.of(new Path(path).toUri().getPath())
        : java.nio.file.Path.of(path);
  }

  /** A path as the user would write it: without {@code file:}. */
  static String show(Path path) {
    return isLocal(path) ? path.toUri().getPath() : path.toString();
  }

  static String reason(Throwable failure) {
    Throwable at = failure;
    while (at.getCause() != null && at.getMessage() == null) {
      at = at.getCause();
    }
    String message = at.getMessage() == null ? at.getClass().getSimpleName() : at.getMessage();
    String name = at instanceof IOException ? at.getClass().getSimpleName() + ": " : "";
    return name + firstLine(message);
  }

  /** With the next one, if it only says that something follows. */
  private static String firstLine(String message) {
    List<String> lines = message.lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
    if (lines.isEmpty()) {
      return message;
    }
    String first = lines.getFirst();
    return first.endsWith(":") && lines.size() > 1 ? first + " " + lines.get(1) : first;
  }
}
