package io.cuzk.porep;

import java.util.Arrays;

/**
 * The labels of one node over all layers.
 *
 * <p>{@code rows} holds the labels, 32 bytes each, layer 1 first. The array is not copied and must
 * not be modified. Immutable under that rule; equality is by content.
 *
 * @throws IllegalArgumentException if the index is negative or the rows are not 1 to {@value
 *     #MAX_LAYERS} nodes
 */
public record Column(int index, byte[] rows) {
  /** Layers of the largest shapes. */
  public static final int MAX_LAYERS = 11;

  /** Checks sizes. */
  public Column {
    if (index < 0) {
      throw new IllegalArgumentException("column index is " + index);
    }
    Nodes.between("rows", rows, 1, MAX_LAYERS);
  }

  /** The number of rows. */
  public int layers() {
    return rows.length / Nodes.BYTES;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Column c && index == c.index && Arrays.equals(rows, c.rows);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(rows) + index;
  }

  @Override
  public String toString() {
    return "Column[index=" + index + ", layers=" + layers() + "]";
  }
}
