package io.cuzk.porep;

import io.cuzk.InvalidInputException;
import io.cuzk.field.Fr;
import io.cuzk.hash.NodeHash;
import io.cuzk.hash.Poseidon;
import io.cuzk.hash.SparseMerkleTree;
import io.cuzk.parallel.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/**
 * Makes a C1 output of any size without sealing: valid in every check and in the circuit, in
 * seconds, for benchmarks of what comes after.
 *
 * <p>A committed-capacity sector holds zeros, so comm_d is known and with it replica_id. The
 * challenges of interactive proofs are drawn from replica_id and the seed only, and who chooses the
 * seed knows them before there are any labels. So only the challenged nodes and their parents get
 * columns: random ones at the parents, and at the challenges the labels that follow from these,
 * layer by layer in the order of the nodes, since a challenge may be another's parent. Trees are
 * hashed along the paths from these nodes, with random nodes beside them. A chain draws its seed
 * after comm_r, which is what makes this worthless as a proof of storage.
 *
 * <p>About 20 MB at 32 GiB. Thread-safe; it keeps the workers busy.
 */
public final class SparseSealer {
  private final Workers workers;

  /** A sealer on those threads. */
  public SparseSealer(Workers workers) {
    this.workers = workers;
  }

  /**
   * What is claimed to be sealed.
   *
   * @param shape that of {@code proof}, unless an experiment overrides it
   * @param miner the id behind the address t0{@code miner}; not negative
   * @param sector the sector's number; not negative
   * @param ticket 32 bytes of chain randomness
   * @param seed 32 bytes, the chosen PoRep seed
   * @throws InvalidInputException if the proof's challenges are not interactive, or a number is
   *     negative
   */
  public record Request(
      RegisteredProof proof,
      SectorShape shape,
      long miner,
      long sector,
      byte[] ticket,
      byte[] seed) {
    /** Checks kind and sizes. */
    public Request {
      Objects.requireNonNull(shape, "shape");
      Nodes.exactly("ticket", ticket, 1);
      Nodes.exactly("seed", seed, 1);
      if (miner < 0 || sector < 0) {
        throw new InvalidInputException(
            "miner " + miner + ", sector " + sector + ": numbers must not be negative");
      }
      requireInteractive(proof);
    }
  }

  /**
   * Refuses proof types whose challenges cannot be known before the trees.
   *
   * @throws InvalidInputException with the reason
   */
  public static void requireInteractive(RegisteredProof proof) {
    if (proof.feature() != RegisteredProof.Feature.NONE) {
      throw new InvalidInputException(
          proof
              + " can't be sealed sparsely: the challenges of synthetic and non-interactive proofs"
              + " are drawn from comm_r, the root over the very columns that would have to answer"
              + " them, so no seed can be chosen beforehand. Use the interactive proof of the size:"
              + " "
              + RegisteredProof.of(proof.shape(), ApiVersion.V1_1, RegisteredProof.Feature.NONE));
    }
  }

  /**
   * The C1 output of a sector that was never sealed.
   *
   * @param random where the parents' columns and the nodes beside the paths come from
   */
  public Commit1Output commit1(Request request, RandomGenerator random) {
    SectorShape shape = request.shape();
    byte[][] zeros = zeroTree(shape.nodesLog());
    byte[] commD = zeros[shape.nodesLog()];
    byte[] porepId = request.proof().porepId();
    byte[] replicaId =
        ReplicaId.of(request.miner(), request.sector(), request.ticket(), commD, porepId);
    StackedGraph graph = StackedGraph.of(shape.nodes(), porepId, request.proof().api());
    long[][] challenges = challenges(request, replicaId);
    long[] challenged = Arrays.stream(challenges).flatMapToLong(Arrays::stream).toArray();
    challenged = LongStream.of(challenged).sorted().distinct().toArray();
    int[][] parents = new int[challenged.length][StackedGraph.DEGREE];
    for (int i = 0; i < challenged.length; i++) {
      graph.parents(challenged[i], parents[i], 0);
    }
    long[] nodes =
        LongStream.concat(
                LongStream.of(challenged),
                Arrays.stream(parents).flatMapToInt(Arrays::stream).mapToLong(n -> n))
            .sorted()
            .distinct()
            .toArray();
    byte[][] labels = labels(replicaId, shape.layers(), nodes, challenged, parents, random);
    int[] arities = Sealer.arities(shape);
    SparseMerkleTree treeC =
        SparseMerkleTree.build(
            nodes,
            Sealer.columnHashes(labels, workers, hashed -> {}),
            arities,
            NodeHash::poseidon,
            workers,
            random);
    // the data are zeros: a node of the replica is its label in the last layer
    byte[] replica = new byte[challenged.length * Nodes.BYTES];
    for (int i = 0; i < challenged.length; i++) {
      int slot = Arrays.binarySearch(nodes, challenged[i]);
      System.arraycopy(
          labels[labels.length - 1], slot * Nodes.BYTES, replica, i * Nodes.BYTES, Nodes.BYTES);
    }
    SparseMerkleTree treeR =
        SparseMerkleTree.build(challenged, replica, arities, NodeHash::poseidon, workers, random);
    Proofs proofs = new Proofs(shape, graph, zeros, nodes, labels, treeC, treeR);
    List<List<ChallengeProof>> partitions = new ArrayList<>();
    for (long[] partition : challenges) {
      partitions.add(LongStream.of(partition).mapToObj(proofs::prove).toList());
    }
    return new Commit1Output(
        request.proof(),
        shape,
        partitions,
        commR(treeC, treeR),
        commD,
        replicaId,
        request.seed(),
        request.ticket());
  }

  private static long[][] challenges(Request request, byte[] replicaId) {
    byte[] none = new byte[Nodes.BYTES]; // interactive challenges do not depend on comm_r
    long[][] challenges = new long[request.shape().partitions()][];
    for (int k = 0; k < challenges.length; k++) {
      challenges[k] =
          Challenges.of(request.proof(), request.shape(), replicaId, none, request.seed(), k);
    }
    return challenges;
  }

  /**
   * The columns of the nodes: layer k at index k − 1, a slot for each node. Random, except at the
   * challenges.
   */
  private static byte[][] labels(
      byte[] replicaId,
      int layers,
      long[] nodes,
      long[] challenged,
      int[][] parents,
      RandomGenerator random) {
    byte[][] labels = new byte[layers][];
    for (int layer = 1; layer <= layers; layer++) {
      labels[layer - 1] = SparseMerkleTree.randomNodes(nodes.length, random);
      for (int i = 0; i < challenged.length; i++) {
        Labels.label(
            labels,
            layer,
            replicaId,
            challenged[i],
            Arrays.binarySearch(nodes, challenged[i]),
            slots(nodes, parents[i]));
      }
    }
    return labels;
  }

  private static int[] slots(long[] nodes, int[] wanted) {
    return Arrays.stream(wanted).map(node -> Arrays.binarySearch(nodes, node)).toArray();
  }

  /** The node of each level over zeros, the leaf first, the root last. */
  private static byte[][] zeroTree(int levels) {
    NodeHash hash = NodeHash.sha256();
    byte[][] nodes = new byte[levels + 1][Nodes.BYTES];
    byte[] pair = new byte[2 * Nodes.BYTES];
    for (int level = 0; level < levels; level++) {
      System.arraycopy(nodes[level], 0, pair, 0, Nodes.BYTES);
      System.arraycopy(nodes[level], 0, pair, Nodes.BYTES, Nodes.BYTES);
      hash.join(nodes[level + 1], 0, pair, 0, 2);
    }
    return nodes;
  }

  private static byte[] commR(SparseMerkleTree treeC, SparseMerkleTree treeR) {
    byte[] roots = Arrays.copyOf(treeC.root(), 2 * Nodes.BYTES);
    System.arraycopy(treeR.root(), 0, roots, Nodes.BYTES, Nodes.BYTES);
    byte[] commR = new byte[Fr.BYTES];
    Poseidon.ofArity(2).hash(commR, 0, roots, 0);
    return commR;
  }

  /** Answers the challenges from columns and trees. */
  private record Proofs(
      SectorShape shape,
      StackedGraph graph,
      byte[][] zeros,
      long[] nodes,
      byte[][] labels,
      SparseMerkleTree treeC,
      SparseMerkleTree treeR) {
    ChallengeProof prove(long challenge) {
      int[] parents = new int[StackedGraph.DEGREE];
      graph.parents(challenge, parents, 0);
      List<ColumnProof> columns = new ArrayList<>();
      for (int parent : parents) {
        columns.add(column(parent));
      }
      int[] slots = slots(nodes, parents);
      List<LabelingProof> labeling = new ArrayList<>();
      for (int layer = 1; layer <= labels.length; layer++) {
        labeling.add(
            new LabelingProof(challenge, layer, Labels.hashedParents(labels, layer, slots)));
      }
      LabelingProof last = labeling.getLast();
      return new ChallengeProof(
          dataPath(challenge),
          path(treeR, challenge),
          column(challenge),
          columns.subList(0, ChallengeProof.DRG_PARENTS),
          columns.subList(ChallengeProof.DRG_PARENTS, StackedGraph.DEGREE),
          labeling,
          new EncodingProof(challenge, last.layer(), last.parents()));
    }

    private ColumnProof column(long node) {
      int slot = Arrays.binarySearch(nodes, node);
      byte[] rows = new byte[labels.length * Nodes.BYTES];
      for (int layer = 0; layer < labels.length; layer++) {
        System.arraycopy(labels[layer], slot * Nodes.BYTES, rows, layer * Nodes.BYTES, Nodes.BYTES);
      }
      return new ColumnProof(new Column(Math.toIntExact(node), rows), path(treeC, node));
    }

    private InclusionProof dataPath(long node) {
      List<PathElement> path = new ArrayList<>();
      for (int level = 0; level < shape.nodesLog(); level++) {
        path.add(new PathElement(zeros[level], (int) (node >>> level & 1)));
      }
      return new InclusionProof(
          InclusionProof.Form.SINGLE, zeros[shape.nodesLog()], zeros[0], path);
    }

    private InclusionProof path(SparseMerkleTree tree, long leaf) {
      List<PathElement> path = new ArrayList<>();
      long index = leaf;
      for (int level = 0; level < tree.height(); level++) {
        int arity = tree.arity(level);
        path.add(new PathElement(tree.siblings(level, index), (int) (index % arity)));
        index /= arity;
      }
      return new InclusionProof(shape.poseidonForm(), tree.root(), tree.node(0, leaf), path);
    }
  }
}
