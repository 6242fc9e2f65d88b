package io.cuzk.r1cs;

/** Two terms in fields. */
final class Inline2 extends InlineCombination {
  private int v0;
  private long a0;
  private long a1;
  private long a2;
  private long a3;
  private int v1;
  private long b0;
  private long b1;
  private long b2;
  private long b3;

  @Override
  int capacity() {
    return 2;
  }

  @Override
  int variableIn(int i) {
    return i == 0 ? v0 : v1;
  }

  @Override
  void get(int i, long[] out, int at) {
    switch (i) {
      case 0 -> {
        out[at] = a0;
        out[at + 1] = a1;
        out[at + 2] = a2;
        out[at + 3] = a3;
      }
      default -> {
        out[at] = b0;
        out[at + 1] = b1;
        out[at + 2] = b2;
        out[at + 3] = b3;
      }
    }
  }

  @Override
  void put(int i, int variable, long[] coefficient, int at) {
    switch (i) {
      case 0 -> {
        v0 = variable;
        a0 = coefficient[at];
        a1 = coefficient[at + 1];
        a2 = coefficient[at + 2];
        a3 = coefficient[at + 3];
      }
      default -> {
        v1 = variable;
        b0 = coefficient[at];
        b1 = coefficient[at + 1];
        b2 = coefficient[at + 2];
        b3 = coefficient[at + 3];
      }
    }
  }

  @Override
  void shift(int i) {
    v1 = v0;
    b0 = a0;
    b1 = a1;
    b2 = a2;
    b3 = a3;
  }
}
