package io.cuzk.parallel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The one pool of compute threads that arithmetic runs on.
 *
 * <p>Its size is a parameter; a pool of one thread runs everything on the caller. The calling
 * thread always takes part, so {@code threads} is the number of cores kept busy. Work submitted
 * from inside a pool thread runs inline: nesting never deadlocks.
 *
 * <p>Thread-safe. The first failure of any piece of work is thrown to the caller after all pieces
 * have ended.
 */
public final class Workers implements AutoCloseable {
  /** The body of a parallel loop over {@code [from, to)}. */
  @FunctionalInterface
  public interface RangeBody {
    /** Handles the indices {@code from} (inclusive) to {@code to} (exclusive). */
    void run(long from, long to);
  }

  private static final ThreadLocal<Boolean> INSIDE = ThreadLocal.withInitial(() -> false);

  private final int threads;
  private final ExecutorService pool;
  private final AtomicLong cpuNanos = new AtomicLong();

  private Workers(int threads) {
    this.threads = threads;
    this.pool = threads == 1 ? null : Executors.newFixedThreadPool(threads - 1, named());
  }

  /**
   * A pool that keeps {@code threads} cores busy, the caller's included.
   *
   * @throws IllegalArgumentException if {@code threads < 1}
   */
  public static Workers of(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1, found " + threads);
    }
    return new Workers(threads);
  }

  /** A pool of one: everything runs on the calling thread. */
  public static Workers single() {
    return new Workers(1);
  }

  private static ThreadFactory named() {
    AtomicInteger next = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, "cuzk-worker-" + next.getAndIncrement());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Number of cores this pool keeps busy. */
  public int threads() {
    return threads;
  }

  /**
   * CPU time in nanoseconds spent so far by pool threads other than the callers'. The difference of
   * two readings, plus the caller's own thread CPU time, is the CPU time of what ran in between.
   */
  public long cpuNanos() {
    return cpuNanos.get();
  }

  /** Counts CPU time that a thread outside the pool spent for it. */
  public void addCpuNanos(long nanos) {
    cpuNanos.addAndGet(nanos);
  }

  /**
   * Runs {@code body} over {@code [0, n)} in contiguous ranges of at least {@code minRange} indices
   * (the last may be shorter), several per thread so that uneven ranges balance.
   */
  public void forRanges(long n, long minRange, RangeBody body) {
    if (n <= 0) {
      return;
    }
    long pieces = Math.min(threads == 1 ? 1 : 4L * threads, Math.max(1, n / Math.max(1, minRange)));
    if (pieces <= 1 || INSIDE.get()) {
      body.run(0, n);
      return;
    }
    List<Callable<Void>> work = new ArrayList<>();
    long step = Math.ceilDiv(n, pieces);
    for (long start = 0; start < n; start += step) {
      long from = start;
      long to = Math.min(n, start + step);
      work.add(
          () -> {
            body.run(from, to);
            return null;
          });
    }
    invokeAll(work);
  }

  /** Runs all of {@code work}, the caller taking part, and returns the results in its order. */
  public <T> List<T> invokeAll(List<? extends Callable<T>> work) {
    int count = work.size();
    List<T> results = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      results.add(null);
    }
    AtomicInteger next = new AtomicInteger();
    Runnable drain =
        () -> {
          boolean outer = !INSIDE.get();
          INSIDE.set(true);
          try {
            int i;
            while ((i = next.getAndIncrement()) < count) {
              T result = call(work.get(i));
              synchronized (results) {
                results.set(i, result);
              }
            }
          } finally {
            if (outer) {
              INSIDE.set(false);
            }
          }
        };
    if (threads == 1 || count <= 1 || INSIDE.get()) {
      for (int i = 0; i < count; i++) {
        results.set(i, call(work.get(i)));
      }
      return results;
    }
    List<Future<?>> others = new ArrayList<>();
    for (int t = 0; t < Math.min(threads - 1, count - 1); t++) {
      others.add(
          pool.submit(
              () -> {
                long before = threadCpuNanos();
                try {
                  drain.run();
                } finally {
                  cpuNanos.addAndGet(threadCpuNanos() - before);
                }
              }));
    }
    RuntimeException failure = null;
    try {
      drain.run();
    } catch (RuntimeException e) {
      failure = e;
      next.set(count);
    }
    for (Future<?> other : others) {
      failure = await(other, failure, next, count);
    }
    if (failure != null) {
      throw failure;
    }
    return results;
  }

  /**
   * Runs {@code work} on a thread of its own beside the caller, as a second caller of this pool:
   * for as long as both compute, one core more than {@link #threads} is asked for. Its CPU time
   * counts as the pool's.
   */
  public <T> Future<T> beside(Callable<T> work) {
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              long before = threadCpuNanos();
              try {
                return work.call();
              } finally {
                cpuNanos.addAndGet(threadCpuNanos() - before);
              }
            });
    Thread thread = new Thread(task, "cuzk-beside");
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  /** The result of {@link #beside}, or what it failed with. */
  public static <T> T join(Future<T> beside) {
    try {
      return beside.get();
    } catch (InterruptedException e) {
      beside.cancel(true);
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    }
  }

  private static RuntimeException await(
      Future<?> other, RuntimeException failure, AtomicInteger next, int count) {
    while (true) {
      try {
        other.get();
        return failure;
      } catch (InterruptedException e) {
        next.set(count);
        Thread.currentThread().interrupt();
        other.cancel(true);
        return failure != null ? failure : new IllegalStateException("interrupted", e);
      } catch (ExecutionException e) {
        next.set(count);
        if (e.getCause() instanceof Error error) {
          throw error;
        }
        RuntimeException found = (RuntimeException) e.getCause();
        if (failure == null) {
          return found;
        }
        failure.addSuppressed(found);
        return failure;
      }
    }
  }

  private static <T> T call(Callable<T> work) {
    try {
      return work.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** CPU time of the calling thread in nanoseconds. */
  public static long threadCpuNanos() {
    return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** Stops the pool's threads. Work in progress is not waited for. */
  @Override
  public void close() {
    if (pool != null) {
      pool.shutdownNow();
    }
  }
}
