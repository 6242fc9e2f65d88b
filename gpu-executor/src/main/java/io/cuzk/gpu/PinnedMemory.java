package io.cuzk.gpu;

/** Host memory whose pages are locked until this is closed; see {@link GpuDevice#pin}. */
public interface PinnedMemory extends AutoCloseable {
  @Override
  void close();
}
