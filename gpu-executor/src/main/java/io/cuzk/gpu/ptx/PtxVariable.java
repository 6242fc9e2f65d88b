package io.cuzk.gpu.ptx;

/** A declared piece of memory. */
final class PtxVariable {
  final String name;

  /** {@code global}, {@code const}, {@code shared}, {@code local} or {@code param}. */
  final String space;

  final int align;

  /** Its length; 0 for the dynamic shared memory of a block. */
  final int bytes;

  /** Its first content, or null. */
  final byte[] initial;

  /** Where it starts: in its function's frame or block, or the device address of a global. */
  long offset;

  PtxVariable(String name, String space, int align, int bytes, byte[] initial) {
    this.name = name;
    this.space = space;
    this.align = align;
    this.bytes = bytes;
    this.initial = initial;
  }

  @Override
  public String toString() {
    return name;
  }
}
