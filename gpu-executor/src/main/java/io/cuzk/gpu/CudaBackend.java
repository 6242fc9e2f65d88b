package io.cuzk.gpu;

import io.cuzk.DeviceException;
import io.cuzk.circuit.Assignment;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.HostPinning;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.prover.ProverBackend;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Proves on one device. The key is uploaded before its first proof and stays; so do the tables of
 * the transforms, of the last domain. The host puts sums together, and the proof from them, by
 * core's code, so that a proof has the CPU's bytes for the same r and s; the device is free by
 * then.
 *
 * <p>Two proofs may be made at once: the kernels of one run at a time, and while they do the next
 * one's rows and scalars go over, if the device has room for both. More calls wait for their turn.
 */
public final class CudaBackend implements ProverBackend {
  private final String name;
  private final String address;
  private final GpuDevice device;
  private final Workers workers;
  private final DeviceStream uploads;
  private final DeviceStream compute;

  /** For what goes over between kernels: the key, points in chunks, scalars without room before. */
  private final DeviceStream side;

  private final DeviceKernels kernels;
  private final Staging ahead;
  private final Staging staging;
  private final QuerySum sums;

  /**
   * Who sends ahead; held until the device computes for the holder, so that one is ahead at most.
   */
  private final ReentrantLock uploadTurn = new ReentrantLock(true);

  private final ReentrantLock computeTurn = new ReentrantLock(true);

  /** Null before the first; written by who may send and compute. */
  private volatile DeviceKey key;

  private DeviceQuotient quotient;

  /** Null where the device is not CUDA's own. */
  private final DeviceFacts facts;

  private volatile Map<String, Object> lastFacts = Map.of();

  /** How the key lies on the device, for people; null before the first proof. */
  private volatile String memoryPlan;

  private CudaBackend(
      String name, String address, GpuDevice device, Workers workers, HostPinning pinning) {
    this.name = name;
    this.address = address;
    this.device = device;
    this.workers = workers;
    Taken taken = new Taken();
    taken.take(device);
    try {
      uploads = taken.take(device.stream());
      compute = taken.take(device.stream());
      side = taken.take(device.stream());
      kernels = taken.take(new DeviceKernels(device));
      ahead = taken.take(new Staging(device, uploads, workers, pinning));
      staging = taken.take(new Staging(device, side, workers, pinning));
      facts = device instanceof JCudaDevice ? taken.take(DeviceFacts.of(device.info())) : null;
      readFacts();
    } catch (RuntimeException | Error e) {
      taken.giveBack(e);
      throw e;
    }
    sums = new QuerySum(kernels, staging, compute);
  }

  /**
   * A backend on an opened device, which is closed with it, or if there cannot be one.
   *
   * @param workers for what the host does meanwhile; stays the caller's to close
   */
  public static CudaBackend on(GpuDevice device, Workers workers, HostPinning pinning) {
    return on("cuda", device, workers, pinning);
  }

  /** The same for a device that was assigned under an address, by which it is known. */
  static CudaBackend at(String address, GpuDevice device, Workers workers, HostPinning pinning) {
    return new CudaBackend("cuda", address, device, workers, pinning);
  }

  /** The same under another name, for a device that is not CUDA's. */
  public static CudaBackend on(
      String name, GpuDevice device, Workers workers, HostPinning pinning) {
    return new CudaBackend(name, null, device, workers, pinning);
  }

  /** The sums over queries on this backend's device. */
  QuerySum sums() {
    return sums;
  }

  /** What sends points and late scalars. */
  Staging staging() {
    return staging;
  }

  /** The stream of the kernels. */
  DeviceStream compute() {
    return compute;
  }

  /** Whether the calling thread may send ahead. */
  boolean isSending() {
    return uploadTurn.isHeldByCurrentThread();
  }

  /** Whether the device computes for the calling thread. */
  boolean isComputing() {
    return computeTurn.isHeldByCurrentThread();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String device() {
    DeviceInfo info = device.info();
    return info.name() + ", " + info.uuid();
  }

  @Override
  public Optional<String> address() {
    return Optional.ofNullable(address);
  }

  @Override
  public Map<String, Object> facts() {
    return lastFacts;
  }

  /** Asks for what changes; a moment, beside a proof. */
  private void readFacts() {
    Map<String, Object> found = new LinkedHashMap<>();
    if (facts != null) {
      found.putAll(facts.read());
    }
    if (memoryPlan != null) {
      found.put("memory_plan", memoryPlan);
    }
    lastFacts = found;
  }

  @Override
  public Proof prove(
      ProvingKey provingKey, Assignment assignment, Blinding blinding, PhaseTimer timer) {
    return proveOnDevice(provingKey, assignment, blinding, timer).get();
  }

  @Override
  public Supplier<Proof> proveOnDevice(
      ProvingKey provingKey, Assignment assignment, Blinding blinding, PhaseTimer timer) {
    Waits waits = new Waits();
    QuerySelection selected = QuerySelection.begin(assignment, workers, timer);
    DeviceProof.Parts parts;
    try {
      try (DeviceProof proof = new DeviceProof(kernels, ahead, uploads, compute, assignment)) {
        send(proof, provingKey, assignment, selected, timer, waits);
        int logDomain = quotient.logSize();
        parts = proof.sums(sums, staging, key, provingKey.hOrder(), logDomain, selected);
        staging.settle();
        proof.timer().phases().forEach(timer::add);
        timer.add(proof.timer().across("gpu_total", "quotient", "msm.b2"));
        waits.closing();
      }
      waits.closed(timer);
    } finally {
      if (computeTurn.isHeldByCurrentThread()) {
        computeTurn.unlock();
      }
    }
    return () -> {
      Proof made = timer.time("assemble", () -> parts.totals().assemble(provingKey.vk(), blinding));
      TimingLines.print(timer.phases());
      readFacts();
      return made;
    };
  }

  /** Sends a proof's data, and returns when the device is the caller's and makes the quotient. */
  private void send(
      DeviceProof proof,
      ProvingKey provingKey,
      Assignment assignment,
      QuerySelection selected,
      PhaseTimer timer,
      Waits waits) {
    uploadTurn.lock();
    try {
      proof.begin();
      if (!computeTurn.tryLock() && !hasRoomAhead(provingKey, proof)) {
        waits.lock(computeTurn);
      }
      if (computeTurn.isHeldByCurrentThread()) {
        prepare(provingKey, assignment, timer);
      }
      sendRows(proof, waits);
      boolean alone = computeTurn.isHeldByCurrentThread();
      if (alone) {
        waits.began(timer);
        proof.quotient(quotient);
      }
      waits.run("barrier_wait", selected::l, timer);
      proof.uploadScalars(selected, reserve(provingKey, !alone));
      if (alone) {
        proof.awaitUploads();
      } else {
        waits.lock(computeTurn);
        waits.began(timer);
        proof.quotient(quotient);
      }
    } finally {
      proof.keepPages();
      uploadTurn.unlock();
    }
  }

  private void sendRows(DeviceProof proof, Waits waits) {
    try {
      proof.uploadRows();
    } catch (DeviceException e) {
      if (e.kind() != DeviceException.Kind.OUT_OF_MEMORY || computeTurn.isHeldByCurrentThread()) {
        throw e;
      }
      // The proof before needs the room: after it, then.
      proof.keepPages();
      proof.release();
      waits.lock(computeTurn);
      proof.uploadRows();
    }
  }

  /**
   * A proof finds the key then, unless one with another key comes between. Waits for the proofs
   * that are at work if the key is not there.
   */
  @Override
  public void ready(ProvingKey provingKey, Assignment assignment, PhaseTimer timer) {
    if (isResident(provingKey)) {
      return;
    }
    uploadTurn.lock();
    computeTurn.lock();
    try {
      prepare(provingKey, assignment, timer);
    } finally {
      computeTurn.unlock();
      uploadTurn.unlock();
    }
  }

  private boolean isResident(ProvingKey provingKey) {
    DeviceKey resident = key;
    return resident != null && resident.isOf(provingKey);
  }

  /** Whether another proof's rows fit beside the one that runs. */
  private boolean hasRoomAhead(ProvingKey provingKey, DeviceProof proof) {
    return isResident(provingKey)
        && device.freeBytes() >= proof.rowBytes() + reserve(provingKey, true);
  }

  /** What sums need beside a proof's scalars: least, or so that they need not be cut up. */
  private static long reserve(ProvingKey provingKey, boolean comfortable) {
    long domain = provingKey.domain();
    return comfortable ? MemoryPlan.comfortBytes(domain) : DeviceKey.sumsBytes(domain);
  }

  /** The key and the tables of its domain, if they are not there yet. */
  private void prepare(ProvingKey provingKey, Assignment assignment, PhaseTimer timer) {
    if (isResident(provingKey)) {
      return;
    }
    timer.run(
        "key.load",
        () -> {
          release();
          kernels.load();
          int logDomain = Long.numberOfTrailingZeros(provingKey.domain());
          quotient = new DeviceQuotient(kernels, compute, logDomain);
          key = DeviceKey.upload(device, staging, provingKey, DeviceProof.leastBytes(assignment));
          memoryPlan = key.plan().describe(assignment.compactRowBytes());
          side.synchronize();
          staging.settle();
        });
  }

  private void release() {
    if (key != null) {
      key.close();
      key = null;
    }
    if (quotient != null) {
      quotient.close();
      quotient = null;
    }
  }

  @Override
  public void close() {
    uploadTurn.lock();
    computeTurn.lock();
    try {
      release();
      ahead.close();
      staging.close();
      kernels.close();
      uploads.close();
      compute.close();
      side.close();
      if (facts != null) {
        facts.close();
      }
      device.close();
    } finally {
      computeTurn.unlock();
      uploadTurn.unlock();
    }
  }
}
