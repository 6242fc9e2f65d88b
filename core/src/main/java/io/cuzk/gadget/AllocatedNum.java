package io.cuzk.gadget;

import io.cuzk.field.Fr;
import io.cuzk.r1cs.Block;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.Literal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * A number of the field in a circuit, as bellpepper's {@code AllocatedNum}: only its variable; the
 * value lives in the constraint system. Methods that return numbers allocate them as auxiliaries.
 */
public record AllocatedNum(int variable) {
  private static final BigInteger LARGEST = Fr.MODULUS.subtract(BigInteger.ONE);

  /** Bits of a field element. */
  public static final int BITS = 255;

  /** Allocates an auxiliary number. The value may be null where there is no witness. */
  public static AllocatedNum alloc(ConstraintSystem cs, long[] value, int at) {
    return new AllocatedNum(cs.alloc(value, at));
  }

  private static final Block INPUTIZE = new Block("inputize", AllocatedNum::inputize);
  private static final Block SQUARE = new Block("square", AllocatedNum::square);
  private static final Block ADD = new Block("add", AllocatedNum::add);
  private static final Block TO_BITS = new Block("bits", AllocatedNum::toBits);
  private static final Block TO_BITS_STRICT = new Block("strict bits", AllocatedNum::toBitsStrict);

  /** The numbers that a block takes or gives. */
  static AllocatedNum[] ofLiterals(long[] literals) {
    AllocatedNum[] numbers = new AllocatedNum[literals.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = new AllocatedNum(Literal.variable(literals[i]));
    }
    return numbers;
  }

  /** Numbers as a block takes them. */
  static long[] literals(AllocatedNum... numbers) {
    long[] literals = new long[numbers.length];
    for (int i = 0; i < literals.length; i++) {
      literals[i] = Literal.of(numbers[i].variable);
    }
    return literals;
  }

  private static AllocatedNum operand(long[] operands, int i) {
    return new AllocatedNum(Literal.variable(operands[i]));
  }

  /** Allocates an input equal to this number: input·1 = this. */
  public void inputize(ConstraintSystem cs) {
    cs.block(INPUTIZE, literals(this));
  }

  private static long[] inputize(ConstraintSystem cs, long[] operands) {
    AllocatedNum number = operand(operands, 0);
    int input = cs.allocInput(number.value(cs), 0);
    cs.enforce(cs.lc().add(input), cs.lc().addOne(), cs.lc().add(number.variable));
    return new long[0];
  }

  /** The value, or null where there is no witness. */
  long[] value(ConstraintSystem cs) {
    if (!cs.hasWitness()) {
      return null;
    }
    long[] value = new long[Fr.WORDS];
    cs.value(variable, value, 0);
    return value;
  }

  /** this · 1 = other. */
  public void enforceEqual(ConstraintSystem cs, AllocatedNum other) {
    cs.enforce(cs.lc().add(variable), cs.lc().addOne(), cs.lc().add(other.variable));
  }

  /** this²: this·this = x. */
  public AllocatedNum square(ConstraintSystem cs) {
    return operand(cs.block(SQUARE, literals(this)), 0);
  }

  private static long[] square(ConstraintSystem cs, long[] operands) {
    AllocatedNum number = operand(operands, 0);
    long[] v = number.value(cs);
    if (v != null) {
      Fr.square(v, 0, v, 0);
    }
    int x = cs.alloc(v, 0);
    cs.enforce(cs.lc().add(number.variable), cs.lc().add(number.variable), cs.lc().add(x));
    return literals(new AllocatedNum(x));
  }

  /** this + other: (this + other)·1 = x. */
  public AllocatedNum add(ConstraintSystem cs, AllocatedNum other) {
    return operand(cs.block(ADD, literals(this, other)), 0);
  }

  private static long[] add(ConstraintSystem cs, long[] operands) {
    AllocatedNum number = operand(operands, 0);
    AllocatedNum other = operand(operands, 1);
    long[] v = number.value(cs);
    if (v != null) {
      Fr.add(v, 0, v, 0, other.value(cs), 0);
    }
    cs.enter("add_num");
    int x = cs.alloc(v, 0);
    cs.leave();
    cs.enforce(cs.lc().add(number.variable).add(other.variable), cs.lc().addOne(), cs.lc().add(x));
    return literals(new AllocatedNum(x));
  }

  /**
   * The 255 bits, the lowest first: 0·0 = Σ 2^i·bit_i − this. Not strict: a value below 2^255 −
   * modulus has two decompositions.
   */
  public Bool[] toBits(ConstraintSystem cs) {
    return Bool.ofLiterals(cs.block(TO_BITS, literals(this)));
  }

  private static long[] toBits(ConstraintSystem cs, long[] operands) {
    AllocatedNum number = operand(operands, 0);
    long[] v = number.canonical(cs);
    int whole = cs.number(cs.lc().add(number.variable), 0);
    int[] bits = new int[BITS];
    for (int i = 0; i < BITS; i++) {
      cs.enter("bit", i);
      bits[i] = AllocatedBit.allocOf(cs, whole, i, bit(v, i));
      cs.leave();
    }
    return number.unpacked(cs, bits);
  }

  /** The 255 bits, the lowest first, of the representative below the modulus. */
  public Bool[] toBitsStrict(ConstraintSystem cs) {
    return Bool.ofLiterals(cs.block(TO_BITS_STRICT, literals(this)));
  }

  private static long[] toBitsStrict(ConstraintSystem cs, long[] operands) {
    AllocatedNum number = operand(operands, 0);
    long[] v = number.canonical(cs);
    int whole = cs.number(cs.lc().add(number.variable), 0);
    int[] bits = new int[BITS];
    List<Integer> run = new ArrayList<>();
    int lastRun = 0;
    boolean hasRun = false;
    // from the top: where modulus − 1 has a zero the bit must be zero unless a higher one is too
    for (int i = 0; i < BITS; i++) {
      int place = BITS - 1 - i;
      if (LARGEST.testBit(place)) {
        cs.enter("bit", i);
        bits[place] = AllocatedBit.allocOf(cs, whole, place, bit(v, place));
        cs.leave();
        run.add(bits[place]);
      } else {
        if (!run.isEmpty()) {
          if (hasRun) {
            run.add(lastRun);
          }
          cs.enter("run ending at", i);
          lastRun = conjunction(cs, run);
          cs.leave();
          hasRun = true;
          run.clear();
        }
        cs.enter("bit", i);
        bits[place] = AllocatedBit.allocOfUnless(cs, whole, place, bit(v, place), lastRun);
        cs.leave();
      }
    }
    return number.unpacked(cs, bits);
  }

  private static int conjunction(ConstraintSystem cs, List<Integer> bits) {
    int all = bits.getFirst();
    for (int i = 1; i < bits.size(); i++) {
      cs.enter("and", i);
      all = AllocatedBit.and(cs, all, bits.get(i), cs.bit(all) & cs.bit(bits.get(i)));
      cs.leave();
    }
    return all;
  }

  private long[] unpacked(ConstraintSystem cs, int[] bits) {
    long[] result = new long[BITS];
    LinearCombination sum = cs.lc().sub(variable);
    for (int i = 0; i < BITS; i++) {
      sum.add(bits[i], PowersOfTwo.POSITIVE, PowersOfTwo.at(i));
      result[i] = Literal.of(bits[i]);
    }
    cs.enforce(cs.lc(), cs.lc(), sum);
    return result;
  }

  private long[] canonical(ConstraintSystem cs) {
    long[] v = value(cs);
    if (v != null) {
      Fr.toCanonical(v, 0, v, 0);
    }
    return v;
  }

  private static boolean bit(long[] canonical, int i) {
    return canonical != null && (canonical[i >>> 6] >>> i & 1) != 0;
  }
}
