package io.cuzk.gpu;

/** Whole proofs on the simulator. */
class SimulatedCudaBackendTest extends CudaBackendContract {
  @Override
  GpuDevice open() {
    return SimulatedDevice.checking(64);
  }
}
