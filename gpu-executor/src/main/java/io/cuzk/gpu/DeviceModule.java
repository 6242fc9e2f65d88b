package io.cuzk.gpu;

/** Kernels that were loaded together. */
public interface DeviceModule extends AutoCloseable {
  /**
   * The kernel with that name.
   *
   * @throws io.cuzk.DeviceException if the module has none
   */
  DeviceFunction function(String name);

  /** Unloads the kernels. */
  @Override
  void close();
}
