package io.cuzk.gpu;

/** The field kernels on the simulator. */
class SimulatedFieldKernelTest extends FieldKernelContract {
  @Override
  GpuDevice open() {
    return SimulatedDevice.checking(64);
  }
}
