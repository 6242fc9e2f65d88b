package io.cuzk.porep;

import io.cuzk.field.Fr;
import io.cuzk.hash.MerkleTree;
import io.cuzk.hash.NodeHash;
import io.cuzk.hash.Poseidon;
import io.cuzk.parallel.Workers;
import java.util.Arrays;

/**
 * Seals a sector in memory: the phases PC1 (labels), PC2 (trees) and, by the result's {@link
 * SealedSector#commit1}, C1 (vanilla proofs), as rust-fil-proofs does.
 */
public final class Sealer {
  private final Workers workers;
  private final SealProgress progress;

  /** A sealer on those threads. */
  public Sealer(Workers workers, SealProgress progress) {
    this.workers = workers;
    this.progress = progress;
  }

  /** Runs PC1 and PC2. The sector's replica, labels and trees are held in memory. */
  public SealedSector seal(SealRequest request) {
    SectorShape shape = request.shape();
    // PC1
    byte[] data = Fr32.pad(request.data(), Math.toIntExact(shape.sectorBytes()));
    int[] binary = new int[shape.nodesLog()];
    Arrays.fill(binary, 2);
    MerkleTree treeD = MerkleTree.build(data, binary, NodeHash::sha256, workers);
    progress.advanced("tree D", 1, 1);
    byte[] porepId = request.proof().porepId();
    byte[] replicaId =
        ReplicaId.of(request.miner(), request.sector(), request.ticket(), treeD.root(), porepId);
    StackedGraph graph = StackedGraph.of(shape.nodes(), porepId, request.proof().api());
    byte[][] labels = Labels.generate(graph, replicaId, shape, workers, progress);
    // PC2
    int[] arities = new int[shape.poseidonLevels()];
    for (int level = 0; level < arities.length; level++) {
      arities[level] = shape.poseidonArity(level);
    }
    MerkleTree treeC = MerkleTree.build(columnHashes(labels), arities, NodeHash::poseidon, workers);
    progress.advanced("tree C", 1, 1);
    byte[] replica = encode(labels[labels.length - 1], data);
    MerkleTree treeR = MerkleTree.build(replica, arities, NodeHash::poseidon, workers);
    progress.advanced("tree R", 1, 1);
    return new SealedSector(request, graph, replicaId, labels, treeD, treeC, treeR);
  }

  private byte[] columnHashes(byte[][] labels) {
    int layers = labels.length;
    byte[] leaves = new byte[labels[0].length];
    workers.forRanges(
        leaves.length / Nodes.BYTES,
        64,
        (from, to) -> {
          Poseidon poseidon = Poseidon.ofArity(layers);
          byte[] column = new byte[layers * Nodes.BYTES];
          for (int node = (int) from; node < to; node++) {
            for (int layer = 0; layer < layers; layer++) {
              System.arraycopy(
                  labels[layer], node * Nodes.BYTES, column, layer * Nodes.BYTES, Nodes.BYTES);
            }
            poseidon.hash(leaves, node * Nodes.BYTES, column, 0);
          }
        });
    return leaves;
  }

  /** replica = key + data, node by node in Fr. */
  private byte[] encode(byte[] key, byte[] data) {
    byte[] replica = new byte[data.length];
    workers.forRanges(
        data.length / Nodes.BYTES,
        1024,
        (from, to) -> {
          long[] x = new long[Fr.WORDS];
          long[] y = new long[Fr.WORDS];
          for (int node = (int) from; node < to; node++) {
            int at = node * Nodes.BYTES;
            if (!Fr.fromBytes(x, 0, key, at) || !Fr.fromBytes(y, 0, data, at)) {
              throw new IllegalStateException("node " + node + " is not below r");
            }
            Fr.add(x, 0, x, 0, y, 0);
            Fr.toBytes(replica, at, x, 0);
          }
        });
    return replica;
  }
}
