package io.cuzk.gpu;

import io.cuzk.parallel.Workers;
import io.cuzk.prover.DeviceMeter;
import io.cuzk.prover.HostPinning;
import io.cuzk.prover.ProverBackend;
import io.cuzk.prover.ProverBackendProvider;
import io.cuzk.prover.ProverDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the CUDA devices of this machine; preferred to the CPU where there is one. */
public final class CudaBackendProvider implements ProverBackendProvider {
  private final HostPinning pinning;

  /** For the service loader. */
  public CudaBackendProvider() {
    this(HostPinning.RING);
  }

  private CudaBackendProvider(HostPinning pinning) {
    this.pinning = pinning;
  }

  @Override
  public boolean pins() {
    return true;
  }

  @Override
  public ProverBackendProvider pinning(HostPinning wanted) {
    return new CudaBackendProvider(wanted);
  }

  /** One computes, the next one's data go over. */
  @Override
  public int proofsAtOnce() {
    return 2;
  }

  /** Of the two ways to the device: ahead of a proof, and between its kernels. */
  @Override
  public long residentBytes() {
    return 2 * StagingRing.mostBytes();
  }

  /**
   * With {@link HostPinning#REGISTER} all that a proof sends lies outside the heap at once: rows
   * and scalars, and with the first one the key's points.
   */
  @Override
  public long heapBytes(long domain) {
    return pinning == HostPinning.REGISTER ? (2 * 32 + 2 * 32 + 4 * 96 + 192) * domain : 0;
  }

  @Override
  public String name() {
    return "cuda";
  }

  @Override
  public int priority() {
    return 10;
  }

  @Override
  public Optional<String> unavailable() {
    return Devices.unavailable();
  }

  @Override
  public List<ProverDevice> devices() {
    List<ProverDevice> devices = new ArrayList<>();
    try (Nvml.Opened nvml = Nvml.open()) {
      for (DeviceInfo info : Devices.list()) {
        devices.add(
            new ProverDevice(
                info.name() + ", " + info.uuid(), info.totalBytes(), DeviceFacts.of(info, nvml)));
      }
    }
    return devices;
  }

  @Override
  public ProverBackend open(int device, Workers workers) {
    return CudaBackend.on(Devices.open(device), workers, pinning);
  }

  /**
   * Takes the forms that {@link Devices#ordinal} knows. The backend's address is this one if the
   * device that the driver opened is the one that it means, else that device's UUID.
   */
  @Override
  public ProverBackend open(String address, Workers workers) {
    List<DeviceInfo> known = Devices.list();
    int ordinal = Devices.ordinal(address, known);
    GpuDevice device = Devices.open(ordinal);
    String found = device.info().uuid();
    boolean same = found.equals(known.get(ordinal).uuid());
    return CudaBackend.at(same ? address : found, device, workers, pinning);
  }

  @Override
  public Optional<DeviceMeter> meter(int device) {
    return Optional.of(CudaMeter.on(Devices.open(device)));
  }
}
