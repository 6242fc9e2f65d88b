package io.cuzk.gpu;

import io.cuzk.gpu.simulator.SimulatedDevice;

/** The transforms on the simulator. */
class SimulatedTransformTest extends TransformContract {
  @Override
  GpuDevice open() {
    return SimulatedDevice.checking(64);
  }
}
