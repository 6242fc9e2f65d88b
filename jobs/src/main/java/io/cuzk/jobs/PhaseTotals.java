package io.cuzk.jobs;

import java.util.Map;
import java.util.TreeMap;

/**
 * What the phases of proved partitions came to so far, by executor, as executors told the driver
 * while the run goes on. A partition that was proved twice counts twice. Thread-safe.
 */
final class PhaseTotals {
  /** One phase on one executor. */
  record Key(String phase, String executor, String host) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byHost = host.compareTo(other.host);
      int byExecutor = byHost == 0 ? executor.compareTo(other.executor) : byHost;
      return byExecutor == 0 ? phase.compareTo(other.phase) : byExecutor;
    }
  }

  /**
   * Its sums.
   *
   * @param count how often it happened
   * @param wallNanos of all
   * @param cpuNanos of those that could tell
   */
  record Sum(long count, long wallNanos, long cpuNanos) {
    private Sum plus(Sum other) {
      return new Sum(count + other.count, wallNanos + other.wallNanos, cpuNanos + other.cpuNanos);
    }
  }

  private final Map<Key, Sum> sums = new TreeMap<>();

  synchronized void add(Key key, long wallNanos, long cpuNanos) {
    sums.merge(key, new Sum(1, wallNanos, cpuNanos), Sum::plus);
  }

  /** As they are now, by host, executor and phase. */
  synchronized Map<Key, Sum> snapshot() {
    return new TreeMap<>(sums);
  }
}
