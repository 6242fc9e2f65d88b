package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Where a measurement leaves its runs: nobody else's as long as it is open, so that a second
 * measurement does not take away what the first one is at work on.
 */
final class MeasurementDirectory implements AutoCloseable {
  private final RunDirectory root;
  private final Configuration hadoop;
  private final Duration timeout;
  private final Progress progress;
  private final RunLock lock;

  private MeasurementDirectory(
      RunDirectory root, Configuration hadoop, Duration timeout, Progress progress) {
    this.root = root;
    this.hadoop = hadoop;
    this.timeout = timeout;
    this.progress = progress;
    this.lock = take(root);
  }

  /**
   * Takes it, and makes it if need be.
   *
   * @param timeout after which a silent holder is dead, of {@code spark.cuzk.lock.timeout}
   * @throws InfrastructureException naming the holder, if somebody is at work there
   */
  static MeasurementDirectory open(
      String path, Configuration hadoop, Duration timeout, Progress progress) {
    return new MeasurementDirectory(new RunDirectory(path, hadoop), hadoop, timeout, progress);
  }

  /**
   * The place of a run, in which there is none any more: a measurement is of all its sectors.
   *
   * @throws InfrastructureException if a run is at work there; it is left alone
   */
  String fresh(String name) {
    lock.requireHeld();
    RunDirectory run = new RunDirectory(new Path(root.root(), name).toString(), hadoop);
    if (run.isRun()) {
      try (RunLock held = take(run)) {
        held.requireHeld();
        run.clear();
      }
    }
    return run.root().toString();
  }

  private RunLock take(RunDirectory run) {
    LockHolder self = LockHolder.current(UUID.randomUUID().toString(), Instant.now(), timeout);
    return RunLock.take(run, self, progress, () -> {});
  }

  @Override
  public void close() {
    lock.close();
  }
}
