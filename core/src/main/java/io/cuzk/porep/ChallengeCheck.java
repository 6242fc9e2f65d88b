package io.cuzk.porep;

import io.cuzk.InvalidInputException;
import io.cuzk.field.Fr;
import io.cuzk.hash.NodeHash;
import io.cuzk.hash.Poseidon;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;

/**
 * Checks the vanilla proofs of single challenges. A fault is reported where it can be told: an
 * index against the node, a root against the commitment, a column against a leaf whose path holds.
 * Holds scratch space: not thread-safe.
 */
final class ChallengeCheck {
  private static final String COLUMNS = "replica_column_proofs.";

  /** The commitments that proofs are measured by. */
  record Roots(byte[] commD, byte[] commC, byte[] commRLast) {}

  private final Commit1Output c1;
  private final SectorShape shape;
  private final Roots roots;
  private final long[][] challenges;
  private final List<VanillaFault> faults;
  private final StackedGraph.Walker graph;
  private final MessageDigest sha256;
  private final Poseidon[] byArity = new Poseidon[12];
  private final int[] parents = new int[ChallengeProof.DRG_PARENTS + ChallengeProof.EXP_PARENTS];
  private int partition;
  private int challenge;

  ChallengeCheck(Commit1Output c1, Roots roots, long[][] challenges, List<VanillaFault> faults) {
    this.c1 = c1;
    this.shape = c1.shape();
    this.roots = roots;
    this.challenges = challenges;
    this.faults = faults;
    graph = StackedGraph.of(shape.nodes(), c1.proof().porepId(), c1.proof().api()).walker();
    sha256 = NodeHash.newSha256();
    try {
      poseidon(shape.layers());
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(
          "columns of " + shape.layers() + " layers have no hash; there is one for 2, 4, 8 and 11",
          e);
    }
  }

  /** Checks all that belongs to a challenge and adds what does not hold to the faults. */
  void challenge(int p, int c) {
    partition = p;
    challenge = c;
    final ChallengeProof proof = c1.partitions().get(p).get(c);
    final long node = challenges[p][c];
    final int before = faults.size();
    nodes(proof, node);
    tree("comm_d_proofs", proof.commD(), node, roots.commD, false);
    tree("comm_r_last_proof", proof.commRLast(), node, roots.commRLast, true);
    column(COLUMNS + "c_x", proof.cX(), node);
    graph.parents(node, parents, 0);
    for (int i = 0; i < parents.length; i++) {
      column(parentField(i), parent(proof, i), Integer.toUnsignedLong(parents[i]));
    }
    if (faults.size() > before) {
      return; // labels would only repeat what their parents' columns have shown
    }
    for (int i = 0; i < shape.layers(); i++) {
      String field = "labeling_proofs[" + i + "]";
      label(field, proof, node, i + 1, proof.labeling().get(i).parents());
    }
    label("encoding_proof", proof, node, shape.layers(), proof.encoding().parents());
    encoding(proof);
  }

  private static ColumnProof parent(ChallengeProof proof, int i) {
    int drg = proof.drgParents().size();
    return i < drg ? proof.drgParents().get(i) : proof.expParents().get(i - drg);
  }

  private static String parentField(int i) {
    int drg = ChallengeProof.DRG_PARENTS;
    return COLUMNS + (i < drg ? "drg_parents[" + i + "]" : "exp_parents[" + (i - drg) + "]");
  }

  private void nodes(ChallengeProof proof, long node) {
    if (proof.challenge() != node && proof.commD().leafIndex() != node) {
      fault(
          "labeling_proofs[0].node",
          "found "
              + proof.challenge()
              + elsewhere(proof.challenge())
              + ", expected challenge "
              + node
              + " of seed and replica_id");
      return;
    }
    for (int i = 0; i < proof.labeling().size(); i++) {
      LabelingProof labeling = proof.labeling().get(i);
      String field = "labeling_proofs[" + i + "]";
      same(field + ".node", labeling.node(), node);
      same(field + ".layer_index", labeling.layer(), i + 1);
    }
    same("encoding_proof.node", proof.encoding().node(), node);
    same("encoding_proof.layer_index", proof.encoding().layer(), shape.layers());
  }

  /** Where a challenge belongs that is another one's. */
  private String elsewhere(long node) {
    for (int p = 0; p < challenges.length; p++) {
      for (int c = 0; c < challenges[p].length; c++) {
        if (challenges[p][c] == node) {
          return " (which is that of partition " + p + ", challenge " + c + ")";
        }
      }
    }
    return "";
  }

  private void same(String field, long found, long expected) {
    if (found != expected) {
      fault(field, "found " + found + ", expected " + expected);
    }
  }

  /** A proof that stands alone. */
  private void tree(String field, InclusionProof proof, long node, byte[] root, boolean poseidon) {
    if (!formed(field, proof, poseidon)
        || !indexed(field, proof, node)
        || !rooted(field, proof, root)) {
      return;
    }
    byte[] reached = fold(proof, proof.leaf(), poseidon);
    if (!Arrays.equals(reached, root)) {
      fault(
          field,
          "leaf, path and root disagree: the path leads from leaf "
              + Nodes.hex(proof.leaf(), 0)
              + " to "
              + Nodes.hex(reached, 0)
              + ", expected root "
              + Nodes.hex(root, 0));
    }
  }

  /** A column, its hash, and the path from there. */
  private void column(String field, ColumnProof proof, long node) {
    InclusionProof inclusion = proof.inclusion();
    String path = field + ".inclusion_proof";
    byte[] rows = proof.column().rows();
    int before = faults.size();
    same(field + ".column.index", proof.column().index(), node);
    if (proof.column().layers() != shape.layers()) {
      same(field + ".column.rows, layers", proof.column().layers(), shape.layers());
      return;
    }
    if (!canonical(field + ".column.rows", rows)
        || !formed(path, inclusion, true)
        || !indexed(path, inclusion, node)
        || !rooted(path, inclusion, roots.commC)
        || faults.size() > before) {
      return;
    }
    byte[] hash = new byte[Nodes.BYTES];
    poseidon(shape.layers()).hash(hash, 0, rows, 0);
    byte[] leaf = inclusion.leaf();
    byte[] reached = fold(inclusion, leaf, true);
    boolean leads = Arrays.equals(reached, roots.commC);
    if (Arrays.equals(hash, leaf)) {
      if (!leads) {
        fault(
            path,
            "path and root disagree: the path leads from the column's hash "
                + Nodes.hex(leaf, 0)
                + " to "
                + Nodes.hex(reached, 0)
                + ", expected comm_c "
                + Nodes.hex(roots.commC, 0));
      }
    } else if (leads) {
      fault(
          field + ".column.rows",
          "hash to " + Nodes.hex(hash, 0) + ", expected the leaf " + Nodes.hex(leaf, 0));
    } else if (Arrays.equals(fold(inclusion, hash, true), roots.commC)) {
      fault(
          path + ".leaf",
          "found " + Nodes.hex(leaf, 0) + ", expected the column's hash " + Nodes.hex(hash, 0));
    } else {
      fault(
          field,
          "column, leaf and path disagree: the column's hash is "
              + Nodes.hex(hash, 0)
              + ", the leaf "
              + Nodes.hex(leaf, 0)
              + ", and the path leads to "
              + Nodes.hex(reached, 0)
              + ", expected comm_c "
              + Nodes.hex(roots.commC, 0));
    }
  }

  private boolean formed(String field, InclusionProof proof, boolean poseidon) {
    InclusionProof.Form form = poseidon ? shape.poseidonForm() : InclusionProof.Form.SINGLE;
    int levels = poseidon ? shape.poseidonLevels() : shape.nodesLog();
    if (proof.form() != form || proof.path().size() != levels) {
      fault(
          field,
          "found a "
              + proof.form().tag()
              + " path of "
              + proof.path().size()
              + " elements, expected a "
              + form.tag()
              + " one of "
              + levels);
      return false;
    }
    for (int i = 0; i < levels; i++) {
      PathElement element = proof.path().get(i);
      String at = field + ".path[" + i + "]";
      int arity = poseidon ? shape.poseidonArity(i) : 2;
      if (element.arity() != arity) {
        same(at + ".hashes, number", element.arity() - 1L, arity - 1L);
        return false;
      }
      if (!canonical(at + ".hashes", element.hashes())) {
        return false;
      }
    }
    return canonical(field + ".leaf", proof.leaf());
  }

  private boolean canonical(String field, byte[] nodes) {
    for (int i = 0; i < nodes.length / Nodes.BYTES; i++) {
      if (!Nodes.isCanonical(nodes, i * Nodes.BYTES)) {
        String at = nodes.length == Nodes.BYTES ? "" : "[" + i + "]";
        fault(field + at, "found " + Nodes.hex(nodes, i * Nodes.BYTES) + ", not below r");
        return false;
      }
    }
    return true;
  }

  private boolean indexed(String field, InclusionProof proof, long node) {
    long rest = node;
    for (int i = 0; i < proof.path().size(); i++) {
      PathElement element = proof.path().get(i);
      long expected = rest % element.arity();
      if (element.index() != expected) {
        fault(
            field + ".path[" + i + "].index",
            "found " + element.index() + ", expected " + expected + " for node " + node);
        return false;
      }
      rest /= element.arity();
    }
    return true;
  }

  private boolean rooted(String field, InclusionProof proof, byte[] root) {
    if (!Arrays.equals(proof.root(), root)) {
      fault(
          field + ".root",
          "found " + Nodes.hex(proof.root(), 0) + ", expected " + Nodes.hex(root, 0));
      return false;
    }
    return true;
  }

  /** Where the path leads from a leaf. */
  private byte[] fold(InclusionProof proof, byte[] leaf, boolean poseidon) {
    byte[] node = leaf.clone();
    byte[] children = new byte[8 * Nodes.BYTES];
    for (PathElement element : proof.path()) {
      int before = element.index() * Nodes.BYTES;
      byte[] hashes = element.hashes();
      System.arraycopy(hashes, 0, children, 0, before);
      System.arraycopy(node, 0, children, before, Nodes.BYTES);
      System.arraycopy(hashes, before, children, before + Nodes.BYTES, hashes.length - before);
      if (poseidon) {
        poseidon(element.arity()).hash(node, 0, children, 0);
      } else {
        sha256.update(children, 0, 2 * Nodes.BYTES);
        node = truncated();
      }
    }
    return node;
  }

  /** The labels that are hashed for a layer, against the parents' columns, and the label itself. */
  private void label(String field, ChallengeProof proof, long node, int layer, byte[] hashed) {
    int degree = layer == 1 ? ChallengeProof.DRG_PARENTS : parents.length;
    for (int i = 0; i < LabelingProof.PARENTS; i++) {
      int parent = i % degree;
      int row = parent < ChallengeProof.DRG_PARENTS ? layer - 1 : layer - 2;
      byte[] rows = parent(proof, parent).column().rows();
      int from = row * Nodes.BYTES;
      int at = i * Nodes.BYTES;
      if (!Arrays.equals(rows, from, from + Nodes.BYTES, hashed, at, at + Nodes.BYTES)) {
        fault(
            field + ".parents[" + i + "]",
            "found "
                + Nodes.hex(hashed, at)
                + ", expected "
                + Nodes.hex(rows, from)
                + ", row "
                + row
                + " of "
                + parentField(parent));
        return;
      }
    }
    sha256.update(c1.replicaId());
    // replica_id ‖ layer ‖ node fill a block of SHA-256
    sha256.update(ByteBuffer.allocate(Nodes.BYTES).putInt(layer).putLong(node).array());
    sha256.update(hashed);
    byte[] label = truncated();
    byte[] rows = proof.cX().column().rows();
    int at = (layer - 1) * Nodes.BYTES;
    if (!Arrays.equals(label, 0, Nodes.BYTES, rows, at, at + Nodes.BYTES)) {
      fault(
          field,
          "parents hash to label "
              + Nodes.hex(label, 0)
              + ", expected row "
              + (layer - 1)
              + " of c_x, "
              + Nodes.hex(rows, at));
    }
  }

  private void encoding(ChallengeProof proof) {
    long[] sum = new long[2 * Fr.WORDS];
    byte[] rows = proof.cX().column().rows();
    Fr.fromBytes(sum, 0, rows, rows.length - Nodes.BYTES);
    Fr.fromBytes(sum, Fr.WORDS, proof.commD().leaf(), 0);
    Fr.add(sum, 0, sum, 0, sum, Fr.WORDS);
    byte[] encoded = new byte[Nodes.BYTES];
    Fr.toBytes(encoded, 0, sum, 0);
    if (!Arrays.equals(encoded, proof.commRLast().leaf())) {
      fault(
          "comm_r_last_proof.leaf",
          "found "
              + Nodes.hex(proof.commRLast().leaf(), 0)
              + ", expected last label plus data, "
              + Nodes.hex(encoded, 0));
    }
  }

  private byte[] truncated() {
    byte[] hash = sha256.digest();
    hash[Nodes.BYTES - 1] &= 0x3f;
    return hash;
  }

  private Poseidon poseidon(int arity) {
    if (arity >= byArity.length || byArity[arity] == null) {
      byArity[arity] = Poseidon.ofArity(arity);
    }
    return byArity[arity];
  }

  private void fault(String field, String problem) {
    faults.add(new VanillaFault(partition, challenge, field, problem));
  }
}
