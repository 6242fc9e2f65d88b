package io.cuzk.gpu;

import io.cuzk.gpu.simulator.SimulatedDevice;

/** The quotient on the simulator. */
class SimulatedQuotientTest extends QuotientContract {
  @Override
  GpuDevice open() {
    return SimulatedDevice.checking(64);
  }
}
