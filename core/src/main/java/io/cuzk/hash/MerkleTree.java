package io.cuzk.hash;

import io.cuzk.parallel.Workers;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * A complete Merkle tree in memory with its own arity at every level.
 *
 * <p>Level 0 are the leaves. A compound tree (base trees under sub trees under a top tree) is one
 * tree whose upper levels have other arities, since base trees hold consecutive leaves. A node is
 * 32 bytes; a level is one array of them, so a level has fewer than 2^26 nodes. Immutable once
 * built; safe to read from many threads.
 */
public final class MerkleTree {
  private static final int BYTES = NodeHash.BYTES;

  /** Nodes that one piece of parallel work hashes at least. */
  private static final int GRAIN = 64;

  /** Nodes after which a piece of work tells of them. */
  private static final int REPORT = 1 << 12;

  private final byte[][] levels;
  private final int[] arities;

  private MerkleTree(byte[][] levels, int[] arities) {
    this.levels = levels;
    this.arities = arities;
  }

  /**
   * Hashes the tree above some leaves.
   *
   * @param leaves as many nodes as the product of the arities; kept, not copied
   * @param arities children of a node by level, that above the leaves first
   * @param hash makes one hasher for each piece of work
   * @param hashed hears, from any thread, how many more nodes were hashed
   * @throws IllegalArgumentException if the leaves do not fill the tree
   */
  public static MerkleTree build(
      byte[] leaves, int[] arities, Supplier<NodeHash> hash, Workers workers, IntConsumer hashed) {
    long expected = 1;
    for (int arity : arities) {
      expected *= arity;
    }
    if (leaves.length != expected * BYTES) {
      throw new IllegalArgumentException(
          leaves.length
              + " bytes of leaves where arities "
              + Arrays.toString(arities)
              + " take "
              + expected * BYTES);
    }
    byte[][] levels = new byte[arities.length + 1][];
    levels[0] = leaves;
    for (int level = 0; level < arities.length; level++) {
      int arity = arities[level];
      byte[] children = levels[level];
      byte[] parents = new byte[children.length / arity];
      levels[level + 1] = parents;
      workers.forRanges(
          parents.length / BYTES,
          GRAIN,
          (from, to) -> {
            NodeHash hasher = hash.get();
            for (int i = (int) from; i < to; ) {
              int start = i;
              int end = (int) Math.min(to, start + REPORT);
              for (; i < end; i++) {
                hasher.join(parents, i * BYTES, children, i * arity * BYTES, arity);
              }
              hashed.accept(end - start);
            }
          });
    }
    return new MerkleTree(levels, arities.clone());
  }

  /** Nodes above {@code leaves} leaves: what building a tree of those arities hashes. */
  public static long innerNodes(long leaves, int[] arities) {
    long inner = 0;
    long level = leaves;
    for (int arity : arities) {
      level /= arity;
      inner += level;
    }
    return inner;
  }

  /** Levels of hashing: the length of a path. */
  public int height() {
    return arities.length;
  }

  /** Children of a node of {@code level + 1}. */
  public int arity(int level) {
    return arities[level];
  }

  /** A copy of the root. */
  public byte[] root() {
    return levels[arities.length].clone();
  }

  /** A copy of a node. */
  public byte[] node(int level, int index) {
    return Arrays.copyOfRange(levels[level], index * BYTES, (index + 1) * BYTES);
  }

  /** A copy of the nodes of a level, as the stores of the Rust stack hold them. */
  public byte[] level(int level) {
    return levels[level].clone();
  }

  /** The other children of the parent of a node, in their order. */
  public byte[] siblings(int level, int index) {
    int arity = arities[level];
    int first = index / arity * arity;
    byte[] siblings = new byte[(arity - 1) * BYTES];
    int at = 0;
    for (int child = first; child < first + arity; child++) {
      if (child != index) {
        System.arraycopy(levels[level], child * BYTES, siblings, at, BYTES);
        at += BYTES;
      }
    }
    return siblings;
  }
}
