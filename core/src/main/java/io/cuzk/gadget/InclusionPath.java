package io.cuzk.gadget;

import io.cuzk.r1cs.ConstraintSystem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A Merkle path from a leaf to the root of a base tree, a sub tree above it and a top tree above
 * that, row for row storage-proofs' {@code PoRCircuit} with a private root: the leaf's index
 * becomes an input, the root is compared with a number of the circuit. Siblings are Montgomery
 * words of {@link io.cuzk.field.Fr}. Immutable unless the arrays are changed.
 */
public final class InclusionPath {
  /** How a node is made of its children. */
  @FunctionalInterface
  public interface NodeHash {
    /** The number of the node above the children. */
    AllocatedNum hash(ConstraintSystem cs, AllocatedNum[] children);
  }

  private final int baseLevels;
  private final int baseArity;
  private final int subArity;
  private final int topArity;
  private final long[] siblings;
  private final int[] indices;

  /**
   * A path with its witness.
   *
   * @param subArity arity of the one level of the sub tree, 0 if there is none
   * @param topArity arity of the one level of the top tree, 0 if there is none
   * @param siblings arity − 1 elements for each level, from the leaf upwards
   * @param indices the position among the children at each level
   * @throws IllegalArgumentException if the lengths do not agree
   */
  public InclusionPath(
      int baseLevels, int baseArity, int subArity, int topArity, long[] siblings, int[] indices) {
    this.baseLevels = baseLevels;
    this.baseArity = baseArity;
    this.subArity = subArity;
    this.topArity = topArity;
    this.siblings = siblings;
    this.indices = indices;
    int levels = baseLevels + Math.min(subArity, 1) + Math.min(topArity, 1);
    int hashes =
        baseLevels * (baseArity - 1) + Math.max(0, subArity - 1) + Math.max(0, topArity - 1);
    if (indices != null && (indices.length != levels || siblings.length != 4 * hashes)) {
      throw new IllegalArgumentException(
          indices.length
              + " levels, "
              + siblings.length / 4
              + " siblings, not "
              + levels
              + ", "
              + hashes);
    }
  }

  /** A path without a witness. */
  public static InclusionPath blank(int baseLevels, int baseArity, int subArity, int topArity) {
    return new InclusionPath(baseLevels, baseArity, subArity, topArity, null, null);
  }

  /** Enforces that the path leads from the leaf to the root; its index becomes an input. */
  public void enforce(ConstraintSystem cs, NodeHash hash, AllocatedNum leaf, AllocatedNum root) {
    List<Bool> indexBits = new ArrayList<>();
    cs.enter("value");
    cs.leave();
    cs.enter("base");
    AllocatedNum node = ascend(cs, hash, leaf, 0, baseLevels, baseArity, 0, indexBits);
    cs.leave();
    int level = baseLevels;
    int sibling = baseLevels * (baseArity - 1);
    cs.enter("sub");
    if (subArity > 0) {
      node = ascend(cs, hash, node, level, 1, subArity, sibling, indexBits);
      level++;
      sibling += subArity - 1;
    }
    cs.leave();
    cs.enter("top");
    if (topArity > 0) {
      node = ascend(cs, hash, node, level, 1, topArity, sibling, indexBits);
    }
    cs.leave();
    cs.enter("path");
    Multipack.packIntoInput(cs, indexBits.toArray(Bool[]::new), indexBits.size());
    cs.leave();
    cs.enter("root_value");
    cs.leave();
    node.enforceEqual(cs, root);
  }

  private AllocatedNum ascend(
      ConstraintSystem cs,
      NodeHash hash,
      AllocatedNum leaf,
      int fromLevel,
      int levels,
      int arity,
      int fromSibling,
      List<Bool> indexBits) {
    AllocatedNum node = leaf;
    Bool[] bits = new Bool[Integer.numberOfTrailingZeros(arity)];
    AllocatedNum[] others = new AllocatedNum[arity - 1];
    for (int level = 0; level < levels; level++) {
      cs.enter("merkle tree hash", level);
      int index = indices == null ? 0 : indices[fromLevel + level];
      for (int i = 0; i < bits.length; i++) {
        cs.enter("index bit", i);
        bits[i] = Bool.alloc(cs, (index >>> i & 1) != 0);
        cs.leave();
      }
      indexBits.addAll(Arrays.asList(bits));
      for (int i = 0; i < others.length; i++) {
        cs.enter("path element", i);
        int at = 4 * (fromSibling + level * (arity - 1) + i);
        others[i] = AllocatedNum.alloc(cs, siblings, siblings == null ? 0 : at);
        cs.leave();
      }
      AllocatedNum[] children = Insertion.insert(cs, node, bits, others);
      cs.enter("computation of commitment hash");
      node = hash.hash(cs, children);
      cs.leave();
      cs.leave();
    }
    return node;
  }
}
