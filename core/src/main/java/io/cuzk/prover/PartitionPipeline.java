package io.cuzk.prover;

import io.cuzk.DeviceException;
import io.cuzk.InfrastructureException;
import io.cuzk.ProofFailedException;
import io.cuzk.circuit.Assignment;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.Verifier;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Circuit;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * One process's way from partitions to verified proofs. Each calling thread carries one partition
 * through it: it reserves memory, synthesises, waits for its device, proves, gives the device back,
 * adds up what is left on the CPU, and verifies. So while one partition is on the device the next
 * ones are synthesised, as many as the {@link MemoryBudget} holds with what is synthesised and not
 * yet proved. Thread-safe.
 */
public final class PartitionPipeline {
  /** What a key is read and sent with at least, from a slow network file system. */
  static final long KEY_BYTES_PER_SECOND = 20_000_000;

  private final MemoryBudget budget;
  private final DevicePool devices;
  private final Duration deviceTimeout;
  private final AtomicLong waitNanos = new AtomicLong();
  private final AtomicLong proved = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  private PartitionPipeline(MemoryBudget budget, DevicePool devices, Duration deviceTimeout) {
    this.budget = budget;
    this.devices = devices;
    this.deviceTimeout = deviceTimeout;
  }

  /**
   * A pipeline.
   *
   * @param deviceTimeout how long a device may take for a proof before it is given up; for the key
   *     before it, a second more for each 20 MB
   */
  public static PartitionPipeline of(
      MemoryBudget budget, DevicePool devices, Duration deviceTimeout) {
    return new PartitionPipeline(budget, devices, deviceTimeout);
  }

  /**
   * A partition to prove.
   *
   * @param name sector and partition, for messages
   * @param expected the public inputs without the constant one, derived independently of {@code
   *     circuit}
   * @param synthesis on a pool of its own
   * @param assignmentBytes what {@code synthesis} will leave, at most
   * @param address of the device that was assigned; null where devices are not assigned
   * @param avoid addresses of devices that are suspect for this partition: another is taken where
   *     there is one
   * @param workers for what proving does on the CPU: nobody else's while this is proved
   */
  public record Request(
      String name,
      Circuit circuit,
      long[] expected,
      Synthesis synthesis,
      long assignmentBytes,
      ProvingKey key,
      Blinding blinding,
      PartitionOrder order,
      String address,
      Set<String> avoid,
      Workers workers) {}

  /** Told which device a partition got, before it is used. */
  @FunctionalInterface
  public interface Assigned {
    /** The backend's name for the device, and its address where devices are assigned. */
    void device(String name, Optional<String> address);

    /** What is known of the device, {@link ProverBackend#facts}: then, and when it has proved. */
    default void facts(Map<String, Object> facts) {}
  }

  /** The memory that this pipeline may use. */
  public MemoryBudget budget() {
    return budget;
  }

  /** The devices that it proves on. */
  public DevicePool devices() {
    return devices;
  }

  /** Proofs that verified so far. */
  public long proved() {
    return proved.get();
  }

  /** Partitions that failed so far, whatever the reason. */
  public long failed() {
    return failed.get();
  }

  /** How long partitions waited for memory and for devices so far, summed, in nanoseconds. */
  public long waitNanos() {
    return waitNanos.get();
  }

  /**
   * Proves a partition.
   *
   * @throws io.cuzk.InvalidInputException if the circuit has other inputs than expected or is not
   *     satisfied, or the key is for another circuit
   * @throws ProofFailedException if the proof does not verify, naming partition and device; the
   *     device has a strike then
   * @throws DeviceException if the device failed, did not answer in time, or none is left; or if
   *     devices that hang hold the memory that the partition needs, for which this process loses
   *     all of its devices
   * @throws InfrastructureException if the budget can never hold the partition
   */
  public ProvedPartition prove(Request request, PhaseTimer timer, Assigned assigned) {
    boolean good = false;
    try {
      ProvedPartition made = inMemory(request, timer, assigned);
      good = true;
      return made;
    } finally {
      (good ? proved : failed).incrementAndGet();
    }
  }

  private ProvedPartition inMemory(Request request, PhaseTimer timer, Assigned assigned) {
    long work = devices.provider().heapBytes(request.key().domain());
    try (MemoryBudget.Reservation memory = reserve(request, work, timer)) {
      Assignment assignment = request.synthesis().synthesize(request.circuit(), timer).once();
      memory.shrinkTo(assignment.bytes() + work);
      KeyShape.requireFits(request.name(), assignment, request.key());
      PartitionProver.requireInputs(request.name(), assignment, request.expected());
      return prove(request, assignment, memory, timer, assigned);
    }
  }

  private MemoryBudget.Reservation reserve(Request request, long work, PhaseTimer timer) {
    MemoryBudget.Reservation memory;
    try {
      memory = budget.reserve(request.name(), request.assignmentBytes() + work, request.order());
    } catch (DeviceException e) {
      devices.loseAll(e.getMessage()); // the others are sound, but nothing can be sent to them
      throw e;
    }
    if (memory.waitedNanos() > 0) {
      waited("memory.wait", memory.waitedNanos(), timer);
    }
    return memory;
  }

  private void waited(String phase, long nanos, PhaseTimer timer) {
    waitNanos.addAndGet(nanos);
    timer.ended(phase, nanos);
  }

  private ProvedPartition prove(
      Request request,
      Assignment assignment,
      MemoryBudget.Reservation memory,
      PhaseTimer timer,
      Assigned assigned) {
    long begun = System.nanoTime();
    try (DeviceLease lease = devices.lease(request.address(), request.order(), request.avoid())) {
      if (lease.isDevice()) {
        waited("device.wait", System.nanoTime() - begun, timer);
      }
      ProverBackend backend = lease.backend().on(request.workers());
      assigned.device(backend.device(), lease.address());
      assigned.facts(backend.facts());
      try {
        Supplier<Proof> rest = onDevice(request, assignment, backend, memory, lease, timer);
        lease.close();
        Proof proof = rest.get();
        assigned.facts(backend.facts());
        byte[] bytes = proof.encode();
        Verifier verifier = Verifier.of(request.key().vk());
        if (!timer.time("verify", () -> verifier.verify(Proof.decode(bytes), request.expected()))) {
          throw PartitionProver.doesNotVerify(request.name(), backend);
        }
        lease.verified();
        return new ProvedPartition(
            proof,
            request.expected(),
            backend.name(),
            backend.device(),
            request.key().digest(),
            timer.phases());
      } catch (ProofFailedException | DeviceException e) {
        lease.failed(e);
        throw e;
      }
    }
  }

  /** A key that comes from a slow file system is no device that hangs. */
  private Duration keyLimit(ProvingKey key) {
    return deviceTimeout.plusNanos(1_000_000_000L / KEY_BYTES_PER_SECOND * key.pointBytes());
  }

  private Supplier<Proof> onDevice(
      Request request,
      Assignment assignment,
      ProverBackend backend,
      MemoryBudget.Reservation memory,
      DeviceLease lease,
      PhaseTimer timer) {
    Supplier<Supplier<Proof>> work =
        () -> backend.proveOnDevice(request.key(), assignment, request.blinding(), timer);
    try {
      lease.within(
          keyLimit(request.key()),
          "the key for " + request.name(),
          () -> {
            backend.ready(request.key(), assignment, timer);
            return null;
          });
      return lease.within(deviceTimeout, request.name(), work);
    } finally {
      // A device that hangs holds the assignment until it ends, if it ever does.
      memory.keepUntil(lease.work(), lease.hung());
    }
  }
}
