package io.cuzk.prover;

import io.cuzk.InfrastructureException;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bytes that the proofs of one process may hold between them. Who asks waits until there is room;
 * the first in the {@linkplain PartitionOrder order} is served first, and nobody overtakes it with
 * a smaller request, so that none waits for ever. What can never fit is refused at once.
 * Thread-safe.
 */
public final class MemoryBudget {
  private final long total;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition freed = lock.newCondition();
  private final PriorityQueue<Waiter> line = new PriorityQueue<>();
  private long used;
  private long arrivals;

  private record Waiter(PartitionOrder order, long arrival) implements Comparable<Waiter> {
    @Override
    public int compareTo(Waiter other) {
      int first = order.compareTo(other.order);
      return first != 0 ? first : Long.compare(arrival, other.arrival);
    }
  }

  private MemoryBudget(long total) {
    this.total = total;
  }

  /**
   * A budget of that many bytes.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public static MemoryBudget of(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a budget of " + bytes + " bytes");
    }
    return new MemoryBudget(bytes);
  }

  /**
   * Three quarters of this JVM's heap: the collector needs the rest. The heap is bounded by the
   * container's limit already where the JVM chose it; mapped keys are page cache and not counted.
   */
  public static MemoryBudget ofHeap() {
    return of(Runtime.getRuntime().maxMemory() / 4 * 3);
  }

  /** Bytes in all. */
  public long total() {
    return total;
  }

  /** Bytes that are reserved now. */
  public long used() {
    lock.lock();
    try {
      return used;
    } finally {
      lock.unlock();
    }
  }

  /** How many wait now. */
  public int waiting() {
    lock.lock();
    try {
      return line.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reserves bytes, waiting for room.
   *
   * @param what needs them, for messages
   * @throws InfrastructureException if they are more than the whole budget, at once and with both
   *     figures; or if the thread is interrupted
   */
  public Reservation reserve(String what, long bytes, PartitionOrder order) {
    if (bytes < 0) {
      throw new IllegalArgumentException(bytes + " bytes");
    }
    if (bytes > total) {
      throw new InfrastructureException(
          ("%s needs %d bytes (%d MiB), the memory budget of this process is %d bytes (%d MiB):"
                  + " give it %d MiB more (spark.executor.memory, CUZK_HEAP, or"
                  + " spark.cuzk.memory.budget)")
              .formatted(
                  what,
                  bytes,
                  bytes >> 20,
                  total,
                  total >> 20,
                  (bytes - total + (1 << 20) - 1) >> 20));
    }
    lock.lock();
    try {
      Waiter self = new Waiter(order, arrivals++);
      long begun = System.nanoTime();
      boolean waited = false;
      line.add(self);
      try {
        while (line.peek() != self || used + bytes > total) {
          waited = true;
          freed.await();
        }
        used += bytes;
      } finally {
        line.remove(self);
        freed.signalAll();
      }
      return new Reservation(bytes, waited ? System.nanoTime() - begun : 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InfrastructureException("interrupted while " + what + " waited for memory", e);
    } finally {
      lock.unlock();
    }
  }

  /** Bytes that are held until it is closed. */
  public final class Reservation implements AutoCloseable {
    private final long waitedNanos;
    private long bytes;
    private CompletionStage<?> until = CompletableFuture.completedStage(null);

    private Reservation(long bytes, long waitedNanos) {
      this.bytes = bytes;
      this.waitedNanos = waitedNanos;
    }

    /** How long it had to wait; 0 if there was room at once. */
    public long waitedNanos() {
      return waitedNanos;
    }

    /** Bytes held now. */
    public long bytes() {
      lock.lock();
      try {
        return bytes;
      } finally {
        lock.unlock();
      }
    }

    /** Gives back what is more than that. */
    public void shrinkTo(long least) {
      lock.lock();
      try {
        if (least < bytes) {
          used -= bytes - least;
          bytes = least;
          freed.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }

    /** Work that goes on with what is held: closing gives nothing back before it has ended. */
    public void keepUntil(CompletionStage<?> work) {
      until = work;
    }

    /** Gives all back, or will when the work that uses it ends; a second time does nothing. */
    @Override
    public void close() {
      until.whenComplete((result, failure) -> shrinkTo(0));
    }
  }
}
