package io.cuzk.gadget;

import io.cuzk.r1cs.Block;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.Literal;

/**
 * A truth value in a circuit: a constant, an allocated bit or the negation of one. Constants and
 * negations are folded exactly as bellpepper's {@code Boolean} does, which fixes the rows. Values
 * live in the constraint system. Immutable.
 *
 * <p>The operations that take values beside operands expect those of the witness; a reading without
 * one ignores them.
 */
public final class Bool {
  /** The constant true. */
  public static final Bool TRUE = new Bool(Kind.TRUE, 0);

  /** The constant false. */
  public static final Bool FALSE = new Bool(Kind.FALSE, 0);

  private enum Kind {
    FALSE,
    TRUE,
    IS,
    NOT
  }

  private final Kind kind;
  private final int variable;

  private Bool(Kind kind, int variable) {
    this.kind = kind;
    this.variable = variable;
  }

  /** A constant. */
  public static Bool constant(boolean value) {
    return value ? TRUE : FALSE;
  }

  /** The value of an allocated bit. */
  public static Bool is(int bit) {
    return new Bool(Kind.IS, bit);
  }

  /** The truth value that a block takes or gives. */
  static Bool ofLiteral(long literal) {
    if (Literal.isConstant(literal)) {
      return constant(literal == Literal.TRUE);
    }
    Kind kind = Literal.isNegated(literal) ? Kind.NOT : Kind.IS;
    return new Bool(kind, Literal.variable(literal));
  }

  /** The same for several. */
  static Bool[] ofLiterals(long[] literals) {
    Bool[] bools = new Bool[literals.length];
    for (int i = 0; i < bools.length; i++) {
      bools[i] = ofLiteral(literals[i]);
    }
    return bools;
  }

  /** This as a block takes it. */
  long literal() {
    return switch (kind) {
      case FALSE -> Literal.FALSE;
      case TRUE -> Literal.TRUE;
      case IS -> Literal.of(variable);
      case NOT -> Literal.not(variable);
    };
  }

  /** The first n as a block takes them. */
  static long[] literals(Bool[] bools, int n) {
    long[] literals = new long[n];
    for (int i = 0; i < n; i++) {
      literals[i] = bools[i].literal();
    }
    return literals;
  }

  /** Allocates a bit. */
  public static Bool alloc(ConstraintSystem cs, boolean value) {
    return is(AllocatedBit.alloc(cs, value));
  }

  /** The negation. */
  public Bool not() {
    return switch (kind) {
      case FALSE -> TRUE;
      case TRUE -> FALSE;
      case IS -> new Bool(Kind.NOT, variable);
      case NOT -> new Bool(Kind.IS, variable);
    };
  }

  /** Whether this is true or false whatever the witness. */
  public boolean isConstant() {
    return kind == Kind.TRUE || kind == Kind.FALSE;
  }

  /** The value in the witness; of an allocated bit false in a reading without one. */
  public boolean value(ConstraintSystem cs) {
    return switch (kind) {
      case FALSE -> false;
      case TRUE -> true;
      case IS -> cs.bit(variable);
      case NOT -> cs.hasWitness() && !cs.bit(variable);
    };
  }

  /**
   * The allocated bit that this is.
   *
   * @throws IllegalStateException if this is a constant or a negation
   */
  public int bit() {
    if (kind != Kind.IS) {
      throw new IllegalStateException("an allocated bit is expected, this is " + kind);
    }
    return variable;
  }

  /** Adds coefficient·this, a sum of at most two terms, and returns the combination. */
  LinearCombination addTo(LinearCombination lc, long[] coefficient, int at) {
    return switch (kind) {
      case FALSE -> lc;
      case TRUE -> lc.addConstant(coefficient, at);
      case IS -> lc.add(variable, coefficient, at);
      case NOT -> lc.addConstant(coefficient, at).sub(variable, coefficient, at);
    };
  }

  /** Adds 2^i·this. */
  LinearCombination addTimesPower(LinearCombination lc, int i) {
    int at = PowersOfTwo.at(i);
    return switch (kind) {
      case FALSE -> lc;
      case TRUE -> lc.addConstant(PowersOfTwo.POSITIVE, at);
      case IS -> lc.add(variable, PowersOfTwo.POSITIVE, at);
      case NOT -> lc.addConstant(PowersOfTwo.POSITIVE, at).add(variable, PowersOfTwo.NEGATIVE, at);
    };
  }

  private LinearCombination addTo(LinearCombination lc) {
    return addTimesPower(lc, 0);
  }

  private LinearCombination subFrom(LinearCombination lc) {
    return addTo(lc, PowersOfTwo.NEGATIVE, 0);
  }

  /** Adds this to an empty combination of the constraint system. */
  LinearCombination lc(ConstraintSystem cs) {
    return addTo(cs.lc());
  }

  private static final Block XOR =
      new Block(
          "xor",
          (cs, operands) -> {
            Bool a = ofLiteral(operands[0]);
            Bool b = ofLiteral(operands[1]);
            return new long[] {xor(cs, a, b, a.value(cs) ^ b.value(cs)).literal()};
          });

  private static final Block AND =
      new Block(
          "and",
          (cs, operands) -> {
            Bool a = ofLiteral(operands[0]);
            Bool b = ofLiteral(operands[1]);
            return new long[] {and(cs, a, b, a.value(cs) & b.value(cs)).literal()};
          });

  /** a ⊕ b. */
  public static Bool xor(ConstraintSystem cs, Bool a, Bool b) {
    return ofLiteral(cs.block(XOR, new long[] {a.literal(), b.literal()})[0]);
  }

  /** a ⊕ b, whose value is given. */
  static Bool xor(ConstraintSystem cs, Bool a, Bool b, boolean value) {
    if (a.kind == Kind.FALSE) {
      return b;
    }
    if (b.kind == Kind.FALSE) {
      return a;
    }
    if (a.kind == Kind.TRUE) {
      return b.not();
    }
    if (b.kind == Kind.TRUE) {
      return a.not();
    }
    if (a.kind == b.kind) {
      return is(AllocatedBit.xor(cs, a.variable, b.variable, value));
    }
    // ¬(is ⊕ bit): the allocated operand that is not negated comes first
    Bool is = a.kind == Kind.IS ? a : b;
    Bool not = a.kind == Kind.IS ? b : a;
    return is(AllocatedBit.xor(cs, is.variable, not.variable, !value)).not();
  }

  /** a ∧ b. */
  public static Bool and(ConstraintSystem cs, Bool a, Bool b) {
    return ofLiteral(cs.block(AND, new long[] {a.literal(), b.literal()})[0]);
  }

  /** a ∧ b, whose value is given. */
  static Bool and(ConstraintSystem cs, Bool a, Bool b, boolean value) {
    if (a.kind == Kind.FALSE || b.kind == Kind.FALSE) {
      return FALSE;
    }
    if (a.kind == Kind.TRUE) {
      return b;
    }
    if (b.kind == Kind.TRUE) {
      return a;
    }
    if (a.kind == Kind.IS && b.kind == Kind.IS) {
      return is(AllocatedBit.and(cs, a.variable, b.variable, value));
    }
    if (a.kind == Kind.NOT && b.kind == Kind.NOT) {
      return is(AllocatedBit.nor(cs, a.variable, b.variable, value));
    }
    return a.kind == Kind.IS
        ? is(AllocatedBit.andNot(cs, a.variable, b.variable, value))
        : is(AllocatedBit.andNot(cs, b.variable, a.variable, value));
  }

  /** SHA-256's choice (a ∧ b) ⊕ (¬a ∧ c): a·(b − c) = x − c, or cheaper beside a constant. */
  static Bool choice(
      ConstraintSystem cs, Bool a, Bool b, Bool c, boolean va, boolean vb, boolean vc) {
    boolean value = va ? vb : vc;
    if (a.isConstant() && b.isConstant() && c.isConstant()) {
      return constant(a.kind == Kind.TRUE ? b.kind == Kind.TRUE : c.kind == Kind.TRUE);
    }
    if (a.kind == Kind.FALSE) {
      return c;
    }
    if (b.kind == Kind.FALSE) {
      return and(cs, a.not(), c, value);
    }
    if (c.kind == Kind.FALSE) {
      return and(cs, a, b, value);
    }
    if (c.kind == Kind.TRUE) {
      return and(cs, a, b.not(), !value).not();
    }
    if (b.kind == Kind.TRUE) {
      return and(cs, a.not(), c.not(), !value).not();
    }
    int x = cs.allocBit(value);
    cs.enforce(c.subFrom(b.lc(cs)), a.lc(cs), c.subFrom(cs.lc().add(x)));
    return is(x);
  }

  /**
   * SHA-256's majority (a ∧ b) ⊕ (a ∧ c) ⊕ (b ∧ c): (2bc − b − c)·a = bc − x, or cheaper beside a
   * constant.
   */
  static Bool majority(
      ConstraintSystem cs, Bool a, Bool b, Bool c, boolean va, boolean vb, boolean vc) {
    boolean value = va ? vb | vc : vb & vc;
    if (a.isConstant() && b.isConstant() && c.isConstant()) {
      boolean ca = a.kind == Kind.TRUE;
      boolean cb = b.kind == Kind.TRUE;
      boolean cc = c.kind == Kind.TRUE;
      return constant(ca ? cb | cc : cb & cc);
    }
    if (a.kind == Kind.FALSE) {
      return and(cs, b, c, value);
    }
    if (b.kind == Kind.FALSE) {
      return and(cs, a, c, value);
    }
    if (c.kind == Kind.FALSE) {
      return and(cs, a, b, value);
    }
    if (c.kind == Kind.TRUE) {
      return and(cs, a.not(), b.not(), !value).not();
    }
    if (b.kind == Kind.TRUE) {
      return and(cs, a.not(), c.not(), !value).not();
    }
    if (a.kind == Kind.TRUE) {
      return and(cs, b.not(), c.not(), !value).not();
    }
    int x = cs.allocBit(value);
    cs.enter("b and c");
    Bool bc = and(cs, b, c, vb & vc);
    cs.leave();
    LinearCombination twice = cs.lc();
    c.subFrom(b.subFrom(bc.addTimesPower(twice, 1)));
    cs.enforce(twice, a.lc(cs), bc.lc(cs).sub(x));
    return is(x);
  }

  @Override
  public String toString() {
    return isConstant() ? kind.toString() : kind + " " + io.cuzk.r1cs.Variable.toString(variable);
  }
}
