package io.cuzk.jobs;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * Local files under {@code hooked:///}: what happens when a file of {@code sectors/} is first
 * opened, files that are replaced while they are read, and a clock that differs from this
 * machine's.
 */
public final class HookedFileSystem extends RawLocalFileSystem {
  static final AtomicReference<Runnable> ON_SECTORS = new AtomicReference<>();

  /** How many of the next files to be opened cannot be read, as when they are replaced on HDFS. */
  static final AtomicInteger REPLACED = new AtomicInteger();

  /** Milliseconds that the clock is behind, for configurations that set it. */
  static final String BEHIND = "cuzk.test.behind";

  @Override
  public URI getUri() {
    return URI.create("hooked:///");
  }

  @Override
  public String getScheme() {
    return "hooked";
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    if (file.getParent().getName().equals(Datasets.SECTORS)) {
      Runnable hook = ON_SECTORS.getAndSet(null);
      if (hook != null) {
        hook.run();
      }
    }
    FSDataInputStream found = super.open(file, bufferSize);
    if (REPLACED.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      found.close();
      return new FSDataInputStream(new Replaced());
    }
    return found;
  }

  /** What the name server says of a file whose blocks are another's by now. */
  private static final class Replaced extends FSInputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("Blocklist has changed!");
    }

    @Override
    public void seek(long position) {}

    @Override
    public long getPos() {
      return 0;
    }

    @Override
    public boolean seekToNewSource(long position) {
      return false;
    }
  }

  @Override
  public FileStatus getFileStatus(Path file) throws IOException {
    FileStatus status = super.getFileStatus(file);
    long behind = getConf().getLong(BEHIND, 0);
    return behind == 0
        ? status
        : new FileStatus(
            status.getLen(),
            status.isDirectory(),
            status.getReplication(),
            status.getBlockSize(),
            status.getModificationTime() - behind,
            status.getPath());
  }
}
