package io.cuzk.porep;

import java.util.List;
import java.util.Objects;

/**
 * The part of a {@link ChallengeProof} that the circuit reads: not the column of the challenge, the
 * labels' parents or the encoding. Immutable; equality is by content.
 *
 * @param challenge the challenged node
 * @throws IllegalArgumentException if a list of parents has another size than the graph's degree
 */
public record ChallengeInput(
    long challenge,
    InclusionProof commD,
    InclusionProof commRLast,
    InclusionProof commC,
    List<ColumnProof> drgParents,
    List<ColumnProof> expParents) {
  /** Checks sizes and copies the lists. */
  public ChallengeInput {
    Objects.requireNonNull(commD, "commD");
    Objects.requireNonNull(commRLast, "commRLast");
    Objects.requireNonNull(commC, "commC");
    drgParents = List.copyOf(drgParents);
    expParents = List.copyOf(expParents);
    if (drgParents.size() != ChallengeProof.DRG_PARENTS
        || expParents.size() != ChallengeProof.EXP_PARENTS) {
      throw new IllegalArgumentException(
          drgParents.size() + " and " + expParents.size() + " parents, not 6 and 8");
    }
  }

  /** What the circuit reads of a vanilla proof. */
  public static ChallengeInput of(ChallengeProof proof) {
    return new ChallengeInput(
        proof.challenge(),
        proof.commD(),
        proof.commRLast(),
        proof.cX().inclusion(),
        proof.drgParents(),
        proof.expParents());
  }
}
