package io.cuzk.circuit;

import io.cuzk.r1cs.BlankReading;
import io.cuzk.r1cs.Block;
import io.cuzk.r1cs.ConstraintMatrices;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.Variable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A reading of one block as a small circuit of its own: its auxiliaries are the operands' variables
 * first (bits, then numbers), then those that it allocates; its inputs those that it allocates. It
 * keeps the rows, which auxiliaries are bits, and in order what tells how to compute them: rows and
 * numbers that bits are taken of. Not thread-safe.
 */
final class TemplateRecorder extends BlankReading {
  /** A number whose bits are allocated: the sum of row {@code row} of the sums, over 2^shift. */
  static final class Whole {
    final int sum;
    final int shift;
    final IntBuffer places = new IntBuffer();
    final IntBuffer bits = new IntBuffer();

    Whole(int sum, int shift) {
      this.sum = sum;
      this.shift = shift;
    }
  }

  final int externals;
  final List<Whole> wholes = new ArrayList<>();

  /** In order: a row's number, or −1 − a whole number's. */
  final IntBuffer steps = new IntBuffer();

  boolean[] isBit;
  private final ConstraintMatrices.Builder rows = new ConstraintMatrices.Builder();
  private final ConstraintMatrices.Builder sums = new ConstraintMatrices.Builder();
  private final LinearCombination nothing = new LinearCombination();

  TemplateRecorder(int bitExternals, int externals) {
    this.externals = externals;
    isBit = new boolean[Math.max(16, 2 * externals)];
    Arrays.fill(isBit, 0, bitExternals, true);
    aux = externals;
  }

  int inputs() {
    return inputs;
  }

  /** Auxiliaries, those of the operands first. */
  int aux() {
    return aux;
  }

  long[] record(Block block, long[] operands) {
    return block.write(this, operands);
  }

  ConstraintMatrices matrices() {
    return rows.build(inputs, aux);
  }

  /** The whole numbers' sums, as rows of A. */
  ConstraintMatrices sums() {
    return sums.build(inputs, aux);
  }

  private int allocate(boolean bit) {
    if (aux == isBit.length) {
      isBit = Arrays.copyOf(isBit, 2 * aux);
    }
    isBit[aux] = bit;
    return Variable.aux(aux++);
  }

  @Override
  public int alloc(long[] value, int at) {
    return allocate(false);
  }

  @Override
  public int allocBit(boolean value) {
    return allocate(true);
  }

  @Override
  public int number(LinearCombination sum, int shift) {
    wholes.add(new Whole(sums.rows(), shift));
    sums.add(sum, nothing, nothing);
    steps.add(-wholes.size());
    return wholes.size() - 1;
  }

  @Override
  public int allocBitOf(int number, int place, boolean value) {
    int variable = allocate(true);
    wholes.get(number).places.add(place);
    wholes.get(number).bits.add(Variable.index(variable));
    return variable;
  }

  @Override
  protected void row(LinearCombination a, LinearCombination b, LinearCombination c) {
    steps.add(rows.rows());
    rows.add(a, b, c);
  }
}
