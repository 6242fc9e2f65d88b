package io.cuzk.prover;

import io.cuzk.DeviceException;
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
  /**
   * What a JVM has outside its heap besides what is reserved by name: code, class data, stacks, the
   * collector's tables, network buffers.
   */
  public static final long OUTSIDE_HEAP = 512L << 20;

  private static final long LEAST = 1 << 20;

  private final long total;
  private final String limit;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition freed = lock.newCondition();
  private final PriorityQueue<Waiter> line = new PriorityQueue<>();
  private long used;

  /** Bytes of {@link #used} that devices hold which hang: nobody knows when they come back. */
  private long hung;

  private long arrivals;

  private record Waiter(PartitionOrder order, long arrival) implements Comparable<Waiter> {
    @Override
    public int compareTo(Waiter other) {
      int first = order.compareTo(other.order);
      return first != 0 ? first : Long.compare(arrival, other.arrival);
    }
  }

  private MemoryBudget(long total, String limit) {
    this.total = total;
    this.limit = limit;
  }

  /**
   * A budget of that many bytes.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public static MemoryBudget of(long bytes) {
    return of(bytes, "as was set");
  }

  private static MemoryBudget of(long bytes, String limit) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("a budget of " + bytes + " bytes");
    }
    return new MemoryBudget(bytes, limit);
  }

  /**
   * A budget that was set, if this process can have so much.
   *
   * @param offHeap whether proofs take some of it outside the heap; else all of it is on the heap
   * @param outside bytes that are allocated outside the heap for good, such as page-locked blocks
   * @throws InfrastructureException if it is more than the heap or the limit, with both figures
   */
  public static MemoryBudget ofProcess(long bytes, boolean offHeap, long outside) {
    long heap = Runtime.getRuntime().maxMemory();
    return of(bytes, offHeap, heap, MemoryLimit.current(), outside);
  }

  static MemoryBudget of(long bytes, boolean offHeap, long heap, MemoryLimit limit, long outside) {
    if (!offHeap && bytes > heap) {
      throw new InfrastructureException(
          ("the memory budget that was set is %d bytes (%d MiB), the heap of this process, which"
               + " all of it is taken from, %d bytes (%d MiB); set at most three quarters of that"
               + " (%d MiB), or give more heap (spark.executor.memory, CUZK_HEAP)")
              .formatted(bytes, bytes >> 20, heap, heap >> 20, (heap / 4 * 3) >> 20));
    }
    long ofLimit = limit.bytes() - OUTSIDE_HEAP - outside;
    if (bytes > ofLimit) {
      throw new InfrastructureException(
          ("the memory budget that was set is %d bytes (%d MiB), but %s of %d MiB leaves %d MiB"
               + " beside the %d MiB outside the heap; set less, or give the process more memory")
              .formatted(
                  bytes,
                  bytes >> 20,
                  limit.source(),
                  limit.bytes() >> 20,
                  Math.max(0, ofLimit) >> 20,
                  (OUTSIDE_HEAP + outside) >> 20));
    }
    return of(bytes);
  }

  /**
   * What this process has for proofs; see {@link #of(long, MemoryLimit, long)}.
   *
   * @param outside bytes that are allocated outside the heap for good, such as page-locked blocks
   */
  public static MemoryBudget ofProcess(long outside) {
    return of(Runtime.getRuntime().maxMemory(), MemoryLimit.current(), outside);
  }

  /**
   * The smaller one of three quarters of the heap (the collector needs the rest) and of what the
   * limit leaves beside {@link #OUTSIDE_HEAP} and native memory. Mapped keys are not taken off:
   * they are page cache, which the kernel takes back before a limit is exceeded.
   *
   * @param heap most that the heap may grow to
   * @param outside bytes that are allocated outside the heap for good
   */
  static MemoryBudget of(long heap, MemoryLimit limit, long outside) {
    long ofHeap = heap / 4 * 3;
    long ofLimit = limit.bytes() - OUTSIDE_HEAP - outside;
    String heaps = "three quarters of the heap of %d MiB".formatted(heap >> 20);
    String limits =
        "what %s of %d MiB leaves beside %d MiB outside the heap"
            .formatted(limit.source(), limit.bytes() >> 20, (OUTSIDE_HEAP + outside) >> 20);
    return ofHeap <= ofLimit
        ? of(ofHeap, heaps + "; more than that is " + limits)
        : of(Math.max(LEAST, ofLimit), limits + "; more than that is " + heaps);
  }

  /** Bytes in all. */
  public long total() {
    return total;
  }

  /** What sets the total, for messages: the heap, a limit, or a setting. */
  public String limit() {
    return limit;
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
   * @throws DeviceException a fatal one, if they do not fit beside what devices hold that hang, and
   *     nobody else holds anything
   */
  public Reservation reserve(String what, long bytes, PartitionOrder order) {
    if (bytes < 0) {
      throw new IllegalArgumentException(bytes + " bytes");
    }
    if (bytes > total) {
      throw new InfrastructureException(
          ("%s needs %d bytes (%d MiB), the memory budget of this process is %d bytes (%d MiB):"
                  + " %s; give it %d MiB more (spark.executor.memory, CUZK_HEAP, or"
                  + " spark.cuzk.memory.budget)")
              .formatted(
                  what,
                  bytes,
                  bytes >> 20,
                  total,
                  total >> 20,
                  limit,
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
          if (line.peek() == self && hung > 0 && used == hung) {
            throw starved(what, bytes);
          }
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

  private DeviceException starved(String what, long bytes) {
    return new DeviceException(
        DeviceException.Kind.FATAL,
        ("%s needs %d bytes (%d MiB), but of the %d bytes (%d MiB) of the memory budget %d bytes"
                + " (%d MiB) are held by a device that hangs; only a fresh process has them again")
            .formatted(what, bytes, bytes >> 20, total, total >> 20, hung, hung >> 20));
  }

  /** Bytes that are held until it is closed. */
  public final class Reservation implements AutoCloseable {
    private final long waitedNanos;
    private long bytes;
    private boolean hangs;
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
          hung -= hangs ? bytes - least : 0;
          bytes = least;
          freed.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }

    /**
     * Work that goes on with what is held: closing gives nothing back before it has ended.
     *
     * @param hanging ends when the work is given up, without having ended
     */
    public void keepUntil(CompletionStage<?> work, CompletionStage<?> hanging) {
      until = work;
      hanging.thenRun(this::hang);
    }

    private void hang() {
      lock.lock();
      try {
        if (!hangs) {
          hangs = true;
          hung += bytes;
          freed.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }

    /** Gives all back, or will when the work that uses it ends; a second time does nothing. */
    @Override
    public void close() {
      until.whenComplete((result, failure) -> shrinkTo(0));
    }
  }
}
