package io.cuzk.jobs;

import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Local files under {@code other:///}: what is not {@code file:} goes through Hadoop's calls. */
public final class OtherFileSystem extends RawLocalFileSystem {
  @Override
  public URI getUri() {
    return URI.create("other:///");
  }

  @Override
  public String getScheme() {
    return "other";
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
