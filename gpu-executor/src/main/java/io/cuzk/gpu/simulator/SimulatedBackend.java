package io.cuzk.gpu.simulator;

import io.cuzk.circuit.Assignment;
import io.cuzk.gpu.CudaBackend;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.Progress;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.HostPinning;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.prover.ProverBackend;
import io.cuzk.prover.ProverBackends;
import java.util.Map;
import java.util.function.Supplier;

/** The CUDA backend on a {@link SimulatedDevice}, which tells how far it is. */
final class SimulatedBackend implements ProverBackend {
  private static final int MILLION = 1_000_000;

  /**
   * Instructions that a proof takes for a point of its key, transforms included; by the self-test.
   */
  private static final long PER_G1_POINT = 330_000;

  private static final long PER_G2_POINT = 1_100_000;
  private static final long PERIOD_MILLIS = 500;

  private final SimulatedDevice device;
  private final CudaBackend backend;
  private final SimulatedBackendProvider provider;
  private Progress progress = Progress.NONE;

  SimulatedBackend(
      SimulatedDevice device,
      Workers workers,
      SimulatedBackendProvider provider,
      HostPinning pinning) {
    this.device = device;
    this.provider = provider;
    backend = CudaBackend.on(provider.name(), device, workers, pinning);
  }

  @Override
  public String name() {
    return backend.name();
  }

  @Override
  public String device() {
    return backend.device();
  }

  @Override
  public Map<String, Object> facts() {
    return backend.facts();
  }

  @Override
  public void reportTo(Progress listener) {
    progress = listener;
  }

  @Override
  public Proof prove(ProvingKey key, Assignment assignment, Blinding blinding, PhaseTimer timer) {
    return proveOnDevice(key, assignment, blinding, timer).get();
  }

  @Override
  public Supplier<Proof> proveOnDevice(
      ProvingKey key, Assignment assignment, Blinding blinding, PhaseTimer timer) {
    ProverBackends.requireInReach(provider, key.name(), key.domain());
    long expected = Math.max(1, instructions(key) / MILLION);
    long before = device.executed();
    Thread reporter =
        Thread.ofPlatform()
            .daemon()
            .name("cuzk-simulator-progress")
            .start(() -> report(before, expected));
    try {
      return backend.proveOnDevice(key, assignment, blinding, timer);
    } finally {
      reporter.interrupt();
    }
  }

  /** Until it is interrupted; the last step is left open, as the number expected is an estimate. */
  private void report(long before, long expected) {
    try {
      while (true) {
        Thread.sleep(PERIOD_MILLIS);
        long done = (device.executed() - before) / MILLION;
        progress.advanced("million PTX instructions", Math.min(done, expected - 1), expected);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** About how many a proof takes whose scalars are of full size; bits are far less. */
  static long instructions(ProvingKey key) {
    long g1 = key.h().size() + key.l().size() + key.a().size() + key.bG1().size();
    return PER_G1_POINT * g1 + PER_G2_POINT * key.bG2().size();
  }

  @Override
  public void close() {
    backend.close();
  }
}
