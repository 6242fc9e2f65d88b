package io.cuzk.jobs.fault;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;

/**
 * Local files under {@code full:///} on a disk that is full while the file {@code cuzk.full}
 * exists, whose C1 files it cannot read while {@code cuzk.unreadable} does, lists but does not find
 * while {@code cuzk.hidden} does (which the first look takes away if it holds {@code once}, and
 * which hides from tasks alone if it holds {@code tasks}), and which executors have mounted
 * read-only while {@code cuzk.readonly} does.
 */
public final class FullFileSystem extends RawLocalFileSystem {
  @Override
  public URI getUri() {
    return URI.create("full:///");
  }

  @Override
  public String getScheme() {
    return "full";
  }

  /** With as many bytes free as {@code cuzk.full.free} says, if it does. */
  @Override
  public FsStatus getStatus(Path file) throws IOException {
    long free = getConf().getLong("cuzk.full.free", -1);
    return free < 0 ? super.getStatus(file) : new FsStatus(1L << 40, (1L << 40) - free, free);
  }

  private void requireRoom(Path file) throws IOException {
    String readOnly = getConf().get("cuzk.readonly");
    if (readOnly != null
        && !SparkEnv.get().executorId().equals("driver")
        && Files.exists(java.nio.file.Path.of(readOnly))) {
      throw new IOException("Read-only file system");
    }
    // the lock is a few bytes that were there before
    if (!file.toString().contains("/lock/")
        && Files.exists(java.nio.file.Path.of(getConf().get("cuzk.full")))) {
      throw new IOException("No space left on device");
    }
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    if (file.getParent().getName().equals("c1")) {
      String unreadable = getConf().get("cuzk.unreadable");
      if (unreadable != null && Files.exists(java.nio.file.Path.of(unreadable))) {
        throw new IOException("Input/output error");
      }
      String hidden = getConf().get("cuzk.hidden");
      if (hidden != null && isHidden(java.nio.file.Path.of(hidden))) {
        throw new FileNotFoundException("File " + file + " does not exist");
      }
    }
    return super.open(file, bufferSize);
  }

  private static synchronized boolean isHidden(java.nio.file.Path said) throws IOException {
    if (!Files.exists(said)) {
      return false;
    }
    String who = Files.readString(said);
    if (who.equals("once")) {
      Files.delete(said);
    }
    return !who.equals("tasks") || TaskContext.get() != null;
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    requireRoom(file);
    return super.create(file, overwrite, bufferSize, replication, blockSize, progress);
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    requireRoom(file);
    return super.create(file, permission, overwrite, bufferSize, replication, blockSize, progress);
  }
}
