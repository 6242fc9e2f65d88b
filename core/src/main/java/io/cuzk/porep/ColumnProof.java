package io.cuzk.porep;

import java.util.Objects;

/** A column and the proof that its hash is a leaf of the tree of columns. Immutable. */
public record ColumnProof(Column column, InclusionProof inclusion) {
  /** Checks presence. */
  public ColumnProof {
    Objects.requireNonNull(column, "column");
    Objects.requireNonNull(inclusion, "inclusion");
  }
}
