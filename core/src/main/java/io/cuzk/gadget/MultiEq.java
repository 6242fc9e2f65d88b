package io.cuzk.gadget;

import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.LinearCombination;

/**
 * Collects equalities of small numbers into rows: Σ left_i·2^{s_i} = Σ right_i·2^{s_i} with the
 * shifts chosen so that the numbers don't overlap. A row is written when the next one would reach
 * 254 bits, and at the end (bellpepper's {@code MultiEq}, whose flush points fix the positions of
 * rows).
 */
final class MultiEq {
  private static final int CAPACITY = 254;

  private final ConstraintSystem cs;
  private final LinearCombination left;
  private final LinearCombination right;
  private final LinearCombination nextLeft;
  private final LinearCombination nextRight;
  private final LinearCombination word;
  private int bitsUsed;

  MultiEq(ConstraintSystem cs) {
    this.cs = cs;
    left = cs.ownLc();
    right = cs.ownLc();
    nextLeft = cs.ownLc();
    nextRight = cs.ownLc();
    word = cs.ownLc();
  }

  /** Where a number of so many bits will be put: its sides must be multiplied by 2^shift. */
  int shift(int bits) {
    return bitsUsed + bits >= CAPACITY ? 0 : bitsUsed;
  }

  /** An empty combination for the next left side. */
  LinearCombination left() {
    return nextLeft.clear();
  }

  /** An empty combination for the next right side. */
  LinearCombination right() {
    return nextRight.clear();
  }

  /** An empty combination for whatever the caller needs. */
  LinearCombination word() {
    return word.clear();
  }

  /** Takes an equality of numbers of at most so many bits, already shifted by {@link #shift}. */
  void enforce(int bits, LinearCombination shiftedLeft, LinearCombination shiftedRight) {
    if (bitsUsed + bits >= CAPACITY) {
      flush();
    }
    left.add(shiftedLeft);
    right.add(shiftedRight);
    bitsUsed += bits;
  }

  /** Writes what is left. */
  void close() {
    if (bitsUsed > 0) {
      flush();
    }
  }

  private void flush() {
    cs.enforce(left, cs.lc().addOne(), right);
    left.clear();
    right.clear();
    bitsUsed = 0;
  }
}
