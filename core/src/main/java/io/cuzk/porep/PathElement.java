package io.cuzk.porep;

import java.util.Arrays;

/**
 * One step of a Merkle path, from a node to its parent.
 *
 * <p>{@code hashes} holds the arity − 1 siblings, 32 bytes each, in their order; {@code index} is
 * the position that the node itself takes among the arity children, 0 … arity − 1. The array is not
 * copied and must not be modified. Immutable under that rule; equality is by content.
 *
 * @throws IllegalArgumentException if the siblings are not 1 to 7 nodes or the index is out of
 *     range
 */
public record PathElement(byte[] hashes, int index) {
  /** Checks sizes. */
  public PathElement {
    Nodes.between("hashes", hashes, 1, 7);
    if (index < 0 || index > hashes.length / Nodes.BYTES) {
      throw new IllegalArgumentException(
          "index is " + index + " of " + (hashes.length / Nodes.BYTES + 1) + " children");
    }
  }

  /** The number of children of a node at this step: 2, 4 or 8. */
  public int arity() {
    return hashes.length / Nodes.BYTES + 1;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof PathElement p && index == p.index && Arrays.equals(hashes, p.hashes);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(hashes) + index;
  }

  @Override
  public String toString() {
    return "PathElement[arity=" + arity() + ", index=" + index + "]";
  }
}
