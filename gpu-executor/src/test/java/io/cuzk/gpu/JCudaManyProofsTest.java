package io.cuzk.gpu;

import org.junit.jupiter.api.condition.EnabledIf;

/** Fifty proofs on a GPU, where there is one. */
@EnabledIf("io.cuzk.gpu.JCudaDeviceTest#present")
final class JCudaManyProofsTest extends ManyProofsContract {
  @Override
  GpuDevice open() {
    return Devices.open(0);
  }

  @Override
  int proofs() {
    return 50;
  }
}
