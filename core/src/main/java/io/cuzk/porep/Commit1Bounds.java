package io.cuzk.porep;

import java.util.Optional;

/** What the sector shape says about the sizes inside a C1 file. */
final class Commit1Bounds {
  /** Bound before the shape is known: the largest shape's. */
  static final Commit1Bounds LARGEST = new Commit1Bounds(SectorShape.ALL.getLast());

  private final SectorShape shape;

  Commit1Bounds(SectorShape shape) {
    this.shape = shape;
  }

  static Commit1Bounds of(RegisteredProof proof, Optional<SectorShape> override) {
    return new Commit1Bounds(override.orElse(proof.shape()));
  }

  SectorShape shape() {
    return shape;
  }

  /** Nodes in one challenge's proof. */
  private long nodesPerChallenge() {
    long poseidon = 7L * shape.poseidonLevels() + 2;
    long columns = 1 + ChallengeProof.DRG_PARENTS + ChallengeProof.EXP_PARENTS;
    return shape.nodesLog()
        + 2
        + poseidon
        + columns * (shape.layers() + poseidon)
        + (long) LabelingProof.PARENTS * (shape.layers() + 1);
  }

  /**
   * The most bytes that a file is read for: sixteen times the compact JSON (a node takes up to 130
   * characters there), which leaves room for base64 and for any sane indentation.
   */
  long fileLimit() {
    long challenges = (long) shape.partitions() * shape.challengesPerPartition();
    return (1L << 20) + 16 * 130 * challenges * nodesPerChallenge();
  }

  String fileLimitReason() {
    return "the most that a C1 of " + shape.name() + " may take";
  }
}
