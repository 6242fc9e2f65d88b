package io.cuzk.gadget;

import io.cuzk.field.Fr;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.LinearCombination;

/** Packs bits, the lowest first, into field elements, as bellpepper's {@code multipack}. */
public final class Multipack {
  /** Bits that fit into an element whatever they are. */
  public static final int CAPACITY = 254;

  private Multipack() {}

  /** Makes the first n ≤ 254 bits one input: Σ 2^i·bit_i · 1 = input. */
  public static void packIntoInput(ConstraintSystem cs, Bool[] bits, int n) {
    LinearCombination sum = sum(cs, bits, n);
    int input = cs.allocInput(value(cs, bits, n), 0);
    cs.enforce(sum, cs.lc().addOne(), cs.lc().add(input));
  }

  /** Makes the first n ≤ 254 bits one auxiliary number. */
  public static AllocatedNum pack(ConstraintSystem cs, Bool[] bits, int n) {
    LinearCombination sum = sum(cs, bits, n);
    cs.enter("input");
    AllocatedNum num = AllocatedNum.alloc(cs, value(cs, bits, n), 0);
    cs.leave();
    cs.enforce(sum, cs.lc().addOne(), cs.lc().add(num.variable()));
    return num;
  }

  private static LinearCombination sum(ConstraintSystem cs, Bool[] bits, int n) {
    if (n > CAPACITY || n > bits.length) {
      throw new IllegalArgumentException(n + " bits to pack, at most " + CAPACITY + " fit");
    }
    LinearCombination sum = cs.lc();
    for (int i = 0; i < n; i++) {
      bits[i].addTimesPower(sum, i);
    }
    return sum;
  }

  private static long[] value(ConstraintSystem cs, Bool[] bits, int n) {
    if (!cs.hasWitness()) {
      return null;
    }
    long[] value = new long[Fr.WORDS];
    for (int i = 0; i < n; i++) {
      if (bits[i].value(cs)) {
        value[i >>> 6] |= 1L << i;
      }
    }
    Fr.fromCanonical(value, 0, value, 0);
    return value;
  }
}
