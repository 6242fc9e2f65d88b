package io.cuzk.gadget;

import io.cuzk.r1cs.Block;
import io.cuzk.r1cs.ConstraintSystem;
import java.util.Arrays;

/**
 * Puts a number among arity − 1 others at a position given by bits, the lowest first; row for row
 * storage-proofs' {@code insertion}. Arities 2, 4 and 8.
 */
public final class Insertion {
  private static final Block INSERTION = new Block("insertion", Insertion::insert);

  private Insertion() {}

  /** The arity numbers with {@code a} at the position of the bits. */
  public static AllocatedNum[] insert(
      ConstraintSystem cs, AllocatedNum a, Bool[] bits, AllocatedNum[] others) {
    if (others.length + 1 != 1 << bits.length) {
      throw new IllegalArgumentException(
          others.length + " others and " + bits.length + " bits do not fit");
    }
    int n = bits.length;
    long[] operands = new long[n + 1 + others.length];
    System.arraycopy(Bool.literals(bits, n), 0, operands, 0, n);
    operands[n] = AllocatedNum.literals(a)[0];
    System.arraycopy(AllocatedNum.literals(others), 0, operands, n + 1, others.length);
    return AllocatedNum.ofLiterals(cs.block(INSERTION, operands));
  }

  /** Operands: b bits, the number to insert, 2^b − 1 others. */
  private static long[] insert(ConstraintSystem cs, long[] operands) {
    int n = 32 - Integer.numberOfLeadingZeros(operands.length) - 1;
    Bool[] bits = Bool.ofLiterals(Arrays.copyOf(operands, n));
    AllocatedNum[] numbers =
        AllocatedNum.ofLiterals(Arrays.copyOfRange(operands, n, operands.length));
    AllocatedNum[] others = Arrays.copyOfRange(numbers, 1, numbers.length);
    return AllocatedNum.literals(insertAmong(cs, numbers[0], bits, others));
  }

  private static AllocatedNum[] insertAmong(
      ConstraintSystem cs, AllocatedNum a, Bool[] bits, AllocatedNum[] others) {
    return switch (bits.length) {
      case 1 -> insert2(cs, a, bits[0], others[0]);
      case 2 -> insert4(cs, a, bits, others);
      case 3 -> insert8(cs, a, bits, others);
      default -> throw new IllegalArgumentException("arity " + (others.length + 1));
    };
  }

  private static AllocatedNum[] insert2(
      ConstraintSystem cs, AllocatedNum a, Bool bit, AllocatedNum b) {
    return new AllocatedNum[] {
      pick(cs, "binary insert 0", bit, b, a), pick(cs, "binary insert 1", bit, a, b)
    };
  }

  // In the names below p3_x1 is the output at position 3 where bit 0 is open and bit 1 is one.

  private static AllocatedNum[] insert4(
      ConstraintSystem cs, AllocatedNum a, Bool[] bits, AllocatedNum[] others) {
    Bool b0 = bits[0];
    Bool b1 = bits[1];
    AllocatedNum b = others[0];
    AllocatedNum c = others[1];
    AllocatedNum d = others[2];
    AllocatedNum[] p = new AllocatedNum[4];
    AllocatedNum x;
    x = pick(cs, "p0_x0", b0, b, a);
    p[0] = pick(cs, "p0", b1, b, x);
    x = pick(cs, "p1_x0", b0, a, b);
    p[1] = pick(cs, "p1", b1, c, x);
    x = pick(cs, "p2_x1", b0, d, a);
    p[2] = pick(cs, "p2", b1, x, c);
    x = pick(cs, "p3_x1", b0, a, d);
    p[3] = pick(cs, "p3", b1, x, d);
    return p;
  }

  private static AllocatedNum[] insert8(
      ConstraintSystem cs, AllocatedNum a, Bool[] bits, AllocatedNum[] others) {
    Bool b0 = bits[0];
    Bool b1 = bits[1];
    Bool b2 = bits[2];
    AllocatedNum b = others[0];
    AllocatedNum c = others[1];
    AllocatedNum d = others[2];
    AllocatedNum e = others[3];
    AllocatedNum f = others[4];
    AllocatedNum g = others[5];
    AllocatedNum h = others[6];
    boolean v0 = b0.value(cs);
    boolean v1 = b1.value(cs);
    cs.enter("b0 nor b1");
    Bool nor = Bool.is(AllocatedBit.nor(cs, b0.bit(), b1.bit(), !v0 & !v1));
    cs.leave();
    cs.enter("b0 and b1");
    Bool and = Bool.is(AllocatedBit.and(cs, b0.bit(), b1.bit(), v0 & v1));
    cs.leave();
    AllocatedNum[] p = new AllocatedNum[8];
    AllocatedNum x;
    x = pick(cs, "p0_xx0", nor, a, b);
    p[0] = pick(cs, "p0", b2, b, x);
    x = pick(cs, "p1_x00", b0, a, b);
    x = pick(cs, "p1_xx0", b1, c, x);
    p[1] = pick(cs, "p1", b2, c, x);
    x = pick(cs, "p2_x10", b0, d, a);
    x = pick(cs, "p2_xx0", b1, x, c);
    p[2] = pick(cs, "p2", b2, d, x);
    x = pick(cs, "p3_xx0", and, a, d);
    p[3] = pick(cs, "p3", b2, e, x);
    x = pick(cs, "p4_xx1", nor, a, f);
    p[4] = pick(cs, "p4", b2, x, e);
    x = pick(cs, "p5_x01", b0, a, f);
    x = pick(cs, "p5_xx1", b1, g, x);
    p[5] = pick(cs, "p5", b2, x, f);
    x = pick(cs, "p6_x11", b0, h, a);
    x = pick(cs, "p6_xx1", b1, x, g);
    p[6] = pick(cs, "p6", b2, x, g);
    x = pick(cs, "p7_xx1", and, a, h);
    p[7] = pick(cs, "p7", b2, x, h);
    return p;
  }

  /** condition ? yes : no. (no − yes)·condition = no − x. */
  static AllocatedNum pick(
      ConstraintSystem cs, String name, Bool condition, AllocatedNum yes, AllocatedNum no) {
    cs.enter(name);
    cs.enter("pick result");
    long[] value = (condition.value(cs) ? yes : no).value(cs);
    AllocatedNum x = AllocatedNum.alloc(cs, value, 0);
    cs.leave();
    cs.enforce(
        cs.lc().add(no.variable()).sub(yes.variable()),
        condition.lc(cs),
        cs.lc().add(no.variable()).sub(x.variable()));
    cs.leave();
    return x;
  }
}
