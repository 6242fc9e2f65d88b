package io.cuzk.hash;

import io.cuzk.field.Fr;

/** Small square matrices over {@link Fr}, row by row in flat arrays. */
final class FrMatrix {
  private FrMatrix() {}

  private static int at(int n, int row, int column) {
    return (row * n + column) * Fr.WORDS;
  }

  /** m·v. */
  static long[] times(long[] m, int n, long[] v, int vo) {
    long[] out = new long[n * Fr.WORDS];
    long[] term = new long[Fr.WORDS];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        Fr.mul(term, 0, m, at(n, i, j), v, vo + j * Fr.WORDS);
        Fr.add(out, i * Fr.WORDS, out, i * Fr.WORDS, term, 0);
      }
    }
    return out;
  }

  /** x·y. */
  static long[] product(long[] x, long[] y, int n) {
    long[] out = new long[n * n * Fr.WORDS];
    long[] term = new long[Fr.WORDS];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        int o = at(n, i, j);
        for (int k = 0; k < n; k++) {
          Fr.mul(term, 0, x, at(n, i, k), y, at(n, k, j));
          Fr.add(out, o, out, o, term, 0);
        }
      }
    }
    return out;
  }

  /**
   * m⁻¹ by Gauss–Jordan elimination.
   *
   * @throws ArithmeticException if m is singular
   */
  static long[] inverse(long[] m, int n) {
    long[] a = m.clone();
    long[] inverse = new long[n * n * Fr.WORDS];
    for (int i = 0; i < n; i++) {
      Fr.setOne(inverse, at(n, i, i));
    }
    long[] factor = new long[Fr.WORDS];
    for (int c = 0; c < n; c++) {
      int pivot = c;
      while (pivot < n && Fr.isZero(a, at(n, pivot, c))) {
        pivot++;
      }
      if (pivot == n) {
        throw new ArithmeticException("singular matrix");
      }
      if (pivot != c) {
        swap(a, n, pivot, c);
        swap(inverse, n, pivot, c);
      }
      Fr.inv(factor, 0, a, at(n, c, c));
      scale(a, n, c, factor);
      scale(inverse, n, c, factor);
      for (int r = 0; r < n; r++) {
        if (r != c && !Fr.isZero(a, at(n, r, c))) {
          Fr.set(factor, 0, a, at(n, r, c));
          subtract(a, n, r, c, factor);
          subtract(inverse, n, r, c, factor);
        }
      }
    }
    return inverse;
  }

  private static void swap(long[] m, int n, int r, int s) {
    int words = n * Fr.WORDS;
    long[] row = new long[words];
    System.arraycopy(m, r * words, row, 0, words);
    System.arraycopy(m, s * words, m, r * words, words);
    System.arraycopy(row, 0, m, s * words, words);
  }

  private static void scale(long[] m, int n, int row, long[] factor) {
    for (int j = 0; j < n; j++) {
      Fr.mul(m, at(n, row, j), m, at(n, row, j), factor, 0);
    }
  }

  private static void subtract(long[] m, int n, int row, int other, long[] factor) {
    long[] term = new long[Fr.WORDS];
    for (int j = 0; j < n; j++) {
      Fr.mul(term, 0, m, at(n, other, j), factor, 0);
      Fr.sub(m, at(n, row, j), m, at(n, row, j), term, 0);
    }
  }
}
