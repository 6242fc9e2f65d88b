package io.cuzk.prover;

import io.cuzk.DeviceException;
import io.cuzk.InfrastructureException;
import java.time.Duration;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A device of a {@link DevicePool}: who waits for it, and what became of it. */
final class DeviceSlot {
  final String address;
  final PriorityQueue<Waiter> line = new PriorityQueue<>();
  private ProverBackend backend;

  /** Completed when the driver has answered; null unless it is asked just now. */
  private CompletableFuture<ProverBackend> opening;

  int holders;

  /** How many of its holders have something at work on it; since when there is one; sum before. */
  private int working;

  private long since;
  private long busy;
  int strikes;

  /** Proofs that verified since the last strike; 0 where there is none. */
  int goodSince;

  /** Why it is not lent any more; null if it is. */
  String excluded;

  /** Whether that is for an error that another process may not have. */
  boolean lost;

  String lastFailure;

  DeviceSlot(String address) {
    this.address = address;
  }

  /** Something begins to be at work; under the pool's lock, as are the next two. */
  void begins() {
    if (working++ == 0) {
      since = System.nanoTime();
    }
  }

  /** Something is no longer at work, or not waited for any more. */
  void ends() {
    if (--working == 0) {
      busy += System.nanoTime() - since;
    }
  }

  long busyNanos() {
    return working == 0 ? busy : busy + System.nanoTime() - since;
  }

  /** One who waits. */
  record Waiter(PartitionOrder order, long arrival) implements Comparable<Waiter> {
    @Override
    public int compareTo(Waiter other) {
      int first = order.compareTo(other.order);
      return first != 0 ? first : Long.compare(arrival, other.arrival);
    }
  }

  /**
   * Opens the device, once, and waits so long for it as the pool says. A driver that hangs cannot
   * be ended: it has a thread of its own, and what it opens after all is closed. Where many proofs
   * run at once the caller's own thread opens, without a limit.
   *
   * @throws DeviceException if it cannot be opened or not in time, which excludes it
   * @throws InfrastructureException if it may be opened later, which is a strike against it
   */
  ProverBackend open(DevicePool pool) {
    if (!pool.isAddressed() && pool.provider().concurrent()) {
      synchronized (this) {
        if (backend == null) {
          backend = opened(pool);
        }
        return backend;
      }
    }
    return await(pool, begin(pool));
  }

  /** What opens the device, for whoever comes while it does. */
  private synchronized CompletableFuture<ProverBackend> begin(DevicePool pool) {
    if (backend != null) {
      return CompletableFuture.completedFuture(backend);
    }
    if (opening == null) {
      CompletableFuture<ProverBackend> begun = new CompletableFuture<>();
      opening = begun;
      Thread.ofPlatform().daemon().name("cuzk-open-" + address).start(() -> complete(pool, begun));
    }
    return opening;
  }

  private void complete(DevicePool pool, CompletableFuture<ProverBackend> begun) {
    ProverBackend found = null;
    Throwable failure = null;
    try {
      found = opened(pool);
    } catch (Throwable e) {
      failure = e;
    }
    boolean late;
    synchronized (this) {
      late = opening != begun;
      if (!late) {
        opening = null;
        backend = found;
      }
    }
    if (found != null && late) {
      found.close();
    } else if (found != null) {
      begun.complete(found);
    } else {
      begun.completeExceptionally(failure);
    }
  }

  private ProverBackend await(DevicePool pool, CompletableFuture<ProverBackend> begun) {
    Duration limit = pool.openLimit();
    try {
      return begun.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      synchronized (this) {
        if (opening == begun) {
          opening = null;
        }
      }
      String message =
          "device %s of backend %s was not open within %d ms; its driver hangs"
              .formatted(address, pool.provider().name(), limit.toMillis());
      pool.exclude(this, message);
      throw new DeviceException(DeviceException.Kind.FATAL, message, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InfrastructureException("interrupted while device " + address + " was opened", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getCause());
    }
  }

  /** The open device, which is the caller's to close then. */
  synchronized Optional<ProverBackend> take() {
    Optional<ProverBackend> open = Optional.ofNullable(backend);
    backend = null;
    opening = null;
    return open;
  }

  private ProverBackend opened(DevicePool pool) {
    ProverBackendProvider provider = pool.provider();
    ProverBackend opened;
    try {
      opened =
          pool.isAddressed()
              ? provider.open(address, pool.workers())
              : provider.open(0, pool.workers());
    } catch (RuntimeException | LinkageError e) {
      throw notOpened(pool, e);
    }
    Optional<String> found = opened.address();
    if (pool.isAddressed() && found.isPresent() && !found.get().equals(address)) {
      pool.exclude(
          this, "backend " + provider.name() + " opened device " + found.get() + " in its place");
      opened.close();
      throw new DeviceException(
          DeviceException.Kind.FATAL,
          "backend %s opened device %s where %s was assigned"
              .formatted(provider.name(), found.get(), address));
    }
    return opened;
  }

  /** What another process has now may be free later; any other failure is for good. */
  private InfrastructureException notOpened(DevicePool pool, Throwable failure) {
    String message =
        "device %s of backend %s cannot be opened: %s"
            .formatted(address, pool.provider().name(), failure.getMessage());
    DeviceException.Kind kind =
        failure instanceof DeviceException device ? device.kind() : DeviceException.Kind.FATAL;
    if (kind == DeviceException.Kind.OUT_OF_MEMORY || kind == DeviceException.Kind.BUSY) {
      InfrastructureException later = new InfrastructureException(message, failure);
      pool.failed(this, later);
      return later;
    }
    pool.exclude(this, "it could not be opened: " + failure.getMessage());
    return new DeviceException(kind, message, failure);
  }
}
