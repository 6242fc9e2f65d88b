package io.cuzk.gpu;

import io.cuzk.gpu.simulator.SimulatedDevice;

/** Whole proofs on the simulator. */
class SimulatedCudaBackendTest extends CudaBackendContract {
  @Override
  GpuDevice open() {
    return SimulatedDevice.checking(64);
  }
}
