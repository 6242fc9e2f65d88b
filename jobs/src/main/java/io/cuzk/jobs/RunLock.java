package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.Path;

/**
 * The right to work on a run directory, on any Hadoop file system: of two runs the second is
 * refused, and what a dead one left never stands in the way.
 *
 * <p>{@code lock/N.json} names the holder, {@code lock/N.beat} changes as long as it lives. Whoever
 * finds every holder dead makes the next number, which only one can; then it looks again, and gives
 * way to a holder that it has not seen dead. On the holder's machine its process decides, elsewhere
 * its silence, watched and not read from clocks. A holder that was only asleep finds the higher
 * number and stops. Thread-safe.
 */
final class RunLock implements AutoCloseable {
  /** The least time-out: {@link #BEATS} of them must be told from each other by every clock. */
  static final Duration LEAST_TIMEOUT = Duration.ofSeconds(2);

  private static final int BEATS = 6;
  private static final int TRIES = 8;

  /** Time-outs of silence after which a holder is dead without being watched. */
  private static final int LONG_PAST = 10;

  private final LockFiles files;
  private final LockHolder holder;
  private final int number;
  private final List<Integer> dead;
  private final Runnable onLost;
  private final AtomicBoolean lost = new AtomicBoolean();
  private final ScheduledExecutorService beats =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("cuzk-run-lock").factory());
  private long beat;

  private RunLock(
      LockFiles files, LockHolder holder, int number, List<Integer> dead, Runnable onLost) {
    this.files = files;
    this.holder = holder;
    this.number = number;
    this.dead = dead;
    this.onLost = onLost;
  }

  /**
   * Takes the lock of a run directory.
   *
   * @param onLost run once, from another thread, if the lock is lost to somebody who took this
   *     holder for dead
   * @throws InfrastructureException naming the holder, if there is a live one
   */
  static RunLock take(RunDirectory run, LockHolder holder, Progress progress, Runnable onLost) {
    LockFiles files = new LockFiles(run);
    for (int tried = 0; tried < TRIES; tried++) {
      Set<String> seenDead = new HashSet<>();
      List<Integer> there = files.numbers();
      for (int number : there) {
        judge(run, files, number, progress, seenDead);
      }
      int mine = there.isEmpty() ? 1 : there.getLast() + 1;
      if (!files.create(mine, holder)) {
        continue;
      }
      List<Integer> others = files.numbers();
      others.remove(Integer.valueOf(mine));
      // Read back: on a file system that does not make files exclusively, somebody may have made it
      // again.
      if (files.identity(mine).equals(holder.id())
          && others.stream().allMatch(number -> seenDead.contains(files.identity(number)))) {
        RunLock lock = new RunLock(files, holder, mine, others, onLost);
        lock.begin();
        return lock;
      }
      if (files.identity(mine).equals(holder.id())) {
        files.remove(mine);
      }
      sleep(ThreadLocalRandom.current().nextLong(50, 500));
    }
    throw new InfrastructureException(
        "the run directory %s is being taken by several runs at once; try again"
            .formatted(run.show()));
  }

  /** Returns if the holder is dead or gone, else refuses. */
  private static void judge(
      RunDirectory run, LockFiles files, int number, Progress progress, Set<String> seenDead) {
    String identity = files.identity(number);
    LockHolder other = files.holder(number);
    LockHolder.Life life = other == null ? LockHolder.Life.UNKNOWN : other.life();
    if (life == LockHolder.Life.UNKNOWN) {
      life = watch(run, files, number, other, progress);
    }
    if (life == LockHolder.Life.ALIVE) {
      LockHolder now = files.holder(number);
      throw new InfrastructureException(
          "the run directory %s is in use: %s; wait for its end, or name another directory"
              .formatted(run.show(), now == null ? "by a run that begins now" : now.describe()));
    }
    seenDead.add(identity);
  }

  private static LockHolder.Life watch(
      RunDirectory run, LockFiles files, int number, LockHolder other, Progress progress) {
    Duration timeout = other == null ? LEAST_TIMEOUT.multipliedBy(BEATS) : other.timeout();
    // What is long past needs no watching. One clock is read twice, but a file system may cache.
    if (files.silence(number) > LONG_PAST * timeout.toMillis()) {
      return LockHolder.Life.DEAD;
    }
    progress.note(
        "%s is locked by %s; watching for %.0f s whether it lives"
            .formatted(
                run.show(),
                other == null ? "an unnamed run" : other.describe(),
                timeout.toMillis() / 1e3));
    return watch(files, number, timeout);
  }

  /** Watches for that long whether there is a sign of life. */
  private static LockHolder.Life watch(LockFiles files, int number, Duration timeout) {
    byte[] first = files.beat(number);
    long until = System.nanoTime() + timeout.toNanos();
    while (System.nanoTime() < until) {
      sleep(Math.clamp(timeout.toMillis() / 20, 20, 500));
      if (!files.exists(number)) {
        return LockHolder.Life.DEAD;
      }
      if (!Arrays.equals(first, files.beat(number))) {
        return LockHolder.Life.ALIVE;
      }
    }
    return LockHolder.Life.DEAD;
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InfrastructureException("interrupted while waiting for a run directory", e);
    }
  }

  private void begin() {
    long period = Math.max(1, holder.timeout().toMillis() / BEATS);
    beats.scheduleAtFixedRate(this::beat, 0, period, TimeUnit.MILLISECONDS);
  }

  private void beat() {
    try {
      if (!isOurs()) {
        if (lost.compareAndSet(false, true)) {
          beats.shutdown();
          onLost.run();
        }
        return;
      }
      files.beat(number, Long.toString(++beat).getBytes(StandardCharsets.US_ASCII));
    } catch (RuntimeException e) {
      // A file system that fails now may answer the next time; if it does not, the run's own
      // writes fail and say why.
      return;
    }
  }

  private boolean isOurs() {
    List<Integer> there = files.numbers();
    return there.contains(number)
        && there.getLast() == number
        && files.identity(number).equals(holder.id());
  }

  /**
   * Sees that the lock was not lost.
   *
   * @throws InfrastructureException if it was, naming who has it
   */
  void requireHeld() {
    if (lost.get() || !isOurs()) {
      List<Integer> there = files.numbers();
      LockHolder now = there.isEmpty() ? null : files.holder(there.getLast());
      throw new InfrastructureException(
          "this run was silent for longer than %d ms and lost its directory to %s; what it proved stays"
              .formatted(
                  holder.timeout().toMillis(), now == null ? "another run" : now.describe()));
    }
  }

  /** The same failure, or what lies behind it if the lock was lost meanwhile. */
  RuntimeException explain(RuntimeException failure) {
    if (lost.get()) {
      try {
        requireHeld();
      } catch (InfrastructureException e) {
        e.addSuppressed(failure);
        return e;
      }
    }
    return failure;
  }

  /** Gives the lock back, and takes away what dead holders left. */
  @Override
  public void close() {
    beats.shutdown();
    try {
      if (!beats.awaitTermination(10, TimeUnit.SECONDS)) {
        beats.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!lost.get() && isOurs()) {
      dead.forEach(files::remove);
      files.remove(number);
      files.removeDirectoryIfEmpty();
    }
  }

  /**
   * The last one who took a run directory.
   *
   * @param alive whether it still holds it, as far as a look can tell
   * @param dead whether it surely does not: a rerun would take over without watching it
   * @param silentMillis since its last sign of life, by the file system's clock
   */
  record Seen(LockHolder holder, boolean alive, boolean dead, long silentMillis) {}

  /**
   * Null if the directory is not locked, by a live or a dead run. Of a holder on another machine
   * the file system's clock decides; where this user may not write, so that it cannot be asked,
   * this machine's, and if that says dead, a beat that changes. Leaves nothing.
   */
  static Seen look(RunDirectory run) {
    LockFiles files = new LockFiles(run);
    List<Integer> there = files.numbers();
    LockHolder holder = there.isEmpty() ? null : files.holder(there.getLast());
    if (holder == null) {
      return null;
    }
    int number = there.getLast();
    long timeout = holder.timeout().toMillis();
    long silent = Math.max(0, System.currentTimeMillis() - files.lastSign(number));
    LockHolder.Life life = holder.life();
    if (life != LockHolder.Life.UNKNOWN) {
      return new Seen(holder, life == LockHolder.Life.ALIVE, life == LockHolder.Life.DEAD, silent);
    }
    try {
      silent = Math.max(0, files.silence(number));
      return new Seen(holder, silent <= 2 * timeout, silent > LONG_PAST * timeout, silent);
    } catch (InfrastructureException e) {
      boolean beats =
          silent <= 2 * timeout
              || watch(files, number, holder.timeout().dividedBy(2)) == LockHolder.Life.ALIVE;
      return new Seen(holder, beats, false, silent);
    }
  }

  /** The directory in a run directory. */
  static Path directory(RunDirectory run) {
    return new Path(run.root(), "lock");
  }
}
