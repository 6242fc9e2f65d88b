package io.cuzk.gpu;

import jcuda.driver.CUevent;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** An event of a {@link JCudaDevice}. */
final class JCudaEvent implements DeviceEvent {
  private final JCudaDevice device;
  private final CUevent handle = new CUevent();
  private boolean closed;

  JCudaEvent(JCudaDevice device) {
    this.device = device;
    device.enter();
    device.require(
        JCudaDriver.cuEventCreate(handle, CUevent_flags.CU_EVENT_BLOCKING_SYNC), "cuEventCreate");
  }

  CUevent handle() {
    return handle;
  }

  @Override
  public void record(DeviceStream stream) {
    device.enter();
    device.require(
        JCudaDriver.cuEventRecord(handle, ((JCudaStream) stream).handle()), "cuEventRecord");
  }

  @Override
  public void synchronize() {
    device.enter();
    device.require(JCudaDriver.cuEventSynchronize(handle), "cuEventSynchronize");
  }

  @Override
  public boolean happened() {
    device.enter();
    int result = JCudaDriver.cuEventQuery(handle);
    if (result == CUresult.CUDA_ERROR_NOT_READY) {
      return false;
    }
    device.require(result, "cuEventQuery");
    return true;
  }

  @Override
  public double millisSince(DeviceEvent earlier) {
    device.enter();
    float[] millis = new float[1];
    device.require(
        JCudaDriver.cuEventElapsedTime(millis, ((JCudaEvent) earlier).handle, handle),
        "cuEventElapsedTime",
        "both events must have been recorded and have happened");
    return millis[0];
  }

  @Override
  public void close() {
    if (!closed && device.usable()) {
      closed = true;
      device.enter();
      device.require(JCudaDriver.cuEventDestroy(handle), "cuEventDestroy");
    }
  }
}
