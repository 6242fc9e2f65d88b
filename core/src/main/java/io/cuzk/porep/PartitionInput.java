package io.cuzk.porep;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * One partition of a sector: what one task proves.
 *
 * <p>It holds the private inputs of the circuit and what its public inputs are derived from. Arrays
 * have 32 bytes; they are not copied and must not be modified. Immutable under that rule; equality
 * is by content.
 *
 * @param partition the partition's number, from 0
 * @param commC the root of the tree of columns
 * @param commRLast the root of the replica's tree
 * @throws IllegalArgumentException if counts or sizes are not those of the shape
 */
public record PartitionInput(
    RegisteredProof proof,
    SectorShape shape,
    int partition,
    byte[] replicaId,
    byte[] commD,
    byte[] commR,
    byte[] commC,
    byte[] commRLast,
    byte[] seed,
    List<ChallengeInput> challenges) {
  /** Checks sizes and copies the list. */
  public PartitionInput {
    Objects.requireNonNull(proof, "proof");
    challenges = List.copyOf(challenges);
    if (partition < 0 || partition >= shape.partitions()) {
      throw new IllegalArgumentException("partition " + partition + " of " + shape.partitions());
    }
    if (challenges.size() != shape.challengesPerPartition()) {
      throw new IllegalArgumentException(
          challenges.size() + " challenges, not " + shape.challengesPerPartition());
    }
    Nodes.exactly("replicaId", replicaId, 1);
    Nodes.exactly("commD", commD, 1);
    Nodes.exactly("commR", commR, 1);
    Nodes.exactly("commC", commC, 1);
    Nodes.exactly("commRLast", commRLast, 1);
    Nodes.exactly("seed", seed, 1);
  }

  /** The input of one partition of a sector. */
  public static PartitionInput of(Commit1Output c1, int partition) {
    return new PartitionInput(
        c1.proof(),
        c1.shape(),
        partition,
        c1.replicaId(),
        c1.commD(),
        c1.commR(),
        c1.commC(),
        c1.commRLast(),
        c1.seed(),
        c1.partitions().get(partition).stream().map(ChallengeInput::of).toList());
  }

  /** The form in which a partition travels: about 45 kB a challenge at 32 GiB. Fresh bytes. */
  public byte[] toBytes() {
    return PartitionBytes.write(this);
  }

  /**
   * The partition that {@link #toBytes} wrote.
   *
   * @throws io.cuzk.InvalidInputException if the bytes are not such a form
   */
  public static PartitionInput fromBytes(byte[] bytes) {
    return PartitionBytes.read(bytes);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof PartitionInput p
        && proof.equals(p.proof)
        && shape.equals(p.shape)
        && partition == p.partition
        && Arrays.equals(replicaId, p.replicaId)
        && Arrays.equals(commD, p.commD)
        && Arrays.equals(commR, p.commR)
        && Arrays.equals(commC, p.commC)
        && Arrays.equals(commRLast, p.commRLast)
        && Arrays.equals(seed, p.seed)
        && challenges.equals(p.challenges);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(replicaId) + Arrays.hashCode(seed)) + partition;
  }

  @Override
  public String toString() {
    return "PartitionInput[" + proof + ", partition=" + partition + "]";
  }
}
