package io.cuzk.gpu;

import io.cuzk.gpu.simulator.SimulatedDevice;

/** The field kernels on the simulator. */
class SimulatedFieldKernelTest extends FieldKernelContract {
  @Override
  GpuDevice open() {
    return SimulatedDevice.checking(64);
  }
}
