package io.cuzk.gpu;

import org.junit.jupiter.api.condition.EnabledIf;

/** The field kernels on a GPU, where there is one. */
@EnabledIf("io.cuzk.gpu.JCudaDeviceTest#present")
class JCudaFieldKernelTest extends FieldKernelContract {
  @Override
  GpuDevice open() {
    return Devices.open(0);
  }
}
