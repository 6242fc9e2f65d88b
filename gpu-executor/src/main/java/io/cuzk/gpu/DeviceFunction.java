package io.cuzk.gpu;

/** A kernel of a loaded {@link DeviceModule}. */
public interface DeviceFunction {
  /** Its name in the module. */
  String name();

  /**
   * Lets blocks ask for more dynamic shared memory than the 48 KiB that need no permission.
   *
   * @param bytes at most {@link DeviceInfo#sharedBytesPerBlock}
   */
  void allowSharedBytes(int bytes);
}
