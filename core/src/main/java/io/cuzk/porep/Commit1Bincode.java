package io.cuzk.porep;

import io.cuzk.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * bincode 1 (fixed little-endian integers, u32 enum tags, u64 lengths) of {@code C2Input::V0
 * {c1out, prover_id, sector_id}}. Every length is compared with the shape's before anything is
 * allocated. Not thread-safe.
 */
final class Commit1Bincode {
  private final ByteSource in;
  private final FieldPath path;
  private final Optional<SectorShape> override;
  private SectorShape shape;
  private byte[] proverId;
  private long sectorId;

  Commit1Bincode(ByteSource in, FieldPath path, Optional<SectorShape> override) {
    this.in = in;
    this.path = path;
    this.override = override;
  }

  byte[] proverId() {
    return proverId;
  }

  long sectorId() {
    return sectorId;
  }

  /** The output; reads the source to its end. */
  Commit1Output read() {
    tag("variant", List.of("V0"), "C2Input");
    final int c1 = path.enter("c1out");
    List<String> names = RegisteredProof.ALL.stream().map(RegisteredProof::name).toList();
    int at = path.enter("registered_proof");
    RegisteredProof proof =
        Commit1Json.provable(RegisteredProof.ALL.get(choice(names, "RegisteredSealProof")), path);
    path.leave(at);
    Commit1Bounds bounds = Commit1Bounds.of(proof, override);
    shape = bounds.shape();
    in.limit(bounds.fileLimit(), bounds.fileLimitReason());
    at = path.enter("vanilla_proofs");
    long size = integer(4);
    // The sizes are numbered as the five proofs of V1_0 are.
    if (size != proof.id() % 5) {
      throw path.fault(
          "found tag "
              + Long.toUnsignedString(size)
              + ", expected "
              + proof.id() % 5
              + " ("
              + proof.vanillaTag()
              + ") for registered_proof "
              + proof);
    }
    final int tag = path.enter(proof.vanillaTag());
    length(shape.partitions());
    List<List<ChallengeProof>> partitions = new ArrayList<>();
    for (int p = 0; p < shape.partitions(); p++) {
      int mark = path.enter(p);
      length(shape.challengesPerPartition());
      List<ChallengeProof> challenges = new ArrayList<>();
      for (int c = 0; c < shape.challengesPerPartition(); c++) {
        int inner = path.enter(c);
        challenges.add(challenge());
        path.leave(inner);
      }
      partitions.add(challenges);
      path.leave(mark);
    }
    path.leave(tag);
    path.leave(at);
    Commit1Output output =
        new Commit1Output(
            proof,
            shape,
            partitions,
            node("comm_r", true),
            node("comm_d", true),
            node("replica_id", true),
            node("seed", false),
            node("ticket", false));
    path.leave(c1);
    proverId = node("prover_id", false);
    at = path.enter("sector_id");
    sectorId = integer(8);
    if (sectorId < 0) {
      throw path.fault("found " + Long.toUnsignedString(sectorId) + ", expected below 2^63");
    }
    path.leave(at);
    if (in.read() >= 0) {
      throw path.fault("found more bytes behind the end, at byte " + (in.position() - 1));
    }
    return output;
  }

  private ChallengeProof challenge() {
    int mark = path.enter("comm_d_proofs");
    final InclusionProof commD = inclusion(false);
    path.leave(mark);
    mark = path.enter("comm_r_last_proof");
    final InclusionProof commRLast = inclusion(true);
    path.leave(mark);
    mark = path.enter("replica_column_proofs");
    int inner = path.enter("c_x");
    final ColumnProof cX = columnProof();
    path.leave(inner);
    final List<ColumnProof> drg = parents("drg_parents", ChallengeProof.DRG_PARENTS);
    final List<ColumnProof> exp = parents("exp_parents", ChallengeProof.EXP_PARENTS);
    path.leave(mark);
    mark = path.enter("labeling_proofs");
    length(shape.layers());
    List<LabelingProof> labeling = new ArrayList<>();
    for (int i = 0; i < shape.layers(); i++) {
      inner = path.enter(i);
      labeling.add(labeling());
      path.leave(inner);
    }
    path.leave(mark);
    mark = path.enter("encoding_proof");
    LabelingProof encoding = labeling();
    path.leave(mark);
    return new ChallengeProof(
        commD,
        commRLast,
        cX,
        drg,
        exp,
        labeling,
        new EncodingProof(encoding.node(), encoding.layer(), encoding.parents()));
  }

  private List<ColumnProof> parents(String field, int count) {
    final int mark = path.enter(field);
    length(count);
    List<ColumnProof> proofs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int inner = path.enter(i);
      proofs.add(columnProof());
      path.leave(inner);
    }
    path.leave(mark);
    return proofs;
  }

  private ColumnProof columnProof() {
    int mark = path.enter("column");
    int index = (int) number("index", 4, 0, shape.nodes() - 1);
    byte[] rows = nodes("rows", shape.layers());
    path.leave(mark);
    mark = path.enter("inclusion_proof");
    InclusionProof inclusion = inclusion(true);
    path.leave(mark);
    return new ColumnProof(new Column(index, rows), inclusion);
  }

  private LabelingProof labeling() {
    byte[] parents = nodes("parents", LabelingProof.PARENTS);
    int layer = (int) number("layer_index", 4, 1, shape.layers());
    return new LabelingProof(number("node", 8, 0, shape.nodes() - 1), layer, parents);
  }

  private InclusionProof inclusion(boolean poseidon) {
    InclusionProof.Form form = poseidon ? shape.poseidonForm() : InclusionProof.Form.SINGLE;
    final int mark = path.enter("data");
    long tag = integer(4);
    if (tag != form.ordinal()) {
      throw path.fault(
          "found tag "
              + Long.toUnsignedString(tag)
              + ", expected "
              + form.ordinal()
              + " ("
              + form.tag()
              + ") for "
              + shape.name());
    }
    final int inner = path.enter(form.tag());
    byte[] root = null;
    byte[] leaf = null;
    if (form == InclusionProof.Form.SINGLE) {
      root = node("root", true);
      leaf = node("leaf", true);
    }
    List<PathElement> joined = new ArrayList<>();
    int base = poseidon ? shape.baseLevels() : shape.nodesLog();
    levels(form == InclusionProof.Form.SINGLE ? "path" : "base_proof", base, poseidon, joined);
    for (int i = 0; i < form.upperLevels(); i++) {
      levels(i == 0 ? "sub_proof" : "top_proof", 1, poseidon, joined);
    }
    if (form != InclusionProof.Form.SINGLE) {
      root = node("root", true);
      leaf = node("leaf", true);
    }
    path.leave(inner);
    path.leave(mark);
    return new InclusionProof(form, root, leaf, joined);
  }

  private void levels(String field, int count, boolean poseidon, List<PathElement> joined) {
    final int mark = path.enter(field);
    final int inner = path.enter("path");
    length(count);
    for (int i = 0; i < count; i++) {
      int element = path.enter(i);
      int arity = poseidon ? shape.poseidonArity(joined.size()) : 2;
      byte[] hashes = nodes("hashes", arity - 1);
      joined.add(new PathElement(hashes, (int) number("index", 8, 0, arity - 1L)));
      path.leave(element);
    }
    path.leave(inner);
    path.leave(mark);
  }

  private byte[] nodes(String field, int count) {
    int mark = path.enter(field);
    length(count);
    byte[] nodes = new byte[count * Nodes.BYTES];
    for (int i = 0; i < count; i++) {
      int inner = path.enter(i);
      bytes(nodes, i * Nodes.BYTES, true);
      path.leave(inner);
    }
    path.leave(mark);
    return nodes;
  }

  private byte[] node(String field, boolean canonical) {
    int mark = path.enter(field);
    byte[] node = new byte[Nodes.BYTES];
    bytes(node, 0, canonical);
    path.leave(mark);
    return node;
  }

  private void bytes(byte[] into, int at, boolean canonical) {
    int done = in.readNBytes(into, at, Nodes.BYTES);
    if (done < Nodes.BYTES) {
      throw truncated();
    }
    if (canonical && !Nodes.isCanonical(into, at)) {
      throw path.fault(
          "found " + Nodes.hex(into, at) + ", which as a little-endian number is not below r");
    }
  }

  private void length(int expected) {
    long found = integer(8);
    if (found != expected) {
      throw path.fault(
          "found "
              + Long.toUnsignedString(found)
              + " elements at byte "
              + (in.position() - 8)
              + ", expected "
              + expected
              + " for "
              + shape.name());
    }
  }

  private long number(String field, int width, long least, long most) {
    int mark = path.enter(field);
    long found = integer(width);
    if (found < least || found > most) {
      throw path.fault(
          "found "
              + Long.toUnsignedString(found)
              + " at byte "
              + (in.position() - width)
              + ", expected an integer from "
              + least
              + " to "
              + most);
    }
    path.leave(mark);
    return found;
  }

  private void tag(String field, List<String> names, String type) {
    int mark = path.enter(field);
    choice(names, type);
    path.leave(mark);
  }

  private int choice(List<String> names, String type) {
    long tag = integer(4);
    if (tag >= names.size()) {
      throw path.fault(
          "found tag " + tag + " of " + type + ", expected 0 to " + (names.size() - 1));
    }
    return (int) tag;
  }

  private long integer(int width) {
    long value = 0;
    for (int i = 0; i < width; i++) {
      int b = in.read();
      if (b < 0) {
        throw truncated();
      }
      value |= (long) b << 8 * i;
    }
    return value;
  }

  private InvalidInputException truncated() {
    return path.fault("the file ends at byte " + in.position() + ": truncated");
  }
}
