package io.cuzk.prover;

import io.cuzk.parallel.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Measures the phases of one proof where they run. A phase that fails is recorded too. Belongs to
 * the thread that proves; {@link #add} and {@link #phases} may be called from others.
 */
public final class PhaseTimer {
  private final List<Workers> pools;
  private final long epochNanos;
  private final long originNanos;
  private final List<Phase> phases = new ArrayList<>();

  private PhaseTimer(List<Workers> pools) {
    this.pools = pools;
    epochNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    originNanos = System.nanoTime();
  }

  /**
   * A timer that counts the CPU time of the caller and of pools. All that is computed on them
   * counts for this proof, so they should be nobody else's meanwhile.
   */
  public static PhaseTimer of(Workers... pools) {
    return new PhaseTimer(List.of(pools));
  }

  private long cpuNanos() {
    long sum = Workers.threadCpuNanos();
    for (Workers pool : pools) {
      sum += pool.cpuNanos();
    }
    return sum;
  }

  /** Runs and records a phase. */
  public <T> T time(String name, Supplier<T> work) {
    PhaseEvent event = new PhaseEvent();
    event.begin();
    long start = System.nanoTime();
    long cpu = cpuNanos();
    try {
      return work.get();
    } finally {
      long wall = System.nanoTime() - start;
      long spent = cpuNanos() - cpu;
      add(new Phase(name, epochNanos + (start - originNanos), wall, spent));
      event.phase = name;
      event.cpuNanos = spent;
      event.commit();
    }
  }

  /** Runs and records a phase without a result. */
  public void run(String name, Runnable work) {
    time(
        name,
        () -> {
          work.run();
          return null;
        });
  }

  /** Adds a phase of waiting that ends now. */
  public void ended(String name, long wallNanos) {
    long start = System.nanoTime() - wallNanos;
    add(new Phase(name, epochNanos + (start - originNanos), wallNanos, 0));
  }

  /** Adds a phase that was measured elsewhere. */
  public void add(Phase phase) {
    synchronized (phases) {
      phases.add(phase);
    }
  }

  /** The phases so far, in the order in which they ended. */
  public List<Phase> phases() {
    synchronized (phases) {
      return List.copyOf(phases);
    }
  }
}
