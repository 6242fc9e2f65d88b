package io.cuzk.gpu;

/**
 * What a CUDA device is.
 *
 * @param name such as {@code NVIDIA H200}
 * @param uuid as NVIDIA's tools print it: {@code GPU-…} or, of a slice, {@code MIG-…}
 * @param pciBusId such as {@code 0000:41:00.0}
 * @param major of the compute capability
 * @param minor of the compute capability
 * @param totalBytes device memory
 * @param multiprocessors how many
 * @param sharedBytesPerBlock the most dynamic shared memory that a block can ask for
 */
public record DeviceInfo(
    String name,
    String uuid,
    String pciBusId,
    int major,
    int minor,
    long totalBytes,
    int multiprocessors,
    int sharedBytesPerBlock) {
  /** The architecture as compilers name it, such as {@code sm_90}. */
  public String architecture() {
    return "sm_" + major + minor;
  }
}
