package io.cuzk.jobs.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/** An HDFS of three datanodes in this process, its files in a directory; a file three times. */
public final class SmallHdfs implements AutoCloseable {
  private final MiniDFSCluster cluster;

  private SmallHdfs(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  /** Starts one; returns when its datanodes are there. */
  public static SmallHdfs start(Path directory) throws IOException {
    Configuration conf = new Configuration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
    conf.setInt("dfs.namenode.handler.count", 4);
    conf.setInt("dfs.datanode.handler.count", 4);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf).numDataNodes(3).waitSafeMode(true).build();
    cluster.waitActive();
    return new SmallHdfs(cluster);
  }

  /** {@code hdfs://HOST:PORT/path}. */
  public String uri(String path) {
    return cluster.getURI() + path;
  }

  /** A client of its own, not the one that everybody in this process shares. */
  public DistributedFileSystem client() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(cluster.getURI(), configuration());
  }

  /** What a client needs to know. */
  public Configuration configuration() {
    return new Configuration();
  }

  /** Copies a local file or directory into it. */
  public void put(Path from, String to) throws IOException {
    put(from, to, 3);
  }

  /** The same, each file so many times. */
  public void put(Path from, String to, int replication) throws IOException {
    Configuration conf = configuration();
    conf.setInt("dfs.replication", replication);
    try (FileSystem files = FileSystem.newInstance(cluster.getURI(), conf)) {
      files.copyFromLocalFile(
          new org.apache.hadoop.fs.Path(from.toUri()), new org.apache.hadoop.fs.Path(to));
    }
  }

  /** Copies a directory out of it. */
  public void get(String from, Path to) throws IOException {
    try (FileSystem files = client()) {
      files.copyToLocalFile(
          false,
          new org.apache.hadoop.fs.Path(from),
          new org.apache.hadoop.fs.Path(to.toUri()),
          true);
    }
  }

  /** Ends a datanode; the others and the namenode are not told. */
  public void loseDatanode(int index) {
    cluster.stopDataNode(index);
  }

  /** Lets a directory hold no byte more, or as many as there is room for. */
  public void setFull(String directory, boolean full) {
    try (DistributedFileSystem files = client()) {
      files.setQuota(
          new org.apache.hadoop.fs.Path(directory),
          HdfsConstants.QUOTA_DONT_SET,
          full ? 1 : HdfsConstants.QUOTA_RESET);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** In safe mode nothing can be written. */
  public void setReadOnly(boolean readOnly) throws IOException {
    try (DistributedFileSystem files = client()) {
      files.setSafeMode(
          readOnly
              ? org.apache.hadoop.fs.SafeModeAction.ENTER
              : org.apache.hadoop.fs.SafeModeAction.LEAVE);
    }
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
