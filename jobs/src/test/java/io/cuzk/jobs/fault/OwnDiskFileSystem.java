package io.cuzk.jobs.fault;

import java.io.File;
import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Files under {@code own:///}, of which Spark's tasks see others than the driver. */
public final class OwnDiskFileSystem extends RawLocalFileSystem {
  @Override
  public URI getUri() {
    return URI.create("own:///");
  }

  @Override
  public String getScheme() {
    return "own";
  }

  @Override
  public File pathToFile(Path path) {
    File file = super.pathToFile(path);
    return Thread.currentThread().getName().startsWith("Executor task launch worker")
        ? new File("/" + file.getPath().replace("/run", "/own"))
        : file;
  }
}
