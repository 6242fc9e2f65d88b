package io.cuzk.circuit;

import io.cuzk.field.Fr;
import io.cuzk.r1cs.Density;
import io.cuzk.r1cs.FrList;

/** An assignment that holds every value as a whole field element. */
final class FlatAssignment implements Assignment {
  private final FrList inputs;
  private final FrList aux;
  private FrList a;
  private FrList b;
  private final Density aAux;
  private final Density bInputs;
  private final Density bAux;
  private final long[] ones;
  private final long[] others;
  private final long rows;
  private final boolean once;

  FlatAssignment(
      FrList inputs, FrList aux, FrList a, FrList b, Density aAux, Density bInputs, Density bAux) {
    this.inputs = inputs;
    this.aux = aux;
    this.a = a;
    this.b = b;
    this.aAux = aAux;
    this.bInputs = bInputs;
    this.bAux = bAux;
    rows = a.size();
    once = false;
    int words = (aux.size() + 63) >>> 6;
    ones = new long[words];
    others = new long[words];
    for (int i = 0; i < aux.size(); i++) {
      long[] chunk = aux.chunk(i);
      int at = FrList.offset(i);
      if (Fr.isOne(chunk, at)) {
        ones[i >>> 6] |= 1L << i;
      } else if (!Fr.isZero(chunk, at)) {
        others[i >>> 6] |= 1L << i;
      }
    }
  }

  private FlatAssignment(FlatAssignment of) {
    inputs = of.inputs;
    aux = of.aux;
    a = of.a;
    b = of.b;
    aAux = of.aAux;
    bInputs = of.bInputs;
    bAux = of.bAux;
    ones = of.ones;
    others = of.others;
    rows = of.rows;
    once = true;
  }

  @Override
  public Assignment once() {
    return new FlatAssignment(this);
  }

  @Override
  public void rowsRead() {
    if (once) {
      a = null;
      b = null;
    }
  }

  @Override
  public int inputs() {
    return inputs.size();
  }

  @Override
  public int aux() {
    return aux.size();
  }

  @Override
  public long rows() {
    return rows;
  }

  @Override
  public long bytes() {
    long elements = (long) inputs.size() + aux.size() + a.size() + b.size();
    return elements * Fr.BYTES + 8L * (ones.length + others.length);
  }

  @Override
  public void readInputs(int from, int n, long[] out, int at) {
    inputs.read(from, n, out, at);
  }

  @Override
  public void readAux(int from, int n, long[] out, int at) {
    aux.read(from, n, out, at);
  }

  @Override
  public long[] auxOnes() {
    return ones;
  }

  @Override
  public long[] auxOthers() {
    return others;
  }

  @Override
  public void readA(long row, int n, long[] out, int at) {
    rows(a).read(Math.toIntExact(row), n, out, at);
  }

  @Override
  public void readB(long row, int n, long[] out, int at) {
    rows(b).read(Math.toIntExact(row), n, out, at);
  }

  private static FrList rows(FrList list) {
    if (list == null) {
      throw new IllegalStateException("the rows of this assignment were let go after one proof");
    }
    return list;
  }

  @Override
  public Density aAux() {
    return aAux;
  }

  @Override
  public Density bInputs() {
    return bInputs;
  }

  @Override
  public Density bAux() {
    return bAux;
  }
}
