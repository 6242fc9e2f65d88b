package io.cuzk.porep;

import io.cuzk.hash.NodeHash;
import io.cuzk.parallel.Workers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.MessageDigest;

/**
 * The labels of a sector, layer by layer (the stacked DRG of PoRep, section "labelling").
 *
 * <p>label = SHA-256(replica_id ‖ layer u32 BE ‖ node u64 BE ‖ 20 zero bytes ‖ 37 parents) with the
 * two top bits cleared. The parents cycle through the 6 of the depth-robust graph, from the same
 * layer, and from the second layer on also through the 8 of the expander, from the layer before.
 * Node 0 has no parents. A layer is one array of nodes.
 */
final class Labels {
  /** Nodes whose parents are computed ahead, in parallel, before their labels are hashed. */
  private static final int BLOCK = 1 << 14;

  private static final int PREFIX = 64;
  private static final int LAYER_AT = 32;
  private static final int NODE_AT = 36;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Labels() {}

  /** All layers of a sector of at most 2^24 nodes; layer k is at index k − 1. */
  static byte[][] generate(
      StackedGraph graph, byte[] replicaId, SectorShape shape, Workers workers, SealProgress to) {
    int nodes = Math.toIntExact(shape.nodes());
    byte[][] layers = new byte[shape.layers()][];
    int[] parents = new int[Math.min(BLOCK, nodes) * StackedGraph.DEGREE];
    byte[] message = new byte[PREFIX + LabelingProof.PARENTS * Nodes.BYTES];
    MessageDigest digest = NodeHash.newSha256();
    for (int layer = 1; layer <= layers.length; layer++) {
      byte[] current = new byte[nodes * Nodes.BYTES];
      byte[] before = layer == 1 ? null : layers[layer - 2];
      layers[layer - 1] = current;
      for (int first = 0; first < nodes; first += BLOCK) {
        int start = first;
        int count = Math.min(BLOCK, nodes - first);
        workers.forRanges(
            count,
            256,
            (from, end) -> {
              StackedGraph.Walker walker = graph.walker();
              for (int i = (int) from; i < end; i++) {
                if (before == null) {
                  walker.drgParents(start + i, parents, i * StackedGraph.DEGREE);
                } else {
                  walker.parents(start + i, parents, i * StackedGraph.DEGREE);
                }
              }
            });
        for (int i = 0; i < count; i++) {
          int node = first + i;
          prefix(message, replicaId, layer, node);
          int length = PREFIX;
          if (node > 0) {
            gather(current, before, parents, i * StackedGraph.DEGREE, message, PREFIX);
            length = message.length;
          }
          digest.update(message, 0, length);
          NodeHash.finish(digest, current, node * Nodes.BYTES);
        }
        to.advanced(
            "labels of layer " + layer + " of " + layers.length, first + (long) count, nodes);
      }
    }
    return layers;
  }

  /**
   * Hashes one label, where a layer holds some nodes only.
   *
   * @param layers layer k at index k − 1, a slot for each node that is held
   * @param slot where the node's label goes
   * @param parents the slots of its parents, already filled
   */
  static void label(
      byte[][] layers, int layer, byte[] replicaId, long node, int slot, int[] parents) {
    byte[] message = new byte[PREFIX + LabelingProof.PARENTS * Nodes.BYTES];
    prefix(message, replicaId, layer, node);
    gather(layers[layer - 1], layer == 1 ? null : layers[layer - 2], parents, 0, message, PREFIX);
    MessageDigest digest = NodeHash.newSha256();
    digest.update(message);
    NodeHash.finish(digest, layers[layer - 1], slot * Nodes.BYTES);
  }

  /** The 37 labels that the label of {@code node} hashes. Fresh bytes. */
  static byte[] hashedParents(byte[][] layers, int layer, int[] parents) {
    byte[] out = new byte[LabelingProof.PARENTS * Nodes.BYTES];
    gather(layers[layer - 1], layer == 1 ? null : layers[layer - 2], parents, 0, out, 0);
    return out;
  }

  private static void prefix(byte[] message, byte[] replicaId, int layer, long node) {
    System.arraycopy(replicaId, 0, message, 0, Nodes.BYTES);
    INT.set(message, LAYER_AT, layer);
    LONG.set(message, NODE_AT, node);
  }

  private static void gather(
      byte[] current, byte[] before, int[] parents, int first, byte[] out, int at) {
    int cycle = before == null ? ChallengeProof.DRG_PARENTS : StackedGraph.DEGREE;
    for (int k = 0; k < LabelingProof.PARENTS; k++) {
      int which = k % cycle;
      byte[] from = which < ChallengeProof.DRG_PARENTS ? current : before;
      int parent = parents[first + which];
      System.arraycopy(from, parent * Nodes.BYTES, out, at + k * Nodes.BYTES, Nodes.BYTES);
    }
  }
}
