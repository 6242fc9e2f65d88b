package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Path;

/**
 * Where the datasets of a run lie, and how new ones take the place of the former, all at once. New
 * ones are written beside their places; when all are there a file {@code _datasets.ready} says so,
 * and they are renamed. Whoever finds that file reads the new ones, wherever they are by then; a
 * process that is killed in between leaves either the former ones or the new ones to be read, and
 * {@link #heal} ends what it began.
 */
final class DatasetPlaces {
  static final List<String> ALL =
      List.of(Datasets.PROOFS, Datasets.PHASES, Datasets.SECTORS, Datasets.DEVICES);

  /** How often is read what a run writes meanwhile; the pauses double. */
  private static final int READS = 5;

  private static final long FIRST_PAUSE_MILLIS = 100;

  private final RunDirectory run;
  private final RunFiles files;
  private final Path ready;

  DatasetPlaces(RunDirectory run) {
    this.run = run;
    this.files = run.files();
    this.ready = new Path(run.root(), "_datasets.ready");
  }

  /** Where the next one is written. */
  Path fresh(String name) {
    return new Path(run.root(), "_" + name + ".new");
  }

  private Path former(String name) {
    return new Path(run.root(), "_" + name + ".old");
  }

  /** Where one is to be read just now; its own place, empty, if there is none. */
  Path toRead(String name) {
    Path place = run.dataset(name);
    if (files.exists(ready) && files.exists(fresh(name))) {
      return fresh(name);
    }
    return !files.exists(place) && files.exists(former(name)) ? former(name) : place;
  }

  /**
   * Reads from several of them, again if a commit came between: what was read before it and what
   * was read after it do not belong together, and files that were read from may be gone.
   *
   * @throws InfrastructureException if commits follow each other too fast
   */
  <T> T readTogether(Supplier<T> reading) {
    for (int reads = 1; ; reads++) {
      List<String> before = identity();
      T found = null;
      Exception failure = null;
      try {
        found = reading.get();
      } catch (Exception e) {
        failure = e; // Spark throws checked ones undeclared
      }
      if (before.equals(identity())) {
        if (failure != null) {
          throw failure instanceof RuntimeException e ? e : TaskFailures.translate(failure);
        }
        return found;
      }
      if (reads == READS) {
        throw new InfrastructureException(
            "the run in %s is being written: its datasets changed during each of %d reads; try again"
                .formatted(run.show(), READS),
            failure);
      }
      pause(FIRST_PAUSE_MILLIS << reads);
    }
  }

  /** What is to be read just now: Spark never gives two files that it writes one name. */
  private List<String> identity() {
    List<String> found = new ArrayList<>();
    for (String name : ALL) {
      Path place = toRead(name);
      found.add(place.getName());
      files.list(place).stream()
          .map(file -> file.getPath().getName() + " " + file.getModificationTime())
          .sorted()
          .forEach(found::add);
    }
    return found;
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InfrastructureException("interrupted while datasets were read", e);
    }
  }

  /** Puts the fresh ones, which are all written, into their places. */
  void swap() {
    files.write(ready, new byte[0]);
    finish();
  }

  private void finish() {
    for (String name : ALL) {
      if (!files.exists(fresh(name))) {
        continue; // it was put there before
      }
      files.delete(former(name));
      if (files.exists(run.dataset(name))) {
        files.rename(run.dataset(name), former(name));
      }
      files.rename(fresh(name), run.dataset(name));
    }
    files.delete(ready);
    ALL.forEach(name -> files.delete(former(name)));
  }

  /** Ends a swap that was interrupted; what was written for one that was not begun goes away. */
  void heal() {
    if (files.exists(ready)) {
      finish();
    }
    for (String name : ALL) {
      if (!files.exists(run.dataset(name)) && files.exists(former(name))) {
        files.rename(former(name), run.dataset(name));
      }
      files.delete(former(name));
      files.delete(fresh(name));
    }
  }

  /** Whether there is something to heal for readers that do not look beside the places. */
  boolean isTorn() {
    return files.exists(ready)
        || ALL.stream()
            .anyMatch(name -> !files.exists(run.dataset(name)) && files.exists(former(name)));
  }
}
