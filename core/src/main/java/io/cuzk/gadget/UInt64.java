package io.cuzk.gadget;

import io.cuzk.r1cs.ConstraintSystem;

/** A 64-bit number of allocated bits, as storage-proofs' {@code UInt64}. Immutable. */
public final class UInt64 {
  private final Bool[] bits; // least significant first

  private UInt64(Bool[] bits) {
    this.bits = bits;
  }

  /** Allocates the bits, the least significant first. */
  public static UInt64 alloc(ConstraintSystem cs, long value) {
    Bool[] bits = new Bool[64];
    for (int i = 0; i < 64; i++) {
      cs.enter("allocated bit", i);
      bits[i] = Bool.alloc(cs, (value >>> i & 1) != 0);
      cs.leave();
    }
    return new UInt64(bits);
  }

  /** Makes the number an input. */
  public void packIntoInput(ConstraintSystem cs) {
    Multipack.packIntoInput(cs, bits, 64);
  }

  /** Copies the bits, most significant first, to at … at+63. */
  public void bitsBigEndian(Bool[] out, int at) {
    for (int i = 0; i < 64; i++) {
      out[at + i] = bits[63 - i];
    }
  }
}
