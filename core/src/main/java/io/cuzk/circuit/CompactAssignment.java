package io.cuzk.circuit;

import io.cuzk.field.Fr;
import io.cuzk.r1cs.Density;
import java.util.Arrays;
import java.util.Optional;

/**
 * An assignment that holds bits as bits, small rows as bytes and the rest as field elements: for a
 * circuit of mostly bits two to three bytes a row in all. Field elements are made when they are
 * read, in ranges. Immutable and thread-safe.
 */
public final class CompactAssignment implements Assignment {
  private static final long[] SMALL = new long[256 * Fr.WORDS];

  static {
    long[] one = new long[Fr.WORDS];
    Fr.setOne(one, 0);
    for (int i = 0; i < 128; i++) {
      Fr.setLong(SMALL, (128 + i) * Fr.WORDS, i);
      Fr.neg(SMALL, (128 - i) * Fr.WORDS, SMALL, (128 + i) * Fr.WORDS);
    }
    Fr.sub(SMALL, 0, SMALL, Fr.WORDS, one, 0);
  }

  private final CompiledCircuit circuit;
  private final WitnessValues values;
  private final long[] others;

  CompactAssignment(CompiledCircuit circuit, WitnessValues values) {
    this.circuit = circuit;
    this.values = values;
    others = new long[circuit.aux() + 63 >>> 6];
    long[] isNumber = circuit.isNumber();
    int number = circuit.inputs() * Fr.WORDS;
    for (int w = 0; w < others.length; w++) {
      for (long rest = isNumber[w]; rest != 0; rest &= rest - 1, number += Fr.WORDS) {
        if (Fr.isOne(values.numbers, number)) {
          values.bits[w] |= rest & -rest;
        } else if (!Fr.isZero(values.numbers, number)) {
          others[w] |= rest & -rest;
        }
      }
    }
  }

  /** The first row that does not hold, or −1. */
  public long brokenRow() {
    return values.brokenRow();
  }

  @Override
  public long bytes() {
    long words = values.bits.length + (long) others.length + values.numbers.length;
    words += (long) values.wideA.length + values.wideB.length;
    return 8 * words + values.smallA.length + values.smallB.length;
  }

  @Override
  public int inputs() {
    return circuit.inputs();
  }

  @Override
  public int aux() {
    return circuit.aux();
  }

  @Override
  public long rows() {
    return circuit.rows();
  }

  private static void checkRange(long from, int n, long size) {
    if (from < 0 || n < 0 || from > size - n) {
      throw new IndexOutOfBoundsException(from + " + " + n + " of " + size + " elements");
    }
  }

  @Override
  public void readInputs(int from, int n, long[] out, int at) {
    checkRange(from, n, inputs());
    System.arraycopy(values.numbers, from * Fr.WORDS, out, at, n * Fr.WORDS);
  }

  @Override
  public void readAux(int from, int n, long[] out, int at) {
    checkRange(from, n, aux());
    long[] isNumber = circuit.isNumber();
    int number = n == 0 ? 0 : (circuit.inputs() + circuit.numbersBefore(from)) * Fr.WORDS;
    for (int i = from, o = at; i < from + n; i++, o += Fr.WORDS) {
      if ((isNumber[i >>> 6] >>> i & 1) != 0) {
        Fr.set(out, o, values.numbers, number);
        number += Fr.WORDS;
      } else {
        int bit = (int) (values.bits[i >>> 6] >>> i & 1);
        System.arraycopy(SMALL, (128 + bit) * Fr.WORDS, out, o, Fr.WORDS);
      }
    }
  }

  @Override
  public long[] auxOnes() {
    return values.bits;
  }

  @Override
  public long[] auxOthers() {
    return others;
  }

  @Override
  public void readA(long row, int n, long[] out, int at) {
    read(true, row, n, out, at);
  }

  @Override
  public void readB(long row, int n, long[] out, int at) {
    read(false, row, n, out, at);
  }

  @Override
  public Optional<CompactRows> compactA() {
    return Optional.of(compact(true, values.smallA, values.wideA));
  }

  @Override
  public Optional<CompactRows> compactB() {
    return Optional.of(compact(false, values.smallB, values.wideB));
  }

  @Override
  public long compactRowBytes() {
    long wideRows = ((long) values.wideA.length + values.wideB.length) / Fr.WORDS;
    return (long) values.smallA.length
        + values.smallB.length
        + (Integer.BYTES + Fr.BYTES) * wideRows;
  }

  private CompactRows compact(boolean a, byte[] small, long[] wide) {
    int[] rows = new int[wide.length / Fr.WORDS];
    Instances instances = circuit.instances();
    int[] wideBase = a ? instances.wideABase() : instances.wideBBase();
    for (int i = 0; i < instances.count(); i++) {
      Template template = circuit.template(instances.template()[i]);
      int[] inside = a ? template.wideA : template.wideB;
      for (int k = 0; k < inside.length; k++) {
        rows[wideBase[i] + k] = instances.rowBase()[i] + inside[k];
      }
    }
    int trailing = a ? inputs() * Fr.WORDS : 0;
    return new CompactRows(small, rows, wide, Arrays.copyOf(values.numbers, trailing));
  }

  private void read(boolean a, long row, int n, long[] out, int at) {
    checkRange(row, n, rows());
    int own = (int) Math.min(n, Math.max(0, circuit.ownRows() - row));
    if (own > 0) {
      byte[] small = a ? values.smallA : values.smallB;
      int first = (int) row;
      for (int i = 0, o = at; i < own; i++, o += Fr.WORDS) {
        System.arraycopy(SMALL, (128 + small[first + i]) * Fr.WORDS, out, o, Fr.WORDS);
      }
      readWide(a, first, own, out, at);
    }
    for (int i = own; i < n; i++) {
      int input = (int) (row + i - circuit.ownRows());
      if (a) {
        Fr.set(out, at + i * Fr.WORDS, values.numbers, input * Fr.WORDS);
      } else {
        Fr.setZero(out, at + i * Fr.WORDS);
      }
    }
  }

  /** Puts the wide rows of first … first+n−1 over the small values that stand for them. */
  private void readWide(boolean a, int first, int n, long[] out, int at) {
    Instances instances = circuit.instances();
    long[] wide = a ? values.wideA : values.wideB;
    int[] wideBase = a ? instances.wideABase() : instances.wideBBase();
    int[] rowBase = instances.rowBase();
    int end = first + n;
    for (int i = Instances.at(rowBase, first); i < rowBase.length && rowBase[i] < end; i++) {
      Template template = circuit.template(instances.template()[i]);
      int[] rows = a ? template.wideA : template.wideB;
      int base = rowBase[i];
      int k = Instances.at(rows, first - base - 1) + 1;
      for (; k < rows.length && base + rows[k] < end; k++) {
        int to = at + (base + rows[k] - first) * Fr.WORDS;
        System.arraycopy(wide, (wideBase[i] + k) * Fr.WORDS, out, to, Fr.WORDS);
      }
    }
  }

  @Override
  public Density aAux() {
    return circuit.aAux();
  }

  @Override
  public Density bInputs() {
    return circuit.bInputs();
  }

  @Override
  public Density bAux() {
    return circuit.bAux();
  }
}
