package io.cuzk.r1cs;

/** One term in fields. */
final class Inline1 extends InlineCombination {
  private int v0;
  private long a0;
  private long a1;
  private long a2;
  private long a3;

  @Override
  int capacity() {
    return 1;
  }

  @Override
  int variableIn(int i) {
    return v0;
  }

  @Override
  void get(int i, long[] out, int at) {
    out[at] = a0;
    out[at + 1] = a1;
    out[at + 2] = a2;
    out[at + 3] = a3;
  }

  @Override
  void put(int i, int variable, long[] coefficient, int at) {
    v0 = variable;
    a0 = coefficient[at];
    a1 = coefficient[at + 1];
    a2 = coefficient[at + 2];
    a3 = coefficient[at + 3];
  }

  @Override
  void shift(int i) {
    throw new IllegalStateException("one term has no next place");
  }
}
