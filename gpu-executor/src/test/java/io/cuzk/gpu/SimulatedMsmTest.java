package io.cuzk.gpu;

import io.cuzk.gpu.simulator.SimulatedDevice;

/** The sums of points on the simulator. */
class SimulatedMsmTest extends MsmContract {
  @Override
  GpuDevice open() {
    return SimulatedDevice.checking(64);
  }
}
