package io.cuzk.porep;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** The twin of {@link Commit1Bincode}: the same bytes from the same values. */
record Commit1BincodeWriter(OutputStream to) {
  /** Writes a file that {@link Commit1Bincode} reads. */
  static void write(Commit1Output c1, byte[] proverId, long sectorId, OutputStream to)
      throws IOException {
    Commit1BincodeWriter out = new Commit1BincodeWriter(new BufferedOutputStream(to, 1 << 16));
    out.integer(0, 4);
    out.integer(c1.proof().id(), 4);
    out.integer(c1.proof().id() % 5, 4);
    out.integer(c1.partitions().size(), 8);
    for (List<ChallengeProof> partition : c1.partitions()) {
      out.integer(partition.size(), 8);
      for (ChallengeProof challenge : partition) {
        out.challenge(challenge);
      }
    }
    out.to.write(c1.commR());
    out.to.write(c1.commD());
    out.to.write(c1.replicaId());
    out.to.write(c1.seed());
    out.to.write(c1.ticket());
    out.to.write(Nodes.exactly("proverId", proverId, 1));
    out.integer(sectorId, 8);
    out.to.flush();
  }

  private void integer(long value, int width) throws IOException {
    for (int i = 0; i < width; i++) {
      to.write((int) (value >>> 8 * i));
    }
  }

  private void nodes(byte[] nodes) throws IOException {
    integer(nodes.length / Nodes.BYTES, 8);
    to.write(nodes);
  }

  private void challenge(ChallengeProof proof) throws IOException {
    inclusion(proof.commD());
    inclusion(proof.commRLast());
    column(proof.cX());
    columns(proof.drgParents());
    columns(proof.expParents());
    integer(proof.labeling().size(), 8);
    for (LabelingProof label : proof.labeling()) {
      labeling(label.parents(), label.layer(), label.node());
    }
    EncodingProof encoding = proof.encoding();
    labeling(encoding.parents(), encoding.layer(), encoding.node());
  }

  private void columns(List<ColumnProof> proofs) throws IOException {
    integer(proofs.size(), 8);
    for (ColumnProof proof : proofs) {
      column(proof);
    }
  }

  private void column(ColumnProof proof) throws IOException {
    integer(proof.column().index(), 4);
    nodes(proof.column().rows());
    inclusion(proof.inclusion());
  }

  private void labeling(byte[] parents, int layer, long node) throws IOException {
    nodes(parents);
    integer(layer, 4);
    integer(node, 8);
  }

  private void inclusion(InclusionProof proof) throws IOException {
    integer(proof.form().ordinal(), 4);
    boolean single = proof.form() == InclusionProof.Form.SINGLE;
    if (single) {
      to.write(proof.root());
      to.write(proof.leaf());
    }
    elements(proof.basePath());
    for (int i = proof.basePath().size(); i < proof.path().size(); i++) {
      elements(proof.path().subList(i, i + 1));
    }
    if (!single) {
      to.write(proof.root());
      to.write(proof.leaf());
    }
  }

  private void elements(List<PathElement> elements) throws IOException {
    integer(elements.size(), 8);
    for (PathElement element : elements) {
      nodes(element.hashes());
      integer(element.index(), 8);
    }
  }
}
