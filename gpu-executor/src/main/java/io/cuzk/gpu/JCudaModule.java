package io.cuzk.gpu;

import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

/** A module of a {@link JCudaDevice}. */
final class JCudaModule implements DeviceModule {
  private final JCudaDevice device;
  private final String name;
  private final CUmodule module;

  JCudaModule(JCudaDevice device, String name, CUmodule module) {
    this.device = device;
    this.name = name;
    this.module = module;
  }

  /** A kernel of the module. */
  static final class Function implements DeviceFunction {
    private final JCudaDevice device;
    private final String name;
    private final CUfunction handle = new CUfunction();

    Function(JCudaDevice device, String name) {
      this.device = device;
      this.name = name;
    }

    CUfunction handle() {
      return handle;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void allowSharedBytes(int bytes) {
      device.enter();
      device.require(
          JCudaDriver.cuFuncSetAttribute(
              handle, CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes),
          "cuFuncSetAttribute of " + name,
          bytes + " bytes of shared memory, the device has " + device.info().sharedBytesPerBlock());
    }
  }

  @Override
  public DeviceFunction function(String kernel) {
    device.enter();
    Function function = new Function(device, kernel);
    device.require(
        JCudaDriver.cuModuleGetFunction(function.handle, module, kernel),
        "cuModuleGetFunction of " + kernel + " in " + name);
    return function;
  }

  @Override
  public void close() {
    if (device.usable()) {
      device.enter();
      device.require(JCudaDriver.cuModuleUnload(module), "cuModuleUnload of " + name);
    }
  }
}
