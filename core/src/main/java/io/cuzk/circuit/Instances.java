package io.cuzk.circuit;

/**
 * The instances of a circuit's templates in the order of their rows: where each one's own
 * variables, numbers, rows and wide rows begin, and the wires to the variables of others. A wire is
 * a run of variables, two ints: the first and {@code length | stride << 16}; an instance's wires
 * name its bit externals and then its number externals. Immutable after it is made.
 */
record Instances(
    int[] template,
    int[] auxBase,
    int[] inputBase,
    int[] rowBase,
    int[] numberBase,
    int[] wideABase,
    int[] wideBBase,
    int[] wireStart,
    int[] wires,
    long[] operandHash) {

  int count() {
    return template.length;
  }

  static int length(int info) {
    return info & 0xffff;
  }

  static int stride(int info) {
    return info >> 16;
  }

  /** Hash of operands, so that a circuit that is wired otherwise is noticed. */
  static long hash(long[] operands, int n) {
    long h = n;
    for (int i = 0; i < n; i++) {
      h = (h ^ operands[i]) * 0x9e3779b97f4a7c15L;
      h ^= h >>> 32;
    }
    return h;
  }

  /** The last instance that begins at or before a row or an auxiliary, or −1. */
  static int at(int[] bases, int place) {
    int low = 0;
    int high = bases.length - 1;
    while (low <= high) {
      int mid = low + high >>> 1;
      if (bases[mid] <= place) {
        low = mid + 1;
      } else {
        high = mid - 1;
      }
    }
    return high;
  }
}
