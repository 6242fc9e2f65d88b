package io.cuzk.gadget;

import io.cuzk.field.Fr;
import io.cuzk.hash.PoseidonConstants;
import io.cuzk.r1cs.Block;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.LinearCombination;

/**
 * Poseidon of 2, 4, 8 or 11 numbers, row for row neptune's legacy circuit, which the trusted setup
 * of Filecoin fixes: each S-box takes an allocated number, x² and x⁴ and x⁵ + constant are rows,
 * the linear layers are folded into combinations, and the tag's first S-box is a constant.
 */
public final class PoseidonGadget {
  /** An element of the state: a combination, its value, and its variable if it is allocated. */
  private static final class Element {
    final LinearCombination lc;
    final long[] value = new long[Fr.WORDS];
    boolean allocated;
    int variable;

    Element(ConstraintSystem cs) {
      lc = cs.ownLc();
    }
  }

  private static final Block HASH = new Block("poseidon", PoseidonGadget::hash);

  private final ConstraintSystem cs;
  private final PoseidonConstants constants;
  private final int width;
  private final boolean hasWitness;
  private final long[] term = new long[Fr.WORDS];
  private Element[] state;
  private int nextConstant;

  private PoseidonGadget(ConstraintSystem cs, PoseidonConstants constants) {
    this.cs = cs;
    this.constants = constants;
    this.width = constants.width();
    this.hasWitness = cs.hasWitness();
    this.state = elements();
  }

  private Element[] elements() {
    Element[] elements = new Element[width];
    for (int i = 0; i < width; i++) {
      elements[i] = new Element(cs);
    }
    return elements;
  }

  /** The hash of as many numbers as the arity says, allocated. */
  public static AllocatedNum hash(ConstraintSystem cs, AllocatedNum... input) {
    return AllocatedNum.ofLiterals(cs.block(HASH, AllocatedNum.literals(input)))[0];
  }

  private static long[] hash(ConstraintSystem cs, long[] operands) {
    AllocatedNum[] input = AllocatedNum.ofLiterals(operands);
    PoseidonGadget gadget = new PoseidonGadget(cs, PoseidonConstants.of(input.length));
    for (int i = 0; i < input.length; i++) {
      gadget.setAllocated(gadget.state[i + 1], input[i].variable());
    }
    return AllocatedNum.literals(gadget.permute());
  }

  private AllocatedNum permute() {
    int half = PoseidonConstants.FULL_ROUNDS / 2;
    cs.enter("first round");
    firstSBoxes();
    multiply(constants.mds());
    cs.leave();
    for (int i = 1; i < half; i++) {
      cs.enter("initial full round", i);
      sBoxes(true);
      multiply(i == half - 1 ? constants.preSparse() : constants.mds());
      cs.leave();
    }
    for (int i = 0; i < constants.partialRounds(); i++) {
      cs.enter("partial round", i);
      cs.enter("solitary quintic s-box");
      sBox(state[0], true);
      cs.leave();
      multiplySparse(i);
      cs.leave();
    }
    for (int i = 0; i < half - 1; i++) {
      cs.enter("final full round", i);
      sBoxes(true);
      multiply(constants.mds());
      cs.leave();
    }
    cs.enter("terminal full round");
    sBoxes(false);
    multiply(constants.mds());
    cs.leave();
    cs.enter("hash result");
    int result = allocated(state[1]);
    cs.leave();
    return new AllocatedNum(result);
  }

  private int constant(int i) {
    return (nextConstant + i) * Fr.WORDS;
  }

  private void firstSBoxes() {
    long[] keys = constants.compressedConstants();
    constantSBox(state[0], keys);
    for (int i = 1; i < width; i++) {
      cs.enter("quintic s-box", i);
      preAddSBox(state[i], keys, i * Fr.WORDS, (width + i) * Fr.WORDS);
      cs.leave();
    }
    nextConstant = 2 * width;
  }

  /** (tag + k)⁵ + k′ is known beforehand. */
  private void constantSBox(Element tag, long[] keys) {
    long[] v = new long[Fr.WORDS];
    long[] power = new long[Fr.WORDS];
    Fr.add(v, 0, constants.tag(), 0, keys, 0);
    Fr.square(power, 0, v, 0);
    Fr.square(power, 0, power, 0);
    Fr.mul(v, 0, power, 0, v, 0);
    Fr.add(v, 0, v, 0, keys, width * Fr.WORDS);
    Fr.set(tag.value, 0, v, 0);
    tag.lc.clear().addConstant(v, 0);
    tag.allocated = false;
  }

  private void preAddSBox(Element x, long[] keys, int before, int after) {
    cs.enter("S-box input");
    int l = allocated(x);
    cs.leave();
    long[] v = hasWitness ? new long[Fr.WORDS] : null;
    cs.enter("(l+rk)^2");
    if (hasWitness) {
      Fr.add(v, 0, x.value, 0, keys, before);
      Fr.square(v, 0, v, 0);
    }
    cs.enter("squared sum");
    int l2 = cs.alloc(v, 0);
    cs.leave();
    cs.enforce(
        cs.lc().addConstant(keys, before).add(l),
        cs.lc().addConstant(keys, before).add(l),
        cs.lc().add(l2));
    cs.leave();
    int l4 = square(l2, v);
    cs.enter("l4 * (l + rk)");
    if (hasWitness) {
      Fr.add(term, 0, x.value, 0, keys, before);
      Fr.mul(v, 0, v, 0, term, 0);
      Fr.add(v, 0, v, 0, keys, after);
    }
    int l5 = allocPower(v);
    cs.enforce(
        cs.lc().addConstant(keys, before).add(l),
        cs.lc().add(l4),
        cs.lc().sub(0, keys, after).add(l5));
    cs.leave();
    setAllocated(x, l5);
  }

  private void sBoxes(boolean withConstants) {
    for (int i = 0; i < width; i++) {
      cs.enter("quintic s-box", i);
      sBox(state[i], withConstants);
      cs.leave();
    }
  }

  private void sBox(Element x, boolean withConstant) {
    long[] keys = constants.compressedConstants();
    int key = constant(0);
    cs.enter("S-box input");
    int l = allocated(x);
    cs.leave();
    long[] v = hasWitness ? x.value.clone() : null;
    cs.enter("l^2");
    if (hasWitness) {
      Fr.square(v, 0, v, 0);
    }
    int l2 = cs.alloc(v, 0);
    cs.enforce(cs.lc().add(l), cs.lc().add(l), cs.lc().add(l2));
    cs.leave();
    int l4 = square(l2, v);
    cs.enter("(l4 * l) + rk)");
    if (hasWitness) {
      Fr.mul(v, 0, v, 0, x.value, 0);
      if (withConstant) {
        Fr.add(v, 0, v, 0, keys, key);
      }
    }
    int l5 = allocPower(v);
    LinearCombination power = cs.lc();
    if (withConstant) {
      power.sub(0, keys, key);
      nextConstant++;
    }
    cs.enforce(cs.lc().add(l), cs.lc().add(l4), power.add(l5));
    cs.leave();
    setAllocated(x, l5);
  }

  /** x², whose value replaces that of x in {@code v}. */
  private int square(int x, long[] v) {
    cs.enter("l^4");
    if (hasWitness) {
      Fr.square(v, 0, v, 0);
    }
    int y = cs.alloc(v, 0);
    cs.enforce(cs.lc().add(x), cs.lc().add(x), cs.lc().add(y));
    cs.leave();
    return y;
  }

  private int allocPower(long[] v) {
    cs.enter("mul_sum");
    int x = cs.alloc(v, 0);
    cs.leave();
    return x;
  }

  /** The variable of an element, allocated by the row lc·1 = x if it has none. */
  private int allocated(Element e) {
    if (!e.allocated) {
      cs.enter("allocate for Elt::Num");
      int x = cs.alloc(e.value, 0);
      cs.leave();
      cs.enforce(e.lc, cs.lc().addOne(), cs.lc().add(x));
      setAllocated(e, x);
    }
    return e.variable;
  }

  private void setAllocated(Element e, int variable) {
    e.allocated = true;
    e.variable = variable;
    e.lc.clear().add(variable);
    if (hasWitness) {
      cs.value(variable, e.value, 0);
    }
  }

  /** state = state·matrix, the state a row. */
  private void multiply(long[] matrix) {
    Element[] product = elements();
    for (int j = 0; j < width; j++) {
      for (int i = 0; i < width; i++) {
        addScaled(product[j], state[i], matrix, (i * width + j) * Fr.WORDS);
      }
    }
    state = product;
  }

  private void multiplySparse(int round) {
    Element first = new Element(cs);
    int column = round * width * Fr.WORDS;
    int row = round * (width - 1) * Fr.WORDS;
    for (int i = 0; i < width; i++) {
      addScaled(first, state[i], constants.sparseColumns(), column + i * Fr.WORDS);
    }
    for (int j = 1; j < width; j++) {
      addScaled(state[j], state[0], constants.sparseRows(), row + (j - 1) * Fr.WORDS);
    }
    state[0] = first;
  }

  private void addScaled(Element to, Element from, long[] factor, int at) {
    to.allocated = false;
    to.lc.addScaled(from.lc, factor, at);
    if (hasWitness) {
      Fr.mul(term, 0, from.value, 0, factor, at);
      Fr.add(to.value, 0, to.value, 0, term, 0);
    }
  }
}
