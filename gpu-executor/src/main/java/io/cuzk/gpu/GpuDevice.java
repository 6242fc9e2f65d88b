package io.cuzk.gpu;

import io.cuzk.DeviceException;
import java.lang.foreign.MemorySegment;

/**
 * One opened CUDA device, real or simulated: what kernels need and no more.
 *
 * <p>Work goes to {@link DeviceStream}s and may still be running when a call returns; within a
 * stream it runs in the order given. Host memory of a copy must stay alive and untouched until its
 * stream was synchronised. Calls may come from any thread.
 *
 * <p>Every call may throw a {@link DeviceException}; its kind says whether the device is lost. An
 * asynchronous fault appears at a later call.
 */
public interface GpuDevice extends AutoCloseable {
  /** What the device is. */
  DeviceInfo info();

  /** Device memory that an allocation could take now, in bytes. */
  long freeBytes();

  /**
   * Compiles and loads PTX.
   *
   * @param name for messages
   * @throws DeviceException if the device cannot run it, with the compiler's log
   */
  DeviceModule load(String name, String ptx);

  /**
   * Loads the module of this package's resources with that name, such as {@code ntt} for {@code
   * ntt.ptx}.
   *
   * @throws io.cuzk.InvalidInputException if this build's code is damaged
   */
  default DeviceModule load(String name) {
    return load(name, DeviceCode.read(name));
  }

  /**
   * Device memory with undefined content, aligned to 256 bytes.
   *
   * @throws DeviceException of kind {@code OUT_OF_MEMORY} with the bytes asked for and free
   */
  DeviceBuffer allocate(long bytes);

  /** A new stream, which does not wait for the default stream. */
  DeviceStream stream();

  /** A new event; not yet recorded. */
  DeviceEvent event();

  /** Copies a whole native or heap segment to the start of a buffer. */
  void upload(DeviceBuffer to, MemorySegment from, DeviceStream stream);

  /** Copies the start of a buffer to a whole segment. */
  void download(MemorySegment to, DeviceBuffer from, DeviceStream stream);

  /** Copies one whole buffer onto the start of another one that does not overlap it. */
  void copy(DeviceBuffer to, DeviceBuffer from, DeviceStream stream);

  /** Sets every byte of a buffer to one value. */
  void fill(DeviceBuffer buffer, byte value, DeviceStream stream);

  /**
   * Locks the pages of a native segment, so that copies from and to it run at the full rate and
   * beside kernels. Costs 0.1–0.3 s a GiB: once for a ring, never per task.
   *
   * @return closing it unlocks the pages; the segment must outlive it
   */
  PinnedMemory pin(MemorySegment segment);

  /**
   * Starts a kernel on a grid of {@code gridX × gridY} blocks of {@code blockX} threads each.
   *
   * @param sharedBytes dynamic shared memory of a block
   * @param arguments the kernel's parameters in order; may be reused as soon as this returns
   */
  void launch(
      DeviceFunction function,
      int gridX,
      int gridY,
      int blockX,
      int sharedBytes,
      DeviceStream stream,
      KernelArguments arguments);

  /** Starts a kernel on a row of blocks; see the other {@code launch}. */
  default void launch(
      DeviceFunction function,
      int gridX,
      int blockX,
      int sharedBytes,
      DeviceStream stream,
      KernelArguments arguments) {
    launch(function, gridX, 1, blockX, sharedBytes, stream, arguments);
  }

  /** Waits until everything given to the device is done. */
  void synchronize();

  /** Gives the device back. Buffers, modules and streams must have been closed before. */
  @Override
  void close();
}
