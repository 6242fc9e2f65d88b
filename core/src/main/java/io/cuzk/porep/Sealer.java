package io.cuzk.porep;

import io.cuzk.field.Fr;
import io.cuzk.hash.MerkleTree;
import io.cuzk.hash.NodeHash;
import io.cuzk.hash.Poseidon;
import io.cuzk.parallel.Workers;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Seals a sector in memory: the phases PC1 (labels), PC2 (trees) and, by the result's {@link
 * SealedSector#commit1}, C1 (vanilla proofs), as rust-fil-proofs does. Thread-safe if its progress
 * is; it keeps the workers busy.
 */
public final class Sealer {
  /** Nodes after which a piece of work tells of them. */
  private static final int REPORT = 1 << 12;

  private final Workers workers;
  private final SealProgress progress;

  /** A sealer on those threads. */
  public Sealer(Workers workers, SealProgress progress) {
    this.workers = workers;
    this.progress = progress;
  }

  /** Adds up what the threads of a stage report. */
  private final class Stage implements IntConsumer {
    private final String name;
    private final long total;
    private long done;

    Stage(String name, long total) {
      this.name = name;
      this.total = total;
    }

    @Override
    public synchronized void accept(int more) {
      done += more;
      progress.advanced(name, done, total);
    }
  }

  /** Runs PC1 and PC2. The sector's replica, labels and trees are held in memory. */
  public SealedSector seal(SealRequest request) {
    return seal(request, ReplicaId.proverId(request.miner()));
  }

  /** Seals for a prover id that need not be a miner's. */
  SealedSector seal(SealRequest request, byte[] proverId) {
    SectorShape shape = request.shape();
    // PC1
    byte[] data = Fr32.pad(request.data(), Math.toIntExact(shape.sectorBytes()));
    int[] binary = new int[shape.nodesLog()];
    Arrays.fill(binary, 2);
    MerkleTree treeD =
        MerkleTree.build(
            data,
            binary,
            NodeHash::sha256,
            workers,
            new Stage("tree D", MerkleTree.innerNodes(shape.nodes(), binary)));
    byte[] porepId = request.proof().porepId();
    byte[] replicaId =
        ReplicaId.of(proverId, request.sector(), request.ticket(), treeD.root(), porepId);
    StackedGraph graph = StackedGraph.of(shape.nodes(), porepId, request.proof().api());
    byte[][] labels = Labels.generate(graph, replicaId, shape, workers, progress);
    // PC2
    int[] arities = arities(shape);
    long inner = MerkleTree.innerNodes(shape.nodes(), arities);
    Stage c = new Stage("tree C", shape.nodes() + inner);
    MerkleTree treeC =
        MerkleTree.build(columnHashes(labels, workers, c), arities, NodeHash::poseidon, workers, c);
    byte[] replica = encode(labels[labels.length - 1], data);
    MerkleTree treeR =
        MerkleTree.build(replica, arities, NodeHash::poseidon, workers, new Stage("tree R", inner));
    return new SealedSector(request, graph, replicaId, labels, treeD, treeC, treeR);
  }

  /** The arities of the Poseidon trees, that above the leaves first. */
  static int[] arities(SectorShape shape) {
    int[] arities = new int[shape.poseidonLevels()];
    Arrays.setAll(arities, shape::poseidonArity);
    return arities;
  }

  /** The leaves of tree C: Poseidon over each node's labels, layer 1 first. */
  static byte[] columnHashes(byte[][] labels, Workers workers, IntConsumer hashed) {
    int layers = labels.length;
    byte[] leaves = new byte[labels[0].length];
    workers.forRanges(
        leaves.length / Nodes.BYTES,
        64,
        (from, to) -> {
          Poseidon poseidon = Poseidon.ofArity(layers);
          byte[] column = new byte[layers * Nodes.BYTES];
          for (int node = (int) from; node < to; ) {
            int start = node;
            int end = (int) Math.min(to, start + REPORT);
            for (; node < end; node++) {
              int at = node * Nodes.BYTES;
              for (int layer = 0; layer < layers; layer++) {
                System.arraycopy(labels[layer], at, column, layer * Nodes.BYTES, Nodes.BYTES);
              }
              poseidon.hash(leaves, at, column, 0);
            }
            hashed.accept(end - start);
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
