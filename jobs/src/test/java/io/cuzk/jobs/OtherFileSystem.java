package io.cuzk.jobs;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.util.Progressable;

/**
 * Local files under {@code other:///}: what is not {@code file:} goes through Hadoop's calls. As in
 * HDFS, and not as in its parent, of several that make a new file only one can.
 */
public final class OtherFileSystem extends RawLocalFileSystem {
  @Override
  public URI getUri() {
    return URI.create("other:///");
  }

  @Override
  public String getScheme() {
    return "other";
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
    if (!overwrite) {
      java.nio.file.Path local = pathToFile(file).toPath();
      Files.createDirectories(local.getParent());
      Files.createFile(local);
    }
    return super.create(file, true, bufferSize, replication, blockSize, progress);
  }

  static Configuration configuration() {
    Configuration hadoop = new Configuration();
    hadoop.setClass("fs.other.impl", OtherFileSystem.class, org.apache.hadoop.fs.FileSystem.class);
    return hadoop;
  }

  static String path(java.nio.file.Path local) {
    return new Path("other", "", local.toString()).toString();
  }
}
