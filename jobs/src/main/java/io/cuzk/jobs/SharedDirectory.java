package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * On an executor: whether its run directory is the driver's. A path that is a disk of its own on
 * each host takes every proof and shows the driver none. The run's lock, which the driver made,
 * tells. Thread-safe.
 */
final class SharedDirectory {
  /** Another host may see a new file late: NFS keeps what it knows of a directory for a while. */
  private static final int LOOKS = 4;

  private static final long BETWEEN_MILLIS = 500;

  /** The runs whose directory was found good in this process. */
  private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

  private SharedDirectory() {}

  /**
   * Looks, once for each run.
   *
   * @throws InfrastructureException naming host and directory, if the driver's lock is not there or
   *     nothing can be written
   */
  static void require(JobSettings job) {
    if (SEEN.contains(job.runId())) {
      return;
    }
    RunDirectory run = Executor.run(job);
    String host = Machine.current().host();
    try {
      if (!isLockedBy(job.runId(), run)) {
        throw new InfrastructureException(
            ("%s on %s is not the run directory that the driver sees: the lock of this run (%s) is"
                    + " not in it; name one that all hosts share, or a Hadoop file system")
                .formatted(run.show(), host, job.runId()));
      }
      run.files().requireWritable(run.root());
    } catch (InfrastructureException e) {
      if (e.getMessage().contains(host)) {
        throw e;
      }
      throw new InfrastructureException("on " + host + ": " + e.getMessage(), e);
    }
    SEEN.add(job.runId());
  }

  private static boolean isLockedBy(String runId, RunDirectory run) {
    LockFiles lock = new LockFiles(run);
    for (int look = 1; ; look++) {
      if (lock.numbers().stream().anyMatch(number -> lock.identity(number).equals(runId))) {
        return true;
      }
      if (look == LOOKS) {
        return false;
      }
      try {
        Thread.sleep(BETWEEN_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InfrastructureException("interrupted while looking at " + run.show(), e);
      }
    }
  }
}
