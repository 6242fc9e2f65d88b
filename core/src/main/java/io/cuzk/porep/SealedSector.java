package io.cuzk.porep;

import io.cuzk.hash.MerkleTree;
import io.cuzk.hash.Poseidon;
import java.util.ArrayList;
import java.util.List;

/**
 * A sealed sector in memory: what the first commit phase needs to answer challenges. Immutable;
 * arrays it hands out are copies.
 */
public final class SealedSector {
  private final SealRequest request;
  private final StackedGraph graph;
  private final byte[] replicaId;
  private final byte[][] labels;
  private final MerkleTree treeD;
  private final MerkleTree treeC;
  private final MerkleTree treeR;

  SealedSector(
      SealRequest request,
      StackedGraph graph,
      byte[] replicaId,
      byte[][] labels,
      MerkleTree treeD,
      MerkleTree treeC,
      MerkleTree treeR) {
    this.request = request;
    this.graph = graph;
    this.replicaId = replicaId;
    this.labels = labels;
    this.treeD = treeD;
    this.treeC = treeC;
    this.treeR = treeR;
  }

  /** The replica id. */
  public byte[] replicaId() {
    return replicaId.clone();
  }

  /** The root of the data's tree. */
  public byte[] commD() {
    return treeD.root();
  }

  /** The root of the tree of columns. */
  public byte[] commC() {
    return treeC.root();
  }

  /** The root of the replica's tree. */
  public byte[] commRLast() {
    return treeR.root();
  }

  /** Poseidon(comm_c, comm_r_last): what goes on chain. */
  public byte[] commR() {
    byte[] roots = new byte[2 * Nodes.BYTES];
    System.arraycopy(treeC.root(), 0, roots, 0, Nodes.BYTES);
    System.arraycopy(treeR.root(), 0, roots, Nodes.BYTES, Nodes.BYTES);
    byte[] commR = new byte[Nodes.BYTES];
    Poseidon.ofArity(2).hash(commR, 0, roots, 0);
    return commR;
  }

  /** The encoded sector. */
  public byte[] replica() {
    return treeR.level(0);
  }

  /** The labels of a layer, from 1. */
  public byte[] labels(int layer) {
    return labels[layer - 1].clone();
  }

  MerkleTree treeD() {
    return treeD;
  }

  MerkleTree treeC() {
    return treeC;
  }

  MerkleTree treeR() {
    return treeR;
  }

  /**
   * C1: the vanilla proofs of all partitions under a seed.
   *
   * @param seed 32 bytes of chain randomness
   */
  public Commit1Output commit1(byte[] seed) {
    Nodes.exactly("seed", seed, 1);
    SectorShape shape = request.shape();
    List<List<ChallengeProof>> partitions = new ArrayList<>();
    for (int k = 0; k < shape.partitions(); k++) {
      List<ChallengeProof> proofs = new ArrayList<>();
      for (long challenge : Challenges.of(request.proof(), shape, replicaId, commR(), seed, k)) {
        proofs.add(prove(Math.toIntExact(challenge)));
      }
      partitions.add(proofs);
    }
    return new Commit1Output(
        request.proof(), shape, partitions, commR(), commD(), replicaId(), seed, request.ticket());
  }

  private ChallengeProof prove(int challenge) {
    int[] parents = new int[StackedGraph.DEGREE];
    graph.parents(challenge, parents, 0);
    List<ColumnProof> columns = new ArrayList<>();
    for (int parent : parents) {
      columns.add(column(parent));
    }
    List<LabelingProof> labeling = new ArrayList<>();
    for (int layer = 1; layer <= labels.length; layer++) {
      labeling.add(
          new LabelingProof(challenge, layer, Labels.hashedParents(labels, layer, parents)));
    }
    LabelingProof last = labeling.getLast();
    return new ChallengeProof(
        path(treeD, InclusionProof.Form.SINGLE, challenge),
        path(treeR, request.shape().poseidonForm(), challenge),
        column(challenge),
        columns.subList(0, ChallengeProof.DRG_PARENTS),
        columns.subList(ChallengeProof.DRG_PARENTS, StackedGraph.DEGREE),
        labeling,
        new EncodingProof(challenge, last.layer(), last.parents()));
  }

  private ColumnProof column(int node) {
    byte[] rows = new byte[labels.length * Nodes.BYTES];
    for (int layer = 0; layer < labels.length; layer++) {
      System.arraycopy(labels[layer], node * Nodes.BYTES, rows, layer * Nodes.BYTES, Nodes.BYTES);
    }
    return new ColumnProof(
        new Column(node, rows), path(treeC, request.shape().poseidonForm(), node));
  }

  static InclusionProof path(MerkleTree tree, InclusionProof.Form form, int leaf) {
    List<PathElement> path = new ArrayList<>();
    int index = leaf;
    for (int level = 0; level < tree.height(); level++) {
      path.add(new PathElement(tree.siblings(level, index), index % tree.arity(level)));
      index /= tree.arity(level);
    }
    return new InclusionProof(form, tree.root(), tree.node(0, leaf), path);
  }
}
