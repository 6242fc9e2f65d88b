package io.cuzk.porep;

import io.cuzk.InvalidInputException;
import io.cuzk.field.Fr;

/**
 * The public inputs of a partition's proof, which a verifier derives from what is on chain and
 * never takes from the prover.
 *
 * <p>In order: replica_id, comm_d, comm_r, and for each challenge the leaf numbers of its inclusion
 * proofs: challenge (comm_d), 6 + 8 parents (comm_c), then three times the challenge (itself,
 * comm_r_last, comm_c). Four Montgomery words each; ONE, the constant input, is left out.
 * Stateless.
 */
public final class PublicInputs {
  /** Inputs before the challenges'. */
  private static final int SHARED = 3;

  /** Inputs of one challenge. */
  private static final int PER_CHALLENGE = 4 + StackedGraph.DEGREE;

  private PublicInputs() {}

  /** The inputs of a partition of that shape, ONE not counted. */
  public static int count(SectorShape shape) {
    return SHARED + PER_CHALLENGE * shape.challengesPerPartition();
  }

  /**
   * The inputs of a partition.
   *
   * @throws InvalidInputException if a commitment or the replica id is not below r
   */
  public static long[] of(PartitionInput input) {
    return of(
        input.proof(),
        input.shape(),
        input.replicaId(),
        input.commD(),
        input.commR(),
        input.seed(),
        input.partition());
  }

  /**
   * The inputs of a partition from the chain's values, 32 bytes each.
   *
   * @throws InvalidInputException if a commitment or the replica id is not below r
   */
  public static long[] of(
      RegisteredProof proof,
      SectorShape shape,
      byte[] replicaId,
      byte[] commD,
      byte[] commR,
      byte[] seed,
      int partition) {
    return of(
        StackedGraph.of(shape.nodes(), proof.porepId(), proof.api()),
        replicaId,
        commD,
        commR,
        Challenges.of(proof, shape, replicaId, commR, seed, partition));
  }

  /** The inputs for given challenges. */
  static long[] of(
      StackedGraph graph, byte[] replicaId, byte[] commD, byte[] commR, long[] challenges) {
    long[] out = new long[(SHARED + PER_CHALLENGE * challenges.length) * Fr.WORDS];
    StackedCircuit.number(out, 0, replicaId, 0, "replica_id");
    StackedCircuit.number(out, Fr.WORDS, commD, 0, "comm_d");
    StackedCircuit.number(out, 2 * Fr.WORDS, commR, 0, "comm_r");
    StackedGraph.Walker walker = graph.walker();
    int[] parents = new int[StackedGraph.DEGREE];
    int at = SHARED * Fr.WORDS;
    for (long challenge : challenges) {
      walker.parents(challenge, parents, 0);
      at = append(out, at, challenge);
      for (int parent : parents) {
        at = append(out, at, parent);
      }
      for (int i = 0; i < 3; i++) {
        at = append(out, at, challenge);
      }
    }
    return out;
  }

  private static int append(long[] out, int at, long value) {
    Fr.setLong(out, at, value);
    return at + Fr.WORDS;
  }
}
