package io.cuzk.jobs;

import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * Local files under {@code flaky:///}, far away: {@code flaky.fail.at} is the byte of a {@code
 * .params} file at which reading fails, {@code flaky.length} the length that it says it has, {@code
 * flaky.delay} the milliseconds that each read of it takes.
 */
public final class FlakySource extends RawLocalFileSystem {
  @Override
  public URI getUri() {
    return URI.create("flaky:///");
  }

  @Override
  public String getScheme() {
    return "flaky";
  }

  static Configuration configuration() {
    Configuration hadoop = new Configuration();
    hadoop.setClass("fs.flaky.impl", FlakySource.class, FileSystem.class);
    hadoop.setBoolean("fs.flaky.impl.disable.cache", true);
    return hadoop;
  }

  static String path(java.nio.file.Path local) {
    return new Path("flaky", "", local.toString()).toString();
  }

  @Override
  public FileStatus getFileStatus(Path file) throws IOException {
    FileStatus found = super.getFileStatus(file);
    long length = getConf().getLong("flaky.length", 0);
    return length == 0 || !file.getName().endsWith(".params")
        ? found
        : new FileStatus(length, false, 1, 1, found.getModificationTime(), found.getPath());
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    FSDataInputStream whole = super.open(file, bufferSize);
    return file.getName().endsWith(".params")
        ? new FSDataInputStream(new Flaky(whole, getConf()))
        : whole;
  }

  private static final class Flaky extends FSInputStream {
    private final FSDataInputStream whole;
    private final long failAt;
    private final long delay;

    Flaky(FSDataInputStream whole, Configuration conf) {
      this.whole = whole;
      this.failAt = conf.getLong("flaky.fail.at", Long.MAX_VALUE);
      this.delay = conf.getLong("flaky.delay", 0);
    }

    @Override
    public void seek(long to) throws IOException {
      whole.seek(to);
    }

    @Override
    public long getPos() throws IOException {
      return whole.getPos();
    }

    @Override
    public boolean seekToNewSource(long to) {
      return false;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
      long left = failAt - getPos();
      if (left <= 0) {
        throw new EOFException("the datanode went away");
      }
      try {
        Thread.sleep(delay);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      return whole.read(into, at, (int) Math.min(length, left));
    }

    @Override
    public void close() throws IOException {
      whole.close();
    }
  }
}
