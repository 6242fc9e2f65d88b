package io.cuzk.r1cs;

/** Four terms in fields. */
final class Inline4 extends InlineCombination {
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
  private int v2;
  private long c0;
  private long c1;
  private long c2;
  private long c3;
  private int v3;
  private long d0;
  private long d1;
  private long d2;
  private long d3;

  @Override
  int capacity() {
    return 4;
  }

  @Override
  int variableIn(int i) {
    return switch (i) {
      case 0 -> v0;
      case 1 -> v1;
      case 2 -> v2;
      default -> v3;
    };
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
      case 1 -> {
        out[at] = b0;
        out[at + 1] = b1;
        out[at + 2] = b2;
        out[at + 3] = b3;
      }
      case 2 -> {
        out[at] = c0;
        out[at + 1] = c1;
        out[at + 2] = c2;
        out[at + 3] = c3;
      }
      default -> {
        out[at] = d0;
        out[at + 1] = d1;
        out[at + 2] = d2;
        out[at + 3] = d3;
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
      case 1 -> {
        v1 = variable;
        b0 = coefficient[at];
        b1 = coefficient[at + 1];
        b2 = coefficient[at + 2];
        b3 = coefficient[at + 3];
      }
      case 2 -> {
        v2 = variable;
        c0 = coefficient[at];
        c1 = coefficient[at + 1];
        c2 = coefficient[at + 2];
        c3 = coefficient[at + 3];
      }
      default -> {
        v3 = variable;
        d0 = coefficient[at];
        d1 = coefficient[at + 1];
        d2 = coefficient[at + 2];
        d3 = coefficient[at + 3];
      }
    }
  }

  @Override
  void shift(int i) {
    switch (i) {
      case 0 -> {
        v1 = v0;
        b0 = a0;
        b1 = a1;
        b2 = a2;
        b3 = a3;
      }
      case 1 -> {
        v2 = v1;
        c0 = b0;
        c1 = b1;
        c2 = b2;
        c3 = b3;
      }
      default -> {
        v3 = v2;
        d0 = c0;
        d1 = c1;
        d2 = c2;
        d3 = c3;
      }
    }
  }
}
