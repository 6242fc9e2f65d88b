package io.cuzk.gpu;

import org.junit.jupiter.api.condition.EnabledIf;

/** The sums of points on a GPU, where there is one. */
@EnabledIf("io.cuzk.gpu.JCudaDeviceTest#present")
class JCudaMsmTest extends MsmContract {
  @Override
  GpuDevice open() {
    return Devices.open(0);
  }
}
