package io.cuzk.prover;

import io.cuzk.CuzkException;
import io.cuzk.DeviceException;
import io.cuzk.InfrastructureException;
import io.cuzk.parallel.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The devices that one process may use, each opened once and lent to one proof at a time. A device
 * that failed twice, or once for good, is excluded and not lent again; who was sent to it gets
 * another of the process's devices, or is refused. Without addresses a backend of many concurrent
 * proofs (the CPU) is shared, any other is one device. Thread-safe.
 */
public final class DevicePool implements AutoCloseable {
  /** Bad results after which a device is excluded. */
  public static final int STRIKES = 2;

  /** The address of the one device of a process that was given none. */
  private static final String ONLY = "0";

  private final ProverBackendProvider provider;
  private final Workers workers;
  private final boolean addressed;
  private final Map<String, Slot> slots = new LinkedHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long arrivals;

  private record Waiter(PartitionOrder order, long arrival) implements Comparable<Waiter> {
    @Override
    public int compareTo(Waiter other) {
      int first = order.compareTo(other.order);
      return first != 0 ? first : Long.compare(arrival, other.arrival);
    }
  }

  private static final class Slot {
    private final String address;
    private final PriorityQueue<Waiter> line = new PriorityQueue<>();
    private ProverBackend backend;
    private int holders;
    private int strikes;
    private String excluded;
    private String lastFailure;

    private Slot(String address) {
      this.address = address;
    }
  }

  /**
   * What became of a device.
   *
   * @param address as it was given to the process
   * @param strikes bad results so far
   * @param excluded why it is not lent any more; empty if it is
   */
  public record Health(String address, int strikes, Optional<String> excluded) {}

  private DevicePool(ProverBackendProvider provider, List<String> addresses, Workers workers) {
    this.provider = provider;
    this.workers = workers;
    addressed = !addresses.isEmpty();
    for (String address : addressed ? addresses : List.of(ONLY)) {
      slots.put(address, new Slot(address));
    }
  }

  /**
   * A pool that opens nothing yet.
   *
   * @param addresses of the devices that this process was assigned; empty if devices are not
   *     assigned
   * @param workers for what runs on the CPU; the caller's to close
   */
  public static DevicePool of(
      ProverBackendProvider provider, List<String> addresses, Workers workers) {
    return new DevicePool(provider, addresses, workers);
  }

  /** The kind of backend. */
  public ProverBackendProvider provider() {
    return provider;
  }

  /** Every device of the pool. */
  public List<Health> health() {
    lock.lock();
    try {
      return slots.values().stream()
          .map(slot -> new Health(slot.address, slot.strikes, Optional.ofNullable(slot.excluded)))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a device and takes it.
   *
   * @param address that the caller was assigned; null where devices are not assigned
   * @throws DeviceException if no device of this process is left, with the reasons; or if the
   *     device cannot be opened, which excludes it
   * @throws IllegalArgumentException if the address is none of this pool's
   */
  public Lease lease(String address, PartitionOrder order) {
    return lease(address, order, Set.of());
  }

  /**
   * The same, but not a device of those addresses as long as another one is left.
   *
   * @see #lease(String, PartitionOrder)
   */
  public Lease lease(String address, PartitionOrder order, Set<String> avoid) {
    Slot slot = take(address, order, avoid);
    boolean good = false;
    try {
      Lease lease = new Lease(slot, opened(slot), address);
      good = true;
      return lease;
    } finally {
      if (!good) {
        release(slot);
      }
    }
  }

  private Slot take(String address, PartitionOrder order, Set<String> avoid) {
    lock.lock();
    try {
      Waiter self = new Waiter(order, arrivals++);
      while (true) {
        Slot slot = choose(address, avoid);
        slot.line.add(self);
        try {
          while (slot.excluded == null && (slot.line.peek() != self || !hasRoom(slot))) {
            changed.await();
          }
          if (slot.excluded == null) {
            slot.holders++;
            return slot;
          }
        } finally {
          slot.line.remove(self);
          changed.signalAll();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InfrastructureException("interrupted while waiting for a device", e);
    } finally {
      lock.unlock();
    }
  }

  /** The assigned device, or where that is excluded the one with the fewest before it. */
  private Slot choose(String address, Set<String> avoid) {
    Slot assigned = slots.get(address == null ? slots.keySet().iterator().next() : address);
    if (assigned == null) {
      throw new IllegalArgumentException(
          "device " + address + " is none of this process's " + slots.keySet());
    }
    if (assigned.excluded == null && !avoid.contains(assigned.address)) {
      return assigned;
    }
    Slot best = null;
    for (Slot slot : slots.values()) {
      if (slot.excluded == null
          && !avoid.contains(slot.address)
          && (best == null || slot.holders + slot.line.size() < best.holders + best.line.size())) {
        best = slot;
      }
    }
    if (best == null && !avoid.isEmpty()) {
      return choose(address, Set.of());
    }
    if (best == null) {
      throw new DeviceException(
          DeviceException.Kind.REFUSED,
          "no device of this process is left: "
              + slots.values().stream()
                  .map(slot -> "device " + slot.address + " is excluded: " + slot.excluded)
                  .collect(Collectors.joining("; ")));
    }
    return best;
  }

  /**
   * Takes a device out of use.
   *
   * @param address null for the one device of a process that was assigned none
   */
  public void exclude(String address, String reason) {
    exclude(slots.get(address == null ? slots.keySet().iterator().next() : address), reason);
  }

  private boolean hasRoom(Slot slot) {
    return slot.holders == 0 || !addressed && provider.concurrent();
  }

  private ProverBackend opened(Slot slot) {
    synchronized (slot) {
      if (slot.backend == null) {
        slot.backend = open(slot);
      }
      return slot.backend;
    }
  }

  private ProverBackend open(Slot slot) {
    ProverBackend backend;
    try {
      backend = addressed ? provider.open(slot.address, workers) : provider.open(0, workers);
    } catch (RuntimeException | LinkageError e) {
      exclude(slot, "it could not be opened: " + e.getMessage());
      throw new DeviceException(
          DeviceException.Kind.FATAL,
          "device %s of backend %s cannot be opened: %s"
              .formatted(slot.address, provider.name(), e.getMessage()),
          e);
    }
    Optional<String> found = backend.address();
    if (addressed && found.isPresent() && !found.get().equals(slot.address)) {
      exclude(
          slot, "backend " + provider.name() + " opened device " + found.get() + " in its place");
      backend.close();
      throw new DeviceException(
          DeviceException.Kind.FATAL,
          "backend %s opened device %s where %s was assigned"
              .formatted(provider.name(), found.get(), slot.address));
    }
    return backend;
  }

  private void exclude(Slot slot, String reason) {
    lock.lock();
    try {
      if (slot.excluded == null) {
        slot.excluded = reason;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void release(Slot slot) {
    lock.lock();
    try {
      slot.holders--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Closes the devices that nobody holds; a device that hangs is left to the end of the process.
   */
  @Override
  public void close() {
    List<ProverBackend> open = new ArrayList<>();
    lock.lock();
    try {
      for (Slot slot : slots.values()) {
        if (slot.excluded == null) {
          slot.excluded = "the pool is closed";
        }
        if (slot.holders == 0 && slot.backend != null) {
          open.add(slot.backend);
          slot.backend = null;
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    open.forEach(ProverBackend::close);
  }

  /** A device for one proof. */
  public final class Lease implements AutoCloseable {
    private final Slot slot;
    private final ProverBackend backend;
    private final String assigned;
    private boolean ended;

    private Lease(Slot slot, ProverBackend backend, String assigned) {
      this.slot = slot;
      this.backend = backend;
      this.assigned = assigned;
    }

    /** What proves there. */
    public ProverBackend backend() {
      return backend;
    }

    /** Of the device that is held; empty where devices are not assigned. */
    public Optional<String> address() {
      return addressed ? Optional.of(slot.address) : Optional.empty();
    }

    /** Whether another device is held than the one assigned, because that one is excluded. */
    public boolean isSubstitute() {
      return assigned != null && !assigned.equals(slot.address);
    }

    /** Whether one proof at a time runs here. */
    boolean isDevice() {
      return addressed || !provider.concurrent();
    }

    /**
     * Runs something on the device, and waits so long for it. A call into a driver cannot be ended:
     * it has a thread of its own, and a device that does not answer is excluded and never given
     * back. Where many proofs run at once it is the caller's own thread, without a limit.
     *
     * @param what for messages
     * @throws DeviceException if the device does not answer, or fails in a way of its own
     */
    public <T> T within(Duration limit, String what, Supplier<T> work) {
      if (!isDevice()) {
        return work.get();
      }
      CompletableFuture<T> done = new CompletableFuture<>();
      Thread thread =
          Thread.ofPlatform()
              .daemon()
              .name("cuzk-device-" + slot.address)
              .start(() -> complete(done, work));
      try {
        return done.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        DeviceException hangs =
            new DeviceException(
                DeviceException.Kind.FATAL,
                "%s on %s: no answer within %d ms; the device hangs"
                    .formatted(what, named(), limit.toMillis()),
                e);
        exclude(slot, hangs.getMessage());
        ended = true;
        thread.interrupt();
        throw hangs;
      } catch (InterruptedException e) {
        // The caller was cancelled, but the device is still at work: nobody may have it before.
        ended = true;
        done.whenComplete((result, failure) -> release(slot));
        thread.interrupt();
        Thread.currentThread().interrupt();
        throw new InfrastructureException(what + " was interrupted on " + named(), e);
      } catch (ExecutionException e) {
        throw unwrap(what, e.getCause());
      }
    }

    private <T> void complete(CompletableFuture<T> done, Supplier<T> work) {
      try {
        T result = work.get();
        workers.addCpuNanos(Workers.threadCpuNanos());
        done.complete(result);
      } catch (Throwable e) {
        done.completeExceptionally(e);
      }
    }

    private String named() {
      return "backend %s, device %s%s"
          .formatted(
              backend.name(),
              backend.device(),
              address().map(at -> " (address " + at + ")").orElse(""));
    }

    private RuntimeException unwrap(String what, Throwable cause) {
      return switch (cause) {
        case CuzkException known -> known;
        case OutOfMemoryError memory -> throw memory;
        case InternalError mapped -> throw mapped; // a mapped file was cut short: not the device
        default ->
            new DeviceException(
                DeviceException.Kind.REFUSED,
                "%s on %s: %s".formatted(what, named(), cause),
                cause);
      };
    }

    /**
     * The device made a wrong proof or an error; the second time, or at once if the error says that
     * the device is lost, it is excluded.
     */
    public void failed(CuzkException failure) {
      lock.lock();
      try {
        slot.strikes++;
        boolean lost =
            failure instanceof DeviceException device
                && device.kind() == DeviceException.Kind.FATAL;
        if (lost) {
          exclude(slot, failure.getMessage());
        } else if (slot.strikes >= STRIKES) {
          exclude(
              slot,
              "it failed %d times: %s; %s"
                  .formatted(slot.strikes, slot.lastFailure, failure.getMessage()));
        }
        slot.lastFailure = failure.getMessage();
      } finally {
        lock.unlock();
      }
    }

    /** Gives the device back; a second time does nothing. */
    @Override
    public void close() {
      if (!ended) {
        ended = true;
        release(slot);
      }
    }
  }
}
