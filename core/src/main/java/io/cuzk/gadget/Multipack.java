package io.cuzk.gadget;

import io.cuzk.field.Fr;
import io.cuzk.r1cs.Block;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.Literal;

/** Packs bits, the lowest first, into field elements, as bellpepper's {@code multipack}. */
public final class Multipack {
  /** Bits that fit into an element whatever they are. */
  public static final int CAPACITY = 254;

  private static final Block PACK = new Block("pack", Multipack::pack);
  private static final Block PACK_INTO_INPUT =
      new Block("pack into input", Multipack::packIntoInput);

  private Multipack() {}

  /** Makes the first n ≤ 254 bits one input: Σ 2^i·bit_i · 1 = input. */
  public static void packIntoInput(ConstraintSystem cs, Bool[] bits, int n) {
    cs.block(PACK_INTO_INPUT, Bool.literals(bits, checked(bits, n)));
  }

  private static long[] packIntoInput(ConstraintSystem cs, long[] operands) {
    Bool[] bits = Bool.ofLiterals(operands);
    int n = bits.length;
    LinearCombination sum = sum(cs, bits, n);
    int input = cs.allocInput(value(cs, bits, n), 0);
    cs.enforce(sum, cs.lc().addOne(), cs.lc().add(input));
    return new long[0];
  }

  /** Makes the first n ≤ 254 bits one auxiliary number. */
  public static AllocatedNum pack(ConstraintSystem cs, Bool[] bits, int n) {
    long[] result = cs.block(PACK, Bool.literals(bits, checked(bits, n)));
    return new AllocatedNum(Literal.variable(result[0]));
  }

  private static long[] pack(ConstraintSystem cs, long[] operands) {
    Bool[] bits = Bool.ofLiterals(operands);
    int n = bits.length;
    LinearCombination sum = sum(cs, bits, n);
    cs.enter("input");
    AllocatedNum num = AllocatedNum.alloc(cs, value(cs, bits, n), 0);
    cs.leave();
    cs.enforce(sum, cs.lc().addOne(), cs.lc().add(num.variable()));
    return AllocatedNum.literals(num);
  }

  private static int checked(Bool[] bits, int n) {
    if (n > CAPACITY || n > bits.length) {
      throw new IllegalArgumentException(n + " bits to pack, at most " + CAPACITY + " fit");
    }
    return n;
  }

  private static LinearCombination sum(ConstraintSystem cs, Bool[] bits, int n) {
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
