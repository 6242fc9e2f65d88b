package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a test can say of a device's free memory. A driver gives it out in blocks of 2 MiB, its
 * context grows when a kernel is first loaded, and other processes take and give back.
 */
final class FreeMemory {
  private static final long ALLOWANCE = 64 << 20;

  private FreeMemory() {}

  /** Whether it counts bytes: the simulator and the fake driver do. */
  static boolean isExact(GpuDevice device) {
    return !(device instanceof JCudaDevice) || device.info().name().startsWith("Fake GPU");
  }

  /** So much is free again. */
  static void requireBack(GpuDevice device, long baseline) {
    if (isExact(device)) {
      assertThat(device.freeBytes()).as("free device memory").isEqualTo(baseline);
    } else {
      assertThat(device.freeBytes())
          .as("free device memory")
          .isGreaterThanOrEqualTo(baseline - ALLOWANCE);
    }
  }
}
