package io.cuzk.porep;

import java.util.List;
import java.util.Objects;

/**
 * The vanilla proof of one challenge (storage-proofs' {@code stacked::Proof}).
 *
 * <p>{@code commD} and {@code commRLast} prove the challenged node of the data and of the replica,
 * {@code cX} its column, {@code drgParents} and {@code expParents} the columns of its {@value
 * #DRG_PARENTS} and {@value #EXP_PARENTS} parents in graph order, {@code labeling} one proof a
 * layer, layer 1 first. Immutable; equality is by content.
 *
 * @throws IllegalArgumentException if a list has another size than the graph's degree or the layers
 *     of {@code cX}
 */
public record ChallengeProof(
    InclusionProof commD,
    InclusionProof commRLast,
    ColumnProof cX,
    List<ColumnProof> drgParents,
    List<ColumnProof> expParents,
    List<LabelingProof> labeling,
    EncodingProof encoding) {
  /** Parents in the depth-robust graph. */
  public static final int DRG_PARENTS = 6;

  /** Parents through the expander graph. */
  public static final int EXP_PARENTS = 8;

  /** Checks sizes and copies the lists. */
  public ChallengeProof {
    Objects.requireNonNull(commD, "commD");
    Objects.requireNonNull(commRLast, "commRLast");
    Objects.requireNonNull(cX, "cX");
    Objects.requireNonNull(encoding, "encoding");
    drgParents = List.copyOf(drgParents);
    expParents = List.copyOf(expParents);
    labeling = List.copyOf(labeling);
    size("drgParents", drgParents, DRG_PARENTS);
    size("expParents", expParents, EXP_PARENTS);
    size("labeling", labeling, cX.column().layers());
  }

  /** The challenged node, as the circuit reads it. */
  public long challenge() {
    return labeling.getFirst().node();
  }

  private static void size(String name, List<?> list, int expected) {
    if (list.size() != expected) {
      throw new IllegalArgumentException(
          name + " has " + list.size() + " elements, not " + expected);
    }
  }
}
