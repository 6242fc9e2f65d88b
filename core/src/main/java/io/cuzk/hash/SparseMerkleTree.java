package io.cuzk.hash;

import io.cuzk.parallel.Workers;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A complete Merkle tree of which only the paths from some leaves are held; every node beside them
 * is random, as if its subtree were unknown. Arities as in {@link MerkleTree}, but leaves may
 * number far more than fit in memory. Immutable once built; safe to read from many threads.
 */
public final class SparseMerkleTree {
  private static final int BYTES = NodeHash.BYTES;

  /** Nodes that one piece of parallel work hashes at least. */
  private static final int GRAIN = 32;

  private final int[] arities;
  private final long[][] parents; // by level, ascending: the nodes above whose children are held
  private final byte[][] children; // by level: the children of each of those parents
  private final byte[] root;

  private SparseMerkleTree(int[] arities, long[][] parents, byte[][] children, byte[] root) {
    this.arities = arities;
    this.parents = parents;
    this.children = children;
    this.root = root;
  }

  /**
   * Hashes the paths from some leaves.
   *
   * @param indices the leaves' places, ascending, at least one, below the product of the arities
   * @param leaves the leaves, 32 bytes each, in the order of {@code indices}; not kept
   * @param arities children of a node by level, that above the leaves first
   * @param hash makes one hasher for each piece of work
   * @param random where the other nodes come from; drawn from in an order that depends on the
   *     indices alone
   * @throws IllegalArgumentException if the indices are no such places or as many as the leaves
   */
  public static SparseMerkleTree build(
      long[] indices,
      byte[] leaves,
      int[] arities,
      Supplier<NodeHash> hash,
      Workers workers,
      RandomGenerator random) {
    long size = 1;
    for (int arity : arities) {
      size *= arity;
    }
    if (indices.length == 0 || leaves.length != indices.length * BYTES) {
      throw new IllegalArgumentException(
          leaves.length + " bytes of leaves at " + indices.length + " places");
    }
    for (int i = 0; i < indices.length; i++) {
      if (indices[i] < 0 || indices[i] >= size || i > 0 && indices[i] <= indices[i - 1]) {
        throw new IllegalArgumentException(
            "leaf " + indices[i] + " is out of order or not below " + size);
      }
    }
    long[][] parents = new long[arities.length][];
    byte[][] children = new byte[arities.length][];
    long[] known = indices;
    byte[] nodes = leaves;
    for (int level = 0; level < arities.length; level++) {
      int arity = arities[level];
      long[] above = Arrays.stream(known).map(index -> index / arity).distinct().toArray();
      byte[] below = randomNodes(above.length * arity, random);
      for (int i = 0, group = 0; i < known.length; i++) {
        while (above[group] != known[i] / arity) {
          group++;
        }
        int place = group * arity + (int) (known[i] % arity);
        System.arraycopy(nodes, i * BYTES, below, place * BYTES, BYTES);
      }
      byte[] joined = new byte[above.length * BYTES];
      workers.forRanges(
          above.length,
          GRAIN,
          (from, to) -> {
            NodeHash hasher = hash.get();
            for (int i = (int) from; i < to; i++) {
              hasher.join(joined, i * BYTES, below, i * arity * BYTES, arity);
            }
          });
      parents[level] = above;
      children[level] = below;
      known = above;
      nodes = joined;
    }
    return new SparseMerkleTree(arities.clone(), parents, children, nodes);
  }

  /** Random numbers below 2^254, hence below the modulus. */
  public static byte[] randomNodes(int count, RandomGenerator random) {
    byte[] nodes = new byte[count * BYTES];
    random.nextBytes(nodes);
    for (int i = 1; i <= count; i++) {
      nodes[i * BYTES - 1] &= 0x3f;
    }
    return nodes;
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
    return root.clone();
  }

  /**
   * A copy of a node that is held.
   *
   * @throws IllegalArgumentException if its parent is on no path
   */
  public byte[] node(int level, long index) {
    int at = first(level, index) + (int) (index % arities[level]) * BYTES;
    return Arrays.copyOfRange(children[level], at, at + BYTES);
  }

  /**
   * The other children of the parent of a node, in their order.
   *
   * @throws IllegalArgumentException if the parent is on no path
   */
  public byte[] siblings(int level, long index) {
    int first = first(level, index);
    int before = (int) (index % arities[level]) * BYTES;
    byte[] siblings = new byte[(arities[level] - 1) * BYTES];
    System.arraycopy(children[level], first, siblings, 0, before);
    System.arraycopy(
        children[level], first + before + BYTES, siblings, before, siblings.length - before);
    return siblings;
  }

  private int first(int level, long index) {
    int group = Arrays.binarySearch(parents[level], index / arities[level]);
    if (group < 0) {
      throw new IllegalArgumentException("node " + index + " of level " + level + " is not held");
    }
    return group * arities[level] * BYTES;
  }
}
