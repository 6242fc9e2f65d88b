package io.cuzk.gpu;

import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/** A stream of a {@link JCudaDevice}. */
final class JCudaStream implements DeviceStream {
  private final JCudaDevice device;
  private final CUstream handle = new CUstream();
  private boolean closed;

  JCudaStream(JCudaDevice device) {
    this.device = device;
    device.enter();
    device.require(
        JCudaDriver.cuStreamCreate(handle, CUstream_flags.CU_STREAM_NON_BLOCKING),
        "cuStreamCreate");
  }

  CUstream handle() {
    return handle;
  }

  @Override
  public void synchronize() {
    device.enter();
    device.require(JCudaDriver.cuStreamSynchronize(handle), "cuStreamSynchronize");
  }

  @Override
  public void await(DeviceEvent event) {
    device.enter();
    device.require(
        JCudaDriver.cuStreamWaitEvent(handle, ((JCudaEvent) event).handle(), 0),
        "cuStreamWaitEvent");
  }

  @Override
  public void close() {
    if (!closed && device.usable()) {
      closed = true;
      synchronize();
      device.require(JCudaDriver.cuStreamDestroy(handle), "cuStreamDestroy");
    }
  }
}
