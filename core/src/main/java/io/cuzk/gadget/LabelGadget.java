package io.cuzk.gadget;

import io.cuzk.r1cs.ConstraintSystem;
import java.util.Arrays;

/**
 * A node's label: SHA-256(replica_id ‖ layer u32 BE ‖ node u64 BE ‖ 20 zero bytes ‖ 37 parents), of
 * which 254 bits are packed into a number; row for row storage-proofs' {@code create_label}.
 */
public final class LabelGadget {
  /** Parents that are hashed; the graph's parents repeat to fill them. */
  public static final int PARENTS = 37;

  private LabelGadget() {}

  /**
   * The label.
   *
   * @param replicaId 256 bits in SHA-256's order
   * @param parents the distinct parents' labels in order, 256 bits each in SHA-256's order
   */
  public static AllocatedNum label(
      ConstraintSystem cs, Bool[] replicaId, int layer, UInt64 node, Bool[][] parents) {
    Bool[] input = new Bool[(2 + PARENTS) * 256];
    System.arraycopy(replicaId, 0, input, 0, 256);
    Arrays.fill(input, 256, 512, Bool.FALSE);
    UInt32.constant(layer).bitsBigEndian(input, 256);
    node.bitsBigEndian(input, 288);
    for (int i = 0; i < PARENTS; i++) {
      System.arraycopy(parents[i % parents.length], 0, input, 512 + 256 * i, 256);
    }
    cs.enter("hash");
    Bool[] hash = Sha256Gadget.hash(cs, input);
    cs.leave();
    cs.enter("result_num");
    AllocatedNum label = Multipack.pack(cs, BitOrder.reverseInBytes(hash), Multipack.CAPACITY);
    cs.leave();
    return label;
  }
}
