package io.cuzk.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** Runs that take the lock of a run directory, and are silent after two seconds. */
final class LockHolders {
  static final Duration TIMEOUT = Duration.ofSeconds(2);

  private LockHolders() {}

  /** A run of this process. */
  static LockHolder here() {
    return LockHolder.current(UUID.randomUUID().toString(), Instant.now(), TIMEOUT);
  }

  /** A run of whose process this machine knows nothing. */
  static LockHolder elsewhere() {
    return elsewhere(TIMEOUT);
  }

  /** The same with a time-out of its own: long for one that is to be seen alive. */
  static LockHolder elsewhere(Duration timeout) {
    return new LockHolder(
        UUID.randomUUID().toString(),
        "prover",
        "host-7",
        "another boot",
        4711,
        Instant.EPOCH,
        Instant.parse("2026-01-02T03:04:05Z"),
        timeout);
  }

  /** Takes the lock as the holder, or fails as a run would. */
  static RunLock take(RunDirectory run, LockHolder holder) {
    return RunLock.take(run, holder, Progress.NONE, () -> {});
  }
}
