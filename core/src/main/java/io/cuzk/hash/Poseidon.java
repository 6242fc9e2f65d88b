package io.cuzk.hash;

import io.cuzk.field.Fr;

/**
 * Poseidon as Filecoin hashes with it: neptune's constants, strength "standard", hash type "Merkle
 * tree"; the hash is the second element of the permuted state.
 *
 * <p>Elements are Montgomery words (see {@link Fr}) or 32-byte little-endian nodes. An instance
 * holds scratch space: it is not thread-safe, and a hash allocates nothing.
 */
public final class Poseidon {
  private static final int W = Fr.WORDS;

  private final PoseidonConstants constants;
  private final int width;
  private long[] state;
  private long[] next;
  private final long[] t = new long[W];

  private Poseidon(PoseidonConstants constants) {
    this.constants = constants;
    width = constants.width();
    state = new long[width * W];
    next = new long[width * W];
  }

  /**
   * A hasher of so many inputs: 2, 4, 8 or 11.
   *
   * @throws IllegalArgumentException for another arity
   */
  public static Poseidon ofArity(int arity) {
    return new Poseidon(PoseidonConstants.of(arity));
  }

  /** The number of inputs. */
  public int arity() {
    return width - 1;
  }

  /** out = hash of the {@code arity} elements from {@code in}; Montgomery words, may overlap. */
  public void hash(long[] out, int oo, long[] in, int io) {
    System.arraycopy(in, io, state, W, (width - 1) * W);
    permute();
    Fr.set(out, oo, state, W);
  }

  /**
   * out = hash of the {@code arity} nodes from {@code in}, 32 little-endian bytes each; may
   * overlap.
   *
   * @throws IllegalArgumentException if a node is not canonical
   */
  public void hash(byte[] out, int oo, byte[] in, int io) {
    for (int i = 1; i < width; i++) {
      int at = io + (i - 1) * Fr.BYTES;
      if (!Fr.fromBytes(state, i * W, in, at)) {
        throw new IllegalArgumentException("input " + (i - 1) + " is not below r");
      }
    }
    permute();
    Fr.toBytes(out, oo, state, W);
  }

  private void permute() {
    Fr.set(state, 0, constants.tag(), 0);
    final long[] keys = constants.compressedConstants();
    for (int i = 0; i < width; i++) {
      Fr.add(state, i * W, state, i * W, keys, i * W);
    }
    final int half = PoseidonConstants.FULL_ROUNDS / 2;
    int key = width * W;
    for (int round = 0; round < half; round++) {
      key = fullSboxes(keys, key);
      multiply(round == half - 1 ? constants.preSparse() : constants.mds());
    }
    for (int round = 0; round < constants.partialRounds(); round++) {
      sbox(0);
      Fr.add(state, 0, state, 0, keys, key);
      key += W;
      multiplySparse(round);
    }
    for (int round = 0; round < half; round++) {
      if (round < half - 1) {
        key = fullSboxes(keys, key);
      } else {
        for (int i = 0; i < width; i++) {
          sbox(i * W);
        }
      }
      multiply(constants.mds());
    }
  }

  private int fullSboxes(long[] keys, int key) {
    for (int i = 0; i < width; i++) {
      sbox(i * W);
      Fr.add(state, i * W, state, i * W, keys, key + i * W);
    }
    return key + width * W;
  }

  private void sbox(int at) {
    Fr.square(t, 0, state, at);
    Fr.square(t, 0, t, 0);
    Fr.mul(state, at, state, at, t, 0);
  }

  private void multiply(long[] matrix) {
    for (int j = 0; j < width; j++) {
      Fr.dot(next, j * W, state, 0, matrix, j * W, width, width);
    }
    long[] swap = state;
    state = next;
    next = swap;
  }

  private void multiplySparse(int round) {
    final long[] rows = constants.sparseRows();
    final int row = round * (width - 1) * W;
    Fr.dot(next, 0, state, 0, constants.sparseColumns(), round * width * W, 1, width);
    for (int i = 1; i < width; i++) {
      Fr.mul(t, 0, state, 0, rows, row + (i - 1) * W);
      Fr.add(state, i * W, state, i * W, t, 0);
    }
    Fr.set(state, 0, next, 0);
  }
}
