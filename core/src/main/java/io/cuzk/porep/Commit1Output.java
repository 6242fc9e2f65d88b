package io.cuzk.porep;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * What the first commit phase leaves for the second: the vanilla proofs of a sector by partition,
 * and the values they are bound to (filecoin-proofs-api's {@code SealCommitPhase1Output}).
 *
 * <p>{@code shape} is that of {@code proof} unless an experiment overrides it. All arrays have 32
 * bytes; they are not copied and must not be modified. Immutable under that rule; equality is by
 * content. Nothing here says that the proofs hold: see {@link VanillaCheck}.
 *
 * @throws IllegalArgumentException if counts or sizes are not those of the shape
 */
public record Commit1Output(
    RegisteredProof proof,
    SectorShape shape,
    List<List<ChallengeProof>> partitions,
    byte[] commR,
    byte[] commD,
    byte[] replicaId,
    byte[] seed,
    byte[] ticket) {

  /** Checks sizes and copies the lists. */
  public Commit1Output {
    Objects.requireNonNull(proof, "proof");
    List<List<ChallengeProof>> copy = new ArrayList<>();
    for (List<ChallengeProof> partition : partitions) {
      copy.add(List.copyOf(partition));
      if (partition.size() != shape.challengesPerPartition()) {
        throw new IllegalArgumentException(
            "partition "
                + (copy.size() - 1)
                + " has "
                + partition.size()
                + " challenges, not "
                + shape.challengesPerPartition());
      }
    }
    partitions = List.copyOf(copy);
    if (partitions.size() != shape.partitions()) {
      throw new IllegalArgumentException(
          partitions.size() + " partitions, not " + shape.partitions());
    }
    for (List<ChallengeProof> partition : partitions) {
      for (ChallengeProof challenge : partition) {
        if (challenge.labeling().size() != shape.layers()
            || challenge.commD().path().size() != shape.nodesLog()
            || challenge.commRLast().path().size() != shape.poseidonLevels()) {
          throw new IllegalArgumentException("a challenge's proof is not one of " + shape);
        }
      }
    }
    Nodes.exactly("commR", commR, 1);
    Nodes.exactly("commD", commD, 1);
    Nodes.exactly("replicaId", replicaId, 1);
    Nodes.exactly("seed", seed, 1);
    Nodes.exactly("ticket", ticket, 1);
  }

  /** An output of the registered shape. */
  public Commit1Output(
      RegisteredProof proof,
      List<List<ChallengeProof>> partitions,
      byte[] commR,
      byte[] commD,
      byte[] replicaId,
      byte[] seed,
      byte[] ticket) {
    this(proof, proof.shape(), partitions, commR, commD, replicaId, seed, ticket);
  }

  /** The root of the tree of columns, as the first challenge states it. */
  public byte[] commC() {
    return partitions.getFirst().getFirst().cX().inclusion().root();
  }

  /** The root of the replica's tree, as the first challenge states it. */
  public byte[] commRLast() {
    return partitions.getFirst().getFirst().commRLast().root();
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Commit1Output c
        && proof.equals(c.proof)
        && shape.equals(c.shape)
        && partitions.equals(c.partitions)
        && Arrays.equals(commR, c.commR)
        && Arrays.equals(commD, c.commD)
        && Arrays.equals(replicaId, c.replicaId)
        && Arrays.equals(seed, c.seed)
        && Arrays.equals(ticket, c.ticket);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(replicaId) + Arrays.hashCode(seed);
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return "Commit1Output["
        + proof
        + ", commR="
        + hex.formatHex(commR)
        + ", replicaId="
        + hex.formatHex(replicaId)
        + "]";
  }
}
