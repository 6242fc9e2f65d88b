package io.cuzk.circuit;

/**
 * A word of up to 64 lanes, each holding a bit of a template: written as a number of pieces and for
 * each a run of bits ({@link BitRuns}) with the lane it begins at, lanes one or two apart.
 */
final class LaneWord {
  private static final long EVEN = 0x5555555555555555L;
  private static final int[] STRIDES = {1, -1, 2, -2, 0};

  private LaneWord() {}

  /** Appends a word; {@code bitOf} holds −1 where a lane is empty. */
  static void write(IntBuffer code, int[] bitOf, int lanes) {
    int count = code.size();
    code.add(0);
    boolean[] done = new boolean[lanes];
    int pieces = 0;
    for (int lane = 0; lane < lanes; lane++) {
      if (bitOf[lane] < 0 || done[lane]) {
        continue;
      }
      int best = 0;
      int bestStep = 1;
      int bestStride = 1;
      for (int step = 1; step <= 2; step++) {
        for (int stride : STRIDES) {
          int n = length(bitOf, done, lanes, lane, step, stride);
          if (n > best) {
            best = n;
            bestStep = step;
            bestStride = stride;
          }
        }
      }
      for (int i = 0; i < best; i++) {
        done[lane + i * bestStep] = true;
      }
      code.add(bitOf[lane]);
      code.add(BitRuns.info(best, 0) | (bestStride & 0xff) << 8 | lane << 16 | bestStep << 24);
      pieces++;
    }
    code.set(count, pieces);
  }

  private static int length(
      int[] bitOf, boolean[] done, int lanes, int lane, int step, int stride) {
    int limit = Math.min(BitRuns.limit(stride), step == 2 ? 32 : 64);
    int n = 1;
    for (int next = lane + step; n < limit && next < lanes; next += step) {
      if (done[next] || bitOf[next] < 0 || bitOf[next] != bitOf[lane] + n * stride) {
        break;
      }
      n++;
    }
    return n;
  }

  /** Ints of the word that is written at a place. */
  static int size(int[] code, int at) {
    return 1 + 2 * code[at];
  }

  /** The word that is written at a place. */
  static long take(int[] code, int at, long[] bits) {
    int pieces = code[at];
    long word = 0;
    for (int p = at + 1; pieces > 0; pieces--, p += 2) {
      int info = code[p + 1];
      long piece = BitRuns.take(bits, code[p], info << 16 >> 16);
      word |= (info >>> 24 == 1 ? piece : Long.expand(piece, EVEN)) << (info >>> 16);
    }
    return word;
  }
}
