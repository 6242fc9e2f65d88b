package io.cuzk.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The parameters of a launch in the form in which the driver takes them: a table of addresses and
 * behind it the values, in one native segment that is reused from launch to launch. Not safe for
 * several threads.
 *
 * <pre>device.launch(f, grid, block, 0, stream, arguments.clear().pointer(a).i32(n));</pre>
 */
public final class KernelArguments {
  private static final int MOST = 64;

  private final MemorySegment segment = Arena.ofAuto().allocate(2L * MOST * Long.BYTES, 16);
  private final int[] sizes = new int[MOST];
  private int count;

  /** No parameters yet. */
  public KernelArguments() {
    for (int i = 0; i < MOST; i++) {
      segment.setAtIndex(ValueLayout.JAVA_LONG, i, segment.address() + offset(i));
    }
  }

  private static long offset(int index) {
    return (long) (MOST + index) * Long.BYTES;
  }

  /** Forgets all parameters. */
  public KernelArguments clear() {
    count = 0;
    return this;
  }

  /** Adds the address of a buffer. */
  public KernelArguments pointer(DeviceBuffer value) {
    return i64(value.address());
  }

  /** Adds a null pointer. */
  public KernelArguments nullPointer() {
    return i64(0);
  }

  /** Adds a 64-bit integer or an address. */
  public KernelArguments i64(long value) {
    segment.set(ValueLayout.JAVA_LONG, next(Long.BYTES), value);
    return this;
  }

  /** Adds a 32-bit integer. */
  public KernelArguments i32(int value) {
    segment.set(ValueLayout.JAVA_INT, next(Integer.BYTES), value);
    return this;
  }

  private long next(int bytes) {
    if (count == MOST) {
      throw new IllegalStateException("a kernel takes at most " + MOST + " parameters");
    }
    sizes[count] = bytes;
    return offset(count++);
  }

  /** How many. */
  public int count() {
    return count;
  }

  /** The size of a parameter: 4 or 8 bytes. */
  public int bytes(int index) {
    return sizes[index];
  }

  /** The value of a parameter; of 32 bits it is sign-extended. */
  public long value(int index) {
    return sizes[index] == Long.BYTES
        ? segment.get(ValueLayout.JAVA_LONG, offset(index))
        : segment.get(ValueLayout.JAVA_INT, offset(index));
  }

  /** Where the table of the values' addresses lies, as {@code cuLaunchKernel} takes it. */
  long table() {
    return segment.address();
  }
}
