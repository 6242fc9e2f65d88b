package io.cuzk.gpu;

import org.junit.jupiter.api.condition.EnabledIf;

/** The transforms on a GPU, where there is one. */
@EnabledIf("io.cuzk.gpu.JCudaDeviceTest#present")
class JCudaTransformTest extends TransformContract {
  @Override
  GpuDevice open() {
    return Devices.open(0);
  }
}
