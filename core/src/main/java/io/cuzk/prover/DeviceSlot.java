package io.cuzk.prover;

import io.cuzk.DeviceException;
import io.cuzk.InfrastructureException;
import java.util.Optional;
import java.util.PriorityQueue;

/** A device of a {@link DevicePool}: who waits for it, and what became of it. */
final class DeviceSlot {
  final String address;
  final PriorityQueue<Waiter> line = new PriorityQueue<>();
  ProverBackend backend;
  int holders;
  int strikes;

  /** Why it is not lent any more; null if it is. */
  String excluded;

  String lastFailure;

  DeviceSlot(String address) {
    this.address = address;
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
   * Opens the device, once.
   *
   * @throws DeviceException if it cannot be opened, which excludes it
   * @throws InfrastructureException if it may be opened later, which is a strike against it
   */
  synchronized ProverBackend open(DevicePool pool) {
    if (backend == null) {
      backend = opened(pool);
    }
    return backend;
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
