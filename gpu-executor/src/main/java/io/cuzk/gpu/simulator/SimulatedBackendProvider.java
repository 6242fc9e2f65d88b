package io.cuzk.gpu.simulator;

import io.cuzk.gpu.CudaMeter;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.DeviceMeter;
import io.cuzk.prover.HostPinning;
import io.cuzk.prover.ProverBackend;
import io.cuzk.prover.ProverBackendProvider;
import java.util.Optional;

/**
 * The CUDA backend on a simulated device: the kernels that ship, run by the CPU some thousand times
 * slower than a GPU runs them. It is there to try the kernels and the code around them on any
 * machine, is taken only when it is named, and refuses circuits of real size.
 */
public final class SimulatedBackendProvider implements ProverBackendProvider {
  private static final int MEBIBYTES = 128;

  /** A proof of that size takes two minutes of CPU time. */
  static final long LARGEST_DOMAIN = 1 << 12;

  private final HostPinning pinning;

  /** For the service loader. */
  public SimulatedBackendProvider() {
    this(HostPinning.RING);
  }

  private SimulatedBackendProvider(HostPinning pinning) {
    this.pinning = pinning;
  }

  @Override
  public boolean pins() {
    return true;
  }

  @Override
  public ProverBackendProvider pinning(HostPinning wanted) {
    return new SimulatedBackendProvider(wanted);
  }

  @Override
  public String name() {
    return "sim";
  }

  @Override
  public int priority() {
    return -1;
  }

  @Override
  public boolean automatic() {
    return false;
  }

  @Override
  public long largestDomain() {
    return LARGEST_DOMAIN;
  }

  @Override
  public Optional<String> unavailable() {
    return Optional.empty();
  }

  @Override
  public ProverBackend open(int device, Workers workers) {
    return new SimulatedBackend(SimulatedDevice.fast(MEBIBYTES), workers, this, pinning);
  }

  @Override
  public Optional<DeviceMeter> meter(int device) {
    return Optional.of(CudaMeter.on(SimulatedDevice.fast(MEBIBYTES)));
  }
}
