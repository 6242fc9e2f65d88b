package io.cuzk.porep;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;

/** Writes vanilla proofs in serde_json's order of fields. */
final class Commit1JsonWriter {
  private Commit1JsonWriter() {}

  static void challenge(JsonGenerator json, ChallengeProof proof) throws IOException {
    json.writeStartObject();
    inclusion(json, "comm_d_proofs", proof.commD());
    inclusion(json, "comm_r_last_proof", proof.commRLast());
    json.writeObjectFieldStart("replica_column_proofs");
    json.writeFieldName("c_x");
    columnProof(json, proof.cX());
    columnProofs(json, "drg_parents", proof.drgParents());
    columnProofs(json, "exp_parents", proof.expParents());
    json.writeEndObject();
    json.writeArrayFieldStart("labeling_proofs");
    for (LabelingProof label : proof.labeling()) {
      labeling(json, label.parents(), label.layer(), label.node());
    }
    json.writeEndArray();
    json.writeFieldName("encoding_proof");
    EncodingProof encoding = proof.encoding();
    labeling(json, encoding.parents(), encoding.layer(), encoding.node());
    json.writeEndObject();
  }

  private static void columnProofs(JsonGenerator json, String field, List<ColumnProof> proofs)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (ColumnProof proof : proofs) {
      columnProof(json, proof);
    }
    json.writeEndArray();
  }

  private static void columnProof(JsonGenerator json, ColumnProof proof) throws IOException {
    json.writeStartObject();
    json.writeObjectFieldStart("column");
    json.writeNumberField("index", proof.column().index());
    nodes(json, "rows", proof.column().rows());
    json.writeNullField("_h");
    json.writeEndObject();
    inclusion(json, "inclusion_proof", proof.inclusion());
    json.writeEndObject();
  }

  private static void labeling(JsonGenerator json, byte[] parents, int layer, long node)
      throws IOException {
    json.writeStartObject();
    nodes(json, "parents", parents);
    json.writeNumberField("layer_index", layer);
    json.writeNumberField("node", node);
    json.writeEndObject();
  }

  private static void inclusion(JsonGenerator json, String field, InclusionProof proof)
      throws IOException {
    json.writeObjectFieldStart(field);
    json.writeObjectFieldStart("data");
    json.writeObjectFieldStart(proof.form().tag());
    boolean single = proof.form() == InclusionProof.Form.SINGLE;
    if (single) {
      node(json, "root", proof.root());
      node(json, "leaf", proof.leaf());
    }
    path(json, single ? "path" : "base_proof", proof.basePath());
    int base = proof.basePath().size();
    for (int i = base; i < proof.path().size(); i++) {
      path(json, i == base ? "sub_proof" : "top_proof", proof.path().subList(i, i + 1));
    }
    if (!single) {
      node(json, "root", proof.root());
      node(json, "leaf", proof.leaf());
    }
    json.writeEndObject();
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void path(JsonGenerator json, String field, List<PathElement> elements)
      throws IOException {
    json.writeObjectFieldStart(field);
    json.writeArrayFieldStart("path");
    for (PathElement element : elements) {
      json.writeStartObject();
      nodes(json, "hashes", element.hashes());
      json.writeNumberField("index", element.index());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void nodes(JsonGenerator json, String field, byte[] nodes) throws IOException {
    json.writeArrayFieldStart(field);
    for (int at = 0; at < nodes.length; at += Nodes.BYTES) {
      bytes(json, nodes, at);
    }
    json.writeEndArray();
  }

  static void node(JsonGenerator json, String field, byte[] node) throws IOException {
    json.writeFieldName(field);
    bytes(json, node, 0);
  }

  private static void bytes(JsonGenerator json, byte[] nodes, int at) throws IOException {
    json.writeStartArray();
    for (int i = 0; i < Nodes.BYTES; i++) {
      json.writeNumber(nodes[at + i] & 0xff);
    }
    json.writeEndArray();
  }
}
