package io.cuzk.gpu;

import io.cuzk.gpu.simulator.SimulatedDevice;

/** A few proofs on the simulator. */
final class SimulatedManyProofsTest extends ManyProofsContract {
  @Override
  GpuDevice open() {
    return SimulatedDevice.fast(32);
  }

  @Override
  int proofs() {
    return 3;
  }
}
