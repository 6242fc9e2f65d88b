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
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * The devices that one process may use, each opened once and lent to one proof at a time, or to as
 * many as its kind takes ({@link ProverBackendProvider#proofsAtOnce}). A device that failed twice
 * with fewer than {@link #GOOD_PROOFS_FORGIVE} good proofs between, or once for good, is excluded
 * and not lent again; who was sent to it gets another of the process's devices, or is refused.
 * Without addresses a backend of many concurrent proofs (the CPU) is shared, any other is one
 * device. Thread-safe.
 */
public final class DevicePool implements AutoCloseable {
  /** Bad results after which a device is excluded. */
  public static final int STRIKES = 2;

  /**
   * Proofs that must verify one after the other before the strikes of their device are forgotten. A
   * process lives for weeks: without an end to strikes a bit that flips once a week would exclude a
   * sound device. One that fails less often than once in a hundred costs less than a hundredth of
   * its work, which is less than doing without it; one that fails more often is excluded.
   */
  public static final int GOOD_PROOFS_FORGIVE = 100;

  /** The address of the one device of a process that was given none. */
  private static final String ONLY = "0";

  private final ProverBackendProvider provider;
  private final Workers workers;
  private final boolean addressed;
  private final Duration openLimit;
  private final Map<String, DeviceSlot> slots = new LinkedHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long arrivals;

  /**
   * What became of a device.
   *
   * @param address as it was given to the process
   * @param strikes bad results that are not forgotten
   * @param excluded why it is not lent any more; empty if it is
   * @param lost whether it is excluded for an error that another process may not have: its context
   *     is lost, or it hangs
   */
  public record Health(String address, int strikes, Optional<String> excluded, boolean lost) {}

  private DevicePool(
      ProverBackendProvider provider, List<String> addresses, Workers workers, Duration openLimit) {
    this.provider = provider;
    this.workers = workers;
    this.openLimit = openLimit;
    addressed = !addresses.isEmpty();
    for (String address : addressed ? addresses : List.of(ONLY)) {
      slots.put(address, new DeviceSlot(address));
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
    return of(provider, addresses, workers, Duration.ofDays(1));
  }

  /**
   * The same with a limit for opening a device.
   *
   * @param openLimit how long a driver may take to open a device; one that takes longer hangs, and
   *     its device is excluded
   */
  public static DevicePool of(
      ProverBackendProvider provider, List<String> addresses, Workers workers, Duration openLimit) {
    return new DevicePool(provider, addresses, workers, openLimit);
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
          .map(
              slot ->
                  new Health(
                      slot.address, slot.strikes, Optional.ofNullable(slot.excluded), slot.lost))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /**
   * How long something was at work on each device so far, summed over devices, in nanoseconds; what
   * two proofs share counts once. What many proofs share (the CPU) is one device.
   */
  public long busyNanos() {
    lock.lock();
    try {
      return slots.values().stream().mapToLong(DeviceSlot::busyNanos).sum();
    } finally {
      lock.unlock();
    }
  }

  void begins(DeviceSlot slot) {
    lock.lock();
    try {
      slot.begins();
    } finally {
      lock.unlock();
    }
  }

  void ends(DeviceSlot slot) {
    lock.lock();
    try {
      slot.ends();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for a device and takes it.
   *
   * @param address that the caller was assigned; null where devices are not assigned
   * @throws DeviceException if no device of this process is left, with the reasons; or if the
   *     device cannot be opened, or not in time, which excludes it
   * @throws InfrastructureException if the device is busy or has no memory free now, which is a
   *     strike against it
   * @throws IllegalArgumentException if the address is none of this pool's
   */
  public DeviceLease lease(String address, PartitionOrder order) {
    return lease(address, order, Set.of());
  }

  /**
   * The same, but not a device of those addresses as long as another one is left.
   *
   * @see #lease(String, PartitionOrder)
   */
  public DeviceLease lease(String address, PartitionOrder order, Set<String> avoid) {
    DeviceSlot slot = take(address, order, avoid);
    boolean good = false;
    try {
      DeviceLease lease = new DeviceLease(this, slot, slot.open(this), address);
      good = true;
      return lease;
    } finally {
      if (!good) {
        release(slot);
      }
    }
  }

  private DeviceSlot take(String address, PartitionOrder order, Set<String> avoid) {
    lock.lock();
    try {
      DeviceSlot.Waiter self = new DeviceSlot.Waiter(order, arrivals++);
      while (true) {
        DeviceSlot slot = choose(address, avoid);
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
  private DeviceSlot choose(String address, Set<String> avoid) {
    DeviceSlot assigned = slots.get(address == null ? slots.keySet().iterator().next() : address);
    if (assigned == null) {
      throw new IllegalArgumentException(
          "device " + address + " is none of this process's " + slots.keySet());
    }
    if (assigned.excluded == null && !avoid.contains(assigned.address)) {
      return assigned;
    }
    DeviceSlot best = null;
    for (DeviceSlot slot : slots.values()) {
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

  private boolean hasRoom(DeviceSlot slot) {
    return slot.holders < provider.proofsAtOnce() || !addressed && provider.concurrent();
  }

  /** A strike; the second one, or a fatal error, excludes the device. */
  void failed(DeviceSlot slot, CuzkException failure) {
    lock.lock();
    try {
      slot.strikes++;
      slot.goodSince = 0;
      boolean lost =
          failure instanceof DeviceException device && device.kind() == DeviceException.Kind.FATAL;
      if (lost) {
        lose(slot, failure.getMessage());
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

  /** A proof that verified; so many of them in a row and the strikes are forgotten. */
  void verified(DeviceSlot slot) {
    lock.lock();
    try {
      if (slot.strikes > 0 && ++slot.goodSince >= GOOD_PROOFS_FORGIVE) {
        slot.strikes = 0;
        slot.goodSince = 0;
        slot.lastFailure = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes a device out of use that another process may use. */
  void lose(DeviceSlot slot, String reason) {
    lock.lock();
    try {
      slot.lost |= slot.excluded == null;
      exclude(slot, reason);
    } finally {
      lock.unlock();
    }
  }

  /** Takes all devices out of use because this process cannot prove on any of them any more. */
  void loseAll(String reason) {
    lock.lock();
    try {
      slots.values().forEach(slot -> lose(slot, reason));
    } finally {
      lock.unlock();
    }
  }

  /** How long a driver may take to open a device. */
  Duration openLimit() {
    return openLimit;
  }

  boolean isAddressed() {
    return addressed;
  }

  /** What its devices compute on that have no pool of their holder's. */
  public Workers workers() {
    return workers;
  }

  void exclude(DeviceSlot slot, String reason) {
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

  void release(DeviceSlot slot) {
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
      for (DeviceSlot slot : slots.values()) {
        if (slot.excluded == null) {
          slot.excluded = "the pool is closed";
        }
        if (slot.holders == 0) {
          slot.take().ifPresent(open::add);
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    open.forEach(ProverBackend::close);
  }
}
