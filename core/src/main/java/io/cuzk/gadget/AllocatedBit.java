package io.cuzk.gadget;

import io.cuzk.r1cs.ConstraintSystem;

/** Auxiliary variables that a row makes 0 or 1, as bellpepper's {@code AllocatedBit}. */
public final class AllocatedBit {
  private AllocatedBit() {}

  /** Allocates a bit: (1 − x)·x = 0. */
  public static int alloc(ConstraintSystem cs, boolean value) {
    int x = cs.allocBit(value);
    cs.enforce(cs.lc().addOne().sub(x), cs.lc().add(x), cs.lc());
    return x;
  }

  /** Allocates bit {@code place} of a {@link ConstraintSystem#number}: (1 − x)·x = 0. */
  static int allocOf(ConstraintSystem cs, int number, int place, boolean value) {
    int x = cs.allocBitOf(number, place, value);
    cs.enforce(cs.lc().addOne().sub(x), cs.lc().add(x), cs.lc());
    return x;
  }

  /** Such a bit that must be 0 where another bit is 1: (1 − other − x)·x = 0. */
  static int allocOfUnless(
      ConstraintSystem cs, int number, int place, boolean value, int mustBeFalse) {
    int x = cs.allocBitOf(number, place, value);
    cs.enforce(cs.lc().addOne().sub(mustBeFalse).sub(x), cs.lc().add(x), cs.lc());
    return x;
  }

  /** a ⊕ b: 2a·b = a + b − x. */
  static int xor(ConstraintSystem cs, int a, int b, boolean value) {
    int x = cs.allocBit(value);
    cs.enforce(cs.lc().add(a).add(a), cs.lc().add(b), cs.lc().add(a).add(b).sub(x));
    return x;
  }

  /** a ∧ b: a·b = x. */
  static int and(ConstraintSystem cs, int a, int b, boolean value) {
    int x = cs.allocBit(value);
    cs.enforce(cs.lc().add(a), cs.lc().add(b), cs.lc().add(x));
    return x;
  }

  /** a ∧ ¬b: a·(1 − b) = x. */
  static int andNot(ConstraintSystem cs, int a, int b, boolean value) {
    int x = cs.allocBit(value);
    cs.enforce(cs.lc().add(a), cs.lc().addOne().sub(b), cs.lc().add(x));
    return x;
  }

  /** ¬a ∧ ¬b: (1 − a)·(1 − b) = x. */
  static int nor(ConstraintSystem cs, int a, int b, boolean value) {
    int x = cs.allocBit(value);
    cs.enforce(cs.lc().addOne().sub(a), cs.lc().addOne().sub(b), cs.lc().add(x));
    return x;
  }
}
