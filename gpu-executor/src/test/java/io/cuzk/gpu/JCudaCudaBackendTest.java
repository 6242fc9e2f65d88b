package io.cuzk.gpu;

import org.junit.jupiter.api.condition.EnabledIf;

/** Whole proofs on a GPU, where there is one. */
@EnabledIf("io.cuzk.gpu.JCudaDeviceTest#present")
class JCudaCudaBackendTest extends CudaBackendContract {
  @Override
  GpuDevice open() {
    return Devices.open(0);
  }
}
