package io.cuzk.porep;

import io.cuzk.InvalidInputException;
import io.cuzk.field.Fr;
import io.cuzk.gadget.AllocatedNum;
import io.cuzk.gadget.BitOrder;
import io.cuzk.gadget.Bool;
import io.cuzk.gadget.PoseidonGadget;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.ConstraintSystem;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The circuit of one partition of a stacked proof of replication, row for row that of
 * rust-fil-proofs ({@code stacked::circuit}): inputs replica_id, comm_d, comm_r and 18 for each
 * challenge. Immutable; may be synthesised many times and in parallel.
 */
public final class StackedCircuit implements Circuit {
  private final SectorShape shape;
  private final Commitments commitments;
  private final List<ChallengeCircuit> challenges;

  /** Montgomery words of the numbers that all challenges share. */
  private record Commitments(
      long[] replicaId, long[] commD, long[] commR, long[] commC, long[] commRLast) {
    static final Commitments BLANK = new Commitments(null, null, null, null, null);
  }

  private StackedCircuit(
      SectorShape shape, Commitments commitments, List<ChallengeCircuit> challenges) {
    this.shape = shape;
    this.commitments = commitments;
    this.challenges = challenges;
  }

  /** The circuit without a witness. */
  public static StackedCircuit blank(SectorShape shape) {
    ChallengeCircuit challenge = ChallengeCircuit.blank(shape);
    return new StackedCircuit(
        shape, Commitments.BLANK, Collections.nCopies(shape.challengesPerPartition(), challenge));
  }

  /**
   * The circuit with the witness of a partition. That the witness satisfies it is not checked here.
   *
   * @throws InvalidInputException naming the challenge and the field if a number is not below the
   *     field's modulus, a path has another shape than the sector's trees, or the challenges
   *     disagree about comm_c or comm_r_last
   */
  public static StackedCircuit of(PartitionInput input) {
    String where = "partition " + input.partition();
    Commitments commitments =
        new Commitments(
            number(input.replicaId(), where + ", replica_id"),
            number(input.commD(), where + ", comm_d"),
            number(input.commR(), where + ", comm_r"),
            number(input.commC(), where + ", comm_c"),
            number(input.commRLast(), where + ", comm_r_last"));
    ChallengeCircuit[] challenges = new ChallengeCircuit[input.challenges().size()];
    for (int i = 0; i < challenges.length; i++) {
      ChallengeInput challenge = input.challenges().get(i);
      String at = where + ", challenge " + i;
      sameRoot(input.commC(), challenge.commC(), at + ", c_x");
      sameRoot(input.commRLast(), challenge.commRLast(), at + ", comm_r_last_proof");
      challenges[i] = ChallengeCircuit.of(input.shape(), challenge, at);
    }
    return new StackedCircuit(input.shape(), commitments, List.of(challenges));
  }

  private static void sameRoot(byte[] expected, InclusionProof proof, String where) {
    if (!Arrays.equals(expected, proof.root())) {
      throw new InvalidInputException(
          where + ": root differs from the first challenge's; the proofs are of different sectors");
    }
  }

  /** Montgomery words of a little-endian number. */
  static long[] number(byte[] bytes, String where) {
    long[] words = new long[Fr.WORDS];
    number(words, 0, bytes, 0, where);
    return words;
  }

  static void number(long[] out, int at, byte[] bytes, int from, String where) {
    if (!Fr.fromBytes(out, at, bytes, from)) {
      throw new InvalidInputException(where + " is not below the modulus of the scalar field");
    }
  }

  /** The sector's shape. */
  public SectorShape shape() {
    return shape;
  }

  @Override
  public void synthesize(ConstraintSystem cs) {
    AllocatedNum replicaId = alloc(cs, "replica_id", commitments.replicaId());
    inputize(cs, "replica_id_input", replicaId);
    cs.enter("replica_id_bits");
    Bool[] replicaIdBits = BitOrder.reverseInBytes(replicaId.toBits(cs));
    cs.leave();
    AllocatedNum commD = alloc(cs, "comm_d", commitments.commD());
    inputize(cs, "comm_d_input", commD);
    AllocatedNum commR = alloc(cs, "comm_r", commitments.commR());
    inputize(cs, "comm_r_input", commR);
    AllocatedNum commRLast = alloc(cs, "comm_r_last", commitments.commRLast());
    AllocatedNum commC = alloc(cs, "comm_c", commitments.commC());
    cs.enter("H_comm_c_comm_r_last");
    AllocatedNum hash = PoseidonGadget.hash(cs, commC, commRLast);
    cs.leave();
    commR.enforceEqual(cs, hash);
    for (int i = 0; i < challenges.size(); i++) {
      cs.enter("challenge_#", i);
      challenges.get(i).synthesize(cs, replicaIdBits, commD, commC, commRLast);
      cs.leave();
    }
  }

  private static AllocatedNum alloc(ConstraintSystem cs, String name, long[] value) {
    cs.enter(name);
    AllocatedNum num = AllocatedNum.alloc(cs, value, 0);
    cs.leave();
    return num;
  }

  private static void inputize(ConstraintSystem cs, String name, AllocatedNum num) {
    cs.enter(name);
    num.inputize(cs);
    cs.leave();
  }
}
