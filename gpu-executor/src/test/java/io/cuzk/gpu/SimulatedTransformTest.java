package io.cuzk.gpu;

/** The transforms on the simulator. */
class SimulatedTransformTest extends TransformContract {
  @Override
  GpuDevice open() {
    return SimulatedDevice.checking(64);
  }
}
