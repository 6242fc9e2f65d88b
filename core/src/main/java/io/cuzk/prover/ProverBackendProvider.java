package io.cuzk.prover;

import io.cuzk.InfrastructureException;
import io.cuzk.parallel.Workers;
import java.util.List;
import java.util.Optional;

/**
 * A kind of backend, found through {@link java.util.ServiceLoader}: the module that implements it
 * names its provider in {@code META-INF/services/io.cuzk.prover.ProverBackendProvider}.
 */
public interface ProverBackendProvider {
  /** The name that {@code --backend} takes, such as {@code cpu} or {@code cuda}. */
  String name();

  /** Where several can run and none was named, the highest is taken. The CPU has 0. */
  int priority();

  /** Whether it may be taken where no backend was named: a simulator may not. */
  default boolean automatic() {
    return true;
  }

  /** The largest domain of a circuit that it proves in reasonable time; larger ones it refuses. */
  default long largestDomain() {
    return Long.MAX_VALUE;
  }

  /** Why no backend of this kind can run here and what to do about it; empty if one can. */
  Optional<String> unavailable();

  /**
   * Every device that {@link #open} could take, in its order, without opening any; empty where the
   * only one is the host.
   *
   * @throws io.cuzk.InfrastructureException if there is none
   */
  default List<ProverDevice> devices() {
    return List.of();
  }

  /**
   * Opens a backend.
   *
   * @param device which of several devices, from 0; ignored where there is one
   * @param workers the pool for what runs on the CPU; not closed by the backend
   * @throws io.cuzk.InfrastructureException if it cannot run
   */
  ProverBackend open(int device, Workers workers);

  /**
   * Opens the device that Spark assigned.
   *
   * @param address as the discovery script names it; unless a provider knows other forms, the
   *     number of the device
   * @throws io.cuzk.InfrastructureException if it cannot run, or there is no such address
   */
  default ProverBackend open(String address, Workers workers) {
    if (!address.matches("\\d{1,4}")) {
      throw new InfrastructureException(
          "backend %s numbers its devices, but the assigned address is '%s': let the discovery"
                  .formatted(name(), address)
              + " script print numbers");
    }
    return open(Integer.parseInt(address), workers);
  }

  /**
   * Opens a device to be measured; empty for a backend without one.
   *
   * @param device as for {@link #open}
   * @throws io.cuzk.InfrastructureException if it cannot run
   */
  default Optional<DeviceMeter> meter(int device) {
    return Optional.empty();
  }

  /** Whether one backend makes several proofs at once: the CPU does, a device does not. */
  default boolean concurrent() {
    return false;
  }

  /**
   * How many proofs a device of this kind takes at once: two where the next one's data go over
   * while the first is computed.
   */
  default int proofsAtOnce() {
    return 1;
  }

  /** Whether {@link #pinning} makes a difference to it. */
  default boolean pins() {
    return false;
  }

  /** This kind of backend with host memory locked in another way; the same where none is locked. */
  default ProverBackendProvider pinning(HostPinning wanted) {
    return this;
  }

  /**
   * Memory outside the heap that an open device of this kind keeps on the host, in bytes: the
   * blocks that feed it.
   */
  default long residentBytes() {
    return 0;
  }

  /**
   * Heap that one proof needs beside its assignment, in bytes. A provider whose proofs allocate
   * outside the heap counts that here too: it is reserved with the rest.
   *
   * @param domain of the circuit
   */
  default long heapBytes(long domain) {
    return 0;
  }
}
