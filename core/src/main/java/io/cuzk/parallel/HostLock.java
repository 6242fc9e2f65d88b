package io.cuzk.parallel;

import io.cuzk.InfrastructureException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one thread of one process of a host has at a time: a lock on a file, which the system gives
 * back when the process dies. Belongs to the thread that took it. On a file system that hosts share
 * it may hold for all of them.
 */
public final class HostLock implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HostLock.class);
  private static final long PERIOD_MILLIS = 100;
  private static final long SAID_EVERY = TimeUnit.SECONDS.toNanos(30);

  /** A file lock is the whole process's: its threads take turns here. */
  private static final Map<Path, ReentrantLock> THREADS = new ConcurrentHashMap<>();

  private final ReentrantLock thread;
  private final FileChannel channel;

  private HostLock(ReentrantLock thread, FileChannel channel) {
    this.thread = thread;
    this.channel = channel;
  }

  /**
   * Waits for the lock, without a limit; says every half minute that it does.
   *
   * @param what for the log: what is waited for
   * @throws IOException if there can be no such file
   * @throws InfrastructureException if the thread is interrupted
   */
  @SuppressWarnings("MustBeClosedChecker") // the channel lives as long as what is returned
  public static HostLock take(Path file, String what) throws IOException {
    ReentrantLock thread =
        THREADS.computeIfAbsent(file.toAbsolutePath().normalize(), path -> new ReentrantLock());
    boolean good = false;
    FileChannel channel = null;
    try {
      thread.lockInterruptibly();
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      for (long said = 0; lock == null; lock = channel.tryLock()) {
        if (said == 0 || System.nanoTime() - said > SAID_EVERY) {
          LOG.info("another process of this host is at {}; waiting for it", what);
          said = System.nanoTime();
        }
        Thread.sleep(PERIOD_MILLIS);
      }
      good = true;
      return new HostLock(thread, channel);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InfrastructureException("interrupted while waiting for " + what, e);
    } finally {
      if (!good) {
        if (channel != null) {
          channel.close();
        }
        if (thread.isHeldByCurrentThread()) {
          thread.unlock();
        }
      }
    }
  }

  /** Sees that it was not given back. */
  public void requireHeld() {
    if (!channel.isOpen() || !thread.isHeldByCurrentThread()) {
      throw new IllegalStateException("the lock of this host is not held here");
    }
  }

  /** Gives it back. The file stays: whoever deleted it would let two in. */
  @Override
  public void close() throws IOException {
    try {
      channel.close(); // with it the lock
    } finally {
      thread.unlock();
    }
  }
}
