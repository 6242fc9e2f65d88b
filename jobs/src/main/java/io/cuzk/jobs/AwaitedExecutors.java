package io.cuzk.jobs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;

/** Executors that are to come. Not thread-safe: {@link ClusterHealth} guards it. */
final class AwaitedExecutors {
  /** How long an executor is waited for that is to come. */
  static final Duration PATIENCE = Duration.ofMinutes(5);

  private final LongSupplier nanos;
  private final List<Awaited> all = new ArrayList<>();

  /**
   * One of them.
   *
   * @param from the one in whose place; null for one that was asked for and was not there yet
   * @param asked whether this program had that one replaced; Spark replaces what it lost by itself
   */
  private record Awaited(ClusterHealth.Ready from, boolean asked, long until) {
    private boolean isLive(long now) {
      return until - now > 0;
    }

    /** How well an executor fits, the best being 0. */
    private int rank(ClusterHealth.Ready executor) {
      if (from == null) {
        return 2;
      }
      if (!Collections.disjoint(from.seats(), executor.seats())) {
        return 0;
      }
      return executor.host().equals(from.host()) ? 1 : 3;
    }
  }

  /** With a clock of nanoseconds that only goes on. */
  AwaitedExecutors(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * One is to come, from now on for {@link #PATIENCE}.
   *
   * @see Awaited
   */
  void add(ClusterHealth.Ready from, boolean asked) {
    all.add(new Awaited(from, asked, nanos.getAsLong() + PATIENCE.toNanos()));
  }

  /**
   * An executor has come. It is the one that was awaited for the same device, or on the same host,
   * else one of those that had not come yet, else the one that is awaited longest. One that is of
   * no use is only who was awaited for its device, if anybody's place is to be filled: a cluster
   * may start it where it has room, which is where one was given back.
   *
   * @return whether it is one of them, or nobody is awaited
   */
  boolean come(ClusterHealth.Ready executor) {
    long now = nanos.getAsLong();
    Awaited found = null;
    for (Awaited each : all) {
      if ((executor.isUsable() || each.isLive(now))
          && (found == null || each.rank(executor) < found.rank(executor))) {
        found = each;
      }
    }
    if (!executor.isUsable() && isPlaceOpen() && found.rank(executor) != 0) {
      return false;
    }
    all.remove(found);
    return true;
  }

  /** Whether one is awaited in the place of another. */
  boolean isPlaceOpen() {
    long now = nanos.getAsLong();
    return all.stream().anyMatch(each -> each.from() != null && each.isLive(now));
  }

  /** How many are awaited still. */
  int count() {
    long now = nanos.getAsLong();
    return (int) all.stream().filter(each -> each.isLive(now)).count();
  }

  /** Whether one has not come that this program asked for, however long ago. */
  boolean isAskedFor() {
    return all.stream().anyMatch(Awaited::asked);
  }

  void clear() {
    all.clear();
  }
}
