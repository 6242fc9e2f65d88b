package io.cuzk.hash;

import io.cuzk.field.Fr;

/**
 * Poseidon's constants over {@link Fr} as neptune derives them for Filecoin: round constants by the
 * Grain LFSR of the Poseidon paper, a Cauchy matrix, and the optimised form of both (constants
 * pushed back through the linear layers, the matrices of the partial rounds factored into sparse
 * ones). S-box x⁵, 8 full rounds, standard strength; the domain tag is that of Merkle trees,
 * 2^arity − 1. Arities 2, 4, 8, 11; the width is one more.
 *
 * <p>Elements are four Montgomery words each in flat arrays, matrices row by row; for reading only.
 * Instances are cached and immutable.
 */
public final class PoseidonConstants {
  /** Full rounds, half of them before and half after the partial ones. */
  public static final int FULL_ROUNDS = 8;

  private static final int HALF = FULL_ROUNDS / 2;

  private final int width;
  private final int partialRounds;
  private final long[] tag = new long[Fr.WORDS];
  private final long[] roundConstants;
  private final long[] compressed;
  private final long[] mds;
  private final long[] preSparse;
  private final long[] columns; // partialRounds × width: ŵ
  private final long[] rows; // partialRounds × (width − 1): v

  private PoseidonConstants(int arity, int partialRounds) {
    this.width = arity + 1;
    this.partialRounds = partialRounds;
    Fr.setLong(tag, 0, (1L << arity) - 1);
    roundConstants = grain(width, FULL_ROUNDS, partialRounds);
    mds = cauchy(width);
    compressed = compress();
    columns = new long[partialRounds * width * Fr.WORDS];
    rows = new long[partialRounds * arity * Fr.WORDS];
    preSparse = factor();
  }

  private static final class Cache {
    static final PoseidonConstants ARITY_2 = new PoseidonConstants(2, 55);
    static final PoseidonConstants ARITY_4 = new PoseidonConstants(4, 56);
    static final PoseidonConstants ARITY_8 = new PoseidonConstants(8, 57);
    static final PoseidonConstants ARITY_11 = new PoseidonConstants(11, 57);
  }

  /**
   * The constants of an arity.
   *
   * @throws IllegalArgumentException if it is not 2, 4, 8 or 11
   */
  public static PoseidonConstants of(int arity) {
    return switch (arity) {
      case 2 -> Cache.ARITY_2;
      case 4 -> Cache.ARITY_4;
      case 8 -> Cache.ARITY_8;
      case 11 -> Cache.ARITY_11;
      default -> throw new IllegalArgumentException("Poseidon of arity " + arity);
    };
  }

  /** Elements of the state: arity + 1. */
  public int width() {
    return width;
  }

  /** Rounds whose S-box layer is one S-box. */
  public int partialRounds() {
    return partialRounds;
  }

  /** The domain tag, element 0 of the first state. */
  public long[] tag() {
    return tag;
  }

  /** The unoptimised constants, {@code width} for each round. */
  public long[] roundConstants() {
    return roundConstants;
  }

  /**
   * The optimised constants in the order of their use: {@code width} before the first S-boxes, then
   * {@code width} after those of each full round but the last, and one after each partial S-box.
   */
  public long[] compressedConstants() {
    return compressed;
  }

  /** The matrix of the full rounds; symmetric. */
  public long[] mds() {
    return mds;
  }

  /** The matrix of the last full round before the partial ones; the state multiplies as a row. */
  public long[] preSparse() {
    return preSparse;
  }

  /**
   * First columns of the sparse matrices: partial round r's {@code width} elements, whose product
   * with the state is its new element 0.
   */
  public long[] sparseColumns() {
    return columns;
  }

  /**
   * First rows of the sparse matrices without their first elements: partial round r's {@code width
   * − 1} elements; new element j is old j plus old 0 times element j − 1.
   */
  public long[] sparseRows() {
    return rows;
  }

  /** The round constants: Grain in self-shrinking mode, 255 bits an element, rejection. */
  private static long[] grain(int width, int full, int partial) {
    boolean[] state = new boolean[80];
    int[][] fields = {{1, 2}, {1, 4}, {255, 12}, {width, 12}, {full, 10}, {partial, 10}, {-1, 30}};
    int at = 0;
    for (int[] field : fields) {
      for (int i = field[1] - 1; i >= 0; i--) {
        state[at++] = (field[0] >>> i & 1) != 0;
      }
    }
    Grain grain = new Grain(state);
    int count = (full + partial) * width;
    long[] constants = new long[count * Fr.WORDS];
    long[] words = new long[Fr.WORDS];
    for (int i = 0; i < count; ) {
      for (int w = Fr.WORDS - 1; w >= 0; w--) {
        words[w] = 0;
        for (int bit = w == Fr.WORDS - 1 ? 62 : 63; bit >= 0; bit--) {
          words[w] = words[w] << 1 | (grain.next() ? 1 : 0);
        }
      }
      if (Fr.isCanonical(words, 0)) {
        Fr.fromCanonical(constants, i * Fr.WORDS, words, 0);
        i++;
      }
    }
    return constants;
  }

  private static final class Grain {
    private final boolean[] state;
    private int head;

    Grain(boolean[] state) {
      this.state = state;
      for (int i = 0; i < 160; i++) {
        step();
      }
    }

    private boolean bit(int i) {
      return state[(head + i) % 80];
    }

    private boolean step() {
      boolean bit = bit(62) ^ bit(51) ^ bit(38) ^ bit(23) ^ bit(13) ^ bit(0);
      state[head] = bit;
      head = (head + 1) % 80;
      return bit;
    }

    boolean next() {
      while (!step()) {
        step();
      }
      return step();
    }
  }

  /** m[i][j] = 1 / (i + width + j). */
  private static long[] cauchy(int width) {
    long[] m = new long[width * width * Fr.WORDS];
    for (int i = 0; i < width; i++) {
      for (int j = 0; j < width; j++) {
        int at = (i * width + j) * Fr.WORDS;
        Fr.setLong(m, at, i + width + j);
        Fr.inv(m, at, m, at);
      }
    }
    return m;
  }

  /** Moves each round's constants behind the S-boxes of the round before. */
  private long[] compress() {
    int w = width * Fr.WORDS;
    long[] inverse = FrMatrix.inverse(mds, width);
    long[] out = new long[(FULL_ROUNDS * width + partialRounds) * Fr.WORDS];
    System.arraycopy(roundConstants, 0, out, 0, w);
    int at = w;
    for (int r = 1; r < HALF; r++) {
      System.arraycopy(FrMatrix.times(inverse, width, roundConstants, r * w), 0, out, at, w);
      at += w;
    }
    // the partial rounds from the last: what a lone S-box does not touch moves on to the round
    // before
    long[] keys = new long[partialRounds * Fr.WORDS];
    long[] carried = new long[w];
    System.arraycopy(roundConstants, (HALF + partialRounds) * w, carried, 0, w);
    for (int p = partialRounds - 1; p >= 0; p--) {
      long[] inverted = FrMatrix.times(inverse, width, carried, 0);
      Fr.set(keys, p * Fr.WORDS, inverted, 0);
      Fr.setZero(inverted, 0);
      for (int i = 0; i < width; i++) {
        int o = i * Fr.WORDS;
        Fr.add(carried, o, inverted, o, roundConstants, (HALF + p) * w + o);
      }
    }
    System.arraycopy(FrMatrix.times(inverse, width, carried, 0), 0, out, at, w);
    at += w;
    System.arraycopy(keys, 0, out, at, keys.length);
    at += keys.length;
    for (int r = 1; r < HALF; r++) {
      int from = (HALF + partialRounds + r) * w;
      System.arraycopy(FrMatrix.times(inverse, width, roundConstants, from), 0, out, at, w);
      at += w;
    }
    return out;
  }

  /** Factors M = M′·M″ from the last partial round backwards, M″ sparse, M·M′ going on. */
  private long[] factor() {
    int n = width - 1;
    long[] current = mds.clone();
    for (int p = partialRounds - 1; p >= 0; p--) {
      long[] minor = new long[n * n * Fr.WORDS];
      long[] firstColumn = new long[n * Fr.WORDS];
      long[] prime = current.clone();
      for (int i = 0; i < n; i++) {
        int row = (i + 1) * width * Fr.WORDS;
        System.arraycopy(current, row + Fr.WORDS, minor, i * n * Fr.WORDS, n * Fr.WORDS);
        Fr.set(firstColumn, i * Fr.WORDS, current, row);
        Fr.set(rows, (p * n + i) * Fr.WORDS, current, (i + 1) * Fr.WORDS);
        Fr.setZero(prime, row);
        Fr.setZero(prime, (i + 1) * Fr.WORDS);
      }
      Fr.setOne(prime, 0);
      long[] hat = FrMatrix.times(FrMatrix.inverse(minor, n), n, firstColumn, 0);
      Fr.set(columns, p * width * Fr.WORDS, current, 0);
      System.arraycopy(hat, 0, columns, (p * width + 1) * Fr.WORDS, n * Fr.WORDS);
      current = FrMatrix.product(mds, prime, width);
    }
    return current;
  }
}
