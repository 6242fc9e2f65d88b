package io.cuzk.gadget;

import java.util.Arrays;

/** The order of bits inside bytes: SHA-256 takes the highest first, field elements the lowest. */
public final class BitOrder {
  private BitOrder() {}

  /** Pads with the constant false to whole bytes and reverses the bits of each. */
  public static Bool[] reverseInBytes(Bool[] bits) {
    Bool[] result = new Bool[(bits.length + 7) & ~7];
    Arrays.fill(result, Bool.FALSE);
    for (int i = 0; i < bits.length; i++) {
      result[i ^ 7] = bits[i];
    }
    return result;
  }
}
