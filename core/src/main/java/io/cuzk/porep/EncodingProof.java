package io.cuzk.porep;

import java.util.Arrays;

/**
 * The parents from which the encoding key of a node was made: its label in the last layer.
 *
 * <p>{@code layer} is the number of layers; {@code parents} holds the {@value #PARENTS} labels that
 * are hashed, 32 bytes each, in order (parents repeat to fill the {@value #PARENTS} places). The
 * array is not copied and must not be modified. Immutable under that rule; equality is by content.
 *
 * @throws IllegalArgumentException if node or layer is out of range or there are not exactly
 *     {@value #PARENTS} parents
 */
public record EncodingProof(long node, int layer, byte[] parents) {
  /** Labels hashed for one label. */
  public static final int PARENTS = 37;

  /** Checks sizes. */
  public EncodingProof {
    if (node < 0) {
      throw new IllegalArgumentException("node is " + node);
    }
    if (layer < 1 || layer > Column.MAX_LAYERS) {
      throw new IllegalArgumentException("layer is " + layer);
    }
    Nodes.exactly("parents", parents, PARENTS);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof EncodingProof p
        && node == p.node
        && layer == p.layer
        && Arrays.equals(parents, p.parents);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(parents) + layer) + Long.hashCode(node);
  }

  @Override
  public String toString() {
    return "EncodingProof[node=" + node + ", layer=" + layer + "]";
  }
}
