package io.cuzk.gadget;

import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.LinearCombination;
import java.util.Arrays;

/**
 * A 32-bit number of truth values, as bellpepper's {@code UInt32}. The value in the witness is kept
 * as an int beside the bits (unknown bits count as 0 in readings without one). Immutable.
 */
public final class UInt32 {
  private final Bool[] bits; // least significant first
  private final int value;

  private UInt32(Bool[] bits, int value) {
    this.bits = bits;
    this.value = value;
  }

  /** A constant. */
  public static UInt32 constant(int value) {
    Bool[] bits = new Bool[32];
    for (int i = 0; i < 32; i++) {
      bits[i] = Bool.constant((value >>> i & 1) != 0);
    }
    return new UInt32(bits, value);
  }

  /** The number whose bits lie at from … from+31, most significant first. */
  public static UInt32 ofBitsBigEndian(ConstraintSystem cs, Bool[] from, int at) {
    Bool[] bits = new Bool[32];
    int value = 0;
    for (int i = 0; i < 32; i++) {
      bits[i] = from[at + 31 - i];
      if (bits[i].value(cs)) {
        value |= 1 << i;
      }
    }
    return new UInt32(bits, value);
  }

  /** The number whose bits lie at from … from+31, least significant first. */
  static UInt32 ofLiterals(ConstraintSystem cs, long[] from, int at) {
    Bool[] bits = new Bool[32];
    int value = 0;
    for (int i = 0; i < 32; i++) {
      bits[i] = Bool.ofLiteral(from[at + i]);
      if (bits[i].value(cs)) {
        value |= 1 << i;
      }
    }
    return new UInt32(bits, value);
  }

  /** Copies the bits, least significant first, to at … at+31. */
  void literals(long[] out, int at) {
    for (int i = 0; i < 32; i++) {
      out[at + i] = bits[i].literal();
    }
  }

  /** Copies the bits, most significant first, to at … at+31. */
  public void bitsBigEndian(Bool[] out, int at) {
    for (int i = 0; i < 32; i++) {
      out[at + i] = bits[31 - i];
    }
  }

  UInt32 rotateRight(int by) {
    Bool[] rotated = new Bool[32];
    System.arraycopy(bits, by, rotated, 0, 32 - by);
    System.arraycopy(bits, 0, rotated, 32 - by, by);
    return new UInt32(rotated, Integer.rotateRight(value, by));
  }

  UInt32 shiftRight(int by) {
    Bool[] shifted = new Bool[32];
    System.arraycopy(bits, by, shifted, 0, 32 - by);
    Arrays.fill(shifted, 32 - by, 32, Bool.FALSE);
    return new UInt32(shifted, value >>> by);
  }

  UInt32 xor(ConstraintSystem cs, UInt32 other) {
    Bool[] result = new Bool[32];
    int z = value ^ other.value;
    for (int i = 0; i < 32; i++) {
      cs.enter("xor of bit", i);
      result[i] = Bool.xor(cs, bits[i], other.bits[i], (z >>> i & 1) != 0);
      cs.leave();
    }
    return new UInt32(result, z);
  }

  static UInt32 choice(ConstraintSystem cs, UInt32 a, UInt32 b, UInt32 c) {
    Bool[] result = new Bool[32];
    for (int i = 0; i < 32; i++) {
      cs.enter("ch", i);
      result[i] =
          Bool.choice(cs, a.bits[i], b.bits[i], c.bits[i], a.bitOf(i), b.bitOf(i), c.bitOf(i));
      cs.leave();
    }
    return new UInt32(result, a.value & b.value ^ ~a.value & c.value);
  }

  static UInt32 majority(ConstraintSystem cs, UInt32 a, UInt32 b, UInt32 c) {
    Bool[] result = new Bool[32];
    for (int i = 0; i < 32; i++) {
      cs.enter("maj", i);
      result[i] =
          Bool.majority(cs, a.bits[i], b.bits[i], c.bits[i], a.bitOf(i), b.bitOf(i), c.bitOf(i));
      cs.leave();
    }
    return new UInt32(result, a.value & b.value ^ a.value & c.value ^ b.value & c.value);
  }

  private boolean bitOf(int i) {
    return (value >>> i & 1) != 0;
  }

  /**
   * The sum mod 2^32 of two to ten numbers: the bits of the whole sum are allocated, and their
   * equality with the operands' bits is left to a row of {@code equalities}.
   */
  static UInt32 sum(ConstraintSystem cs, MultiEq equalities, UInt32... operands) {
    if (operands.length < 2 || operands.length > 10) {
      throw new IllegalArgumentException(operands.length + " operands, not two to ten");
    }
    long sum = 0;
    boolean constant = true;
    for (UInt32 operand : operands) {
      sum += operand.value & 0xffffffffL;
      for (Bool bit : operand.bits) {
        constant &= bit.isConstant();
      }
    }
    if (constant) {
      return constant((int) sum);
    }
    int length = 64 - Long.numberOfLeadingZeros(operands.length * 0xffffffffL);
    int shift = equalities.shift(length);
    LinearCombination left = equalities.left();
    LinearCombination word = equalities.word();
    for (UInt32 operand : operands) {
      word.clear();
      for (int i = 0; i < 32; i++) {
        operand.bits[i].addTimesPower(word, shift + i);
      }
      left.add(word);
    }
    int whole = cs.number(left, shift);
    LinearCombination right = equalities.right();
    Bool[] result = new Bool[32];
    for (int i = 0; i < length; i++) {
      cs.enter("result bit", i);
      Bool bit = Bool.is(AllocatedBit.allocOf(cs, whole, i, (sum >>> i & 1) != 0));
      cs.leave();
      bit.addTimesPower(right, shift + i);
      if (i < 32) {
        result[i] = bit;
      }
    }
    equalities.enforce(length, left, right);
    return new UInt32(result, (int) sum);
  }
}
