package io.cuzk.gpu;

import jcuda.driver.CUdeviceptr;

/** An address of a device for JCuda, from and to a number. */
final class DeviceAddress extends CUdeviceptr {
  /** To be filled by an allocation. */
  DeviceAddress() {}

  DeviceAddress(long address) {
    super(new CUdeviceptr(), address);
  }

  long value() {
    return getNativePointer() + getByteOffset();
  }
}
