package io.cuzk.gpu;

/** The quotient on the simulator. */
class SimulatedQuotientTest extends QuotientContract {
  @Override
  GpuDevice open() {
    return SimulatedDevice.checking(64);
  }
}
