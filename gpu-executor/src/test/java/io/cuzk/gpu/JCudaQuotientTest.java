package io.cuzk.gpu;

import org.junit.jupiter.api.condition.EnabledIf;

/** The quotient on a GPU, where there is one. */
@EnabledIf("io.cuzk.gpu.JCudaDeviceTest#present")
class JCudaQuotientTest extends QuotientContract {
  @Override
  GpuDevice open() {
    return Devices.open(0);
  }
}
