package io.cuzk.porep;

import io.cuzk.InvalidInputException;
import io.cuzk.field.Fr;
import io.cuzk.gadget.AllocatedNum;
import io.cuzk.gadget.BitOrder;
import io.cuzk.gadget.Bool;
import io.cuzk.gadget.InclusionPath;
import io.cuzk.gadget.LabelGadget;
import io.cuzk.gadget.PoseidonGadget;
import io.cuzk.gadget.Sha256Gadget;
import io.cuzk.gadget.UInt64;
import io.cuzk.r1cs.ConstraintSystem;
import java.util.Arrays;
import java.util.List;

/** One challenge of a {@link StackedCircuit}, with or without its witness. Immutable. */
final class ChallengeCircuit {
  private static final int DRG = ChallengeProof.DRG_PARENTS;
  private static final int PARENTS = DRG + ChallengeProof.EXP_PARENTS;

  private final int layers;
  private final long challenge;
  private final long[] dataLeaf;
  private final InclusionPath commD;
  private final InclusionPath commRLast;
  private final InclusionPath commC;
  private final long[][] columns; // the parents' rows, null without a witness
  private final InclusionPath[] parents;

  private ChallengeCircuit(
      int layers,
      long challenge,
      long[] dataLeaf,
      InclusionPath commD,
      InclusionPath commRLast,
      InclusionPath commC,
      long[][] columns,
      InclusionPath[] parents) {
    this.layers = layers;
    this.challenge = challenge;
    this.dataLeaf = dataLeaf;
    this.commD = commD;
    this.commRLast = commRLast;
    this.commC = commC;
    this.columns = columns;
    this.parents = parents;
  }

  static ChallengeCircuit blank(SectorShape shape) {
    InclusionPath tree =
        InclusionPath.blank(
            shape.baseLevels(), shape.baseArity(), shape.subArity(), shape.topArity());
    InclusionPath[] parents = new InclusionPath[PARENTS];
    Arrays.fill(parents, tree);
    return new ChallengeCircuit(
        shape.layers(),
        0,
        null,
        InclusionPath.blank(shape.nodesLog(), 2, 0, 0),
        tree,
        tree,
        new long[PARENTS][],
        parents);
  }

  static ChallengeCircuit of(SectorShape shape, ChallengeInput input, String where) {
    long[][] columns = new long[PARENTS][];
    InclusionPath[] parents = new InclusionPath[PARENTS];
    for (int i = 0; i < PARENTS; i++) {
      List<ColumnProof> list = i < DRG ? input.drgParents() : input.expParents();
      ColumnProof parent = list.get(i < DRG ? i : i - DRG);
      String at = where + (i < DRG ? ", drg_parents " + i : ", exp_parents " + (i - DRG));
      columns[i] = column(shape, parent.column(), at);
      parents[i] = treePath(shape, parent.inclusion(), at);
    }
    return new ChallengeCircuit(
        shape.layers(),
        input.challenge(),
        StackedCircuit.number(input.commD().leaf(), where + ", comm_d_proofs, leaf"),
        path(
            input.commD(),
            InclusionProof.Form.SINGLE,
            shape.nodesLog(),
            2,
            0,
            0,
            where + ", comm_d_proofs"),
        treePath(shape, input.commRLast(), where + ", comm_r_last_proof"),
        treePath(shape, input.commC(), where + ", c_x"),
        columns,
        parents);
  }

  private static long[] column(SectorShape shape, Column column, String where) {
    if (column.layers() != shape.layers()) {
      throw new InvalidInputException(
          where + ": column of " + column.layers() + " layers, not " + shape.layers());
    }
    long[] rows = new long[shape.layers() * Fr.WORDS];
    for (int i = 0; i < shape.layers(); i++) {
      StackedCircuit.number(
          rows, i * Fr.WORDS, column.rows(), i * Fr.BYTES, where + ", column row " + i);
    }
    return rows;
  }

  private static InclusionPath treePath(SectorShape shape, InclusionProof proof, String where) {
    return path(
        proof,
        shape.poseidonForm(),
        shape.baseLevels(),
        shape.baseArity(),
        shape.subArity(),
        shape.topArity(),
        where);
  }

  private static InclusionPath path(
      InclusionProof proof,
      InclusionProof.Form form,
      int baseLevels,
      int baseArity,
      int subArity,
      int topArity,
      String where) {
    if (proof.form() != form || proof.basePath().size() != baseLevels) {
      throw new InvalidInputException(
          where
              + ": a "
              + proof.form().tag()
              + " path of "
              + proof.path().size()
              + " levels, not a "
              + form.tag()
              + " path of "
              + (baseLevels + form.upperLevels()));
    }
    int[] indices = new int[proof.path().size()];
    int hashes =
        baseLevels * (baseArity - 1) + Math.max(0, subArity - 1) + Math.max(0, topArity - 1);
    long[] siblings = new long[hashes * Fr.WORDS];
    int at = 0;
    for (int level = 0; level < indices.length; level++) {
      PathElement element = proof.path().get(level);
      int arity = level < baseLevels ? baseArity : level == baseLevels ? subArity : topArity;
      if (element.arity() != arity) {
        throw new InvalidInputException(
            where + ", level " + level + ": " + element.arity() + " children, not " + arity);
      }
      indices[level] = element.index();
      for (int i = 0; i < arity - 1; i++) {
        String name = where + ", level " + level + ", sibling " + i;
        StackedCircuit.number(siblings, at, element.hashes(), i * Fr.BYTES, name);
        at += Fr.WORDS;
      }
    }
    return new InclusionPath(baseLevels, baseArity, subArity, topArity, siblings, indices);
  }

  void synthesize(
      ConstraintSystem cs,
      Bool[] replicaId,
      AllocatedNum commDRoot,
      AllocatedNum commCRoot,
      AllocatedNum commRLastRoot) {
    cs.enter("data_leaf");
    AllocatedNum data = AllocatedNum.alloc(cs, dataLeaf, 0);
    cs.leave();
    cs.enter("comm_d_inclusion");
    commD.enforce(cs, Sha256Gadget::hashNumbers, data, commDRoot);
    cs.leave();
    AllocatedNum[][] labels = new AllocatedNum[PARENTS][];
    for (int i = 0; i < PARENTS; i++) {
      labels[i] = openParent(cs, i, commCRoot);
    }
    cs.enter("challenge");
    UInt64 node = UInt64.alloc(cs, challenge);
    cs.leave();
    cs.enter("challenge input");
    node.packIntoInput(cs);
    cs.leave();
    AllocatedNum[] column = new AllocatedNum[layers];
    for (int layer = 1; layer <= layers; layer++) {
      cs.enter("labeling_#", layer);
      column[layer - 1] = label(cs, replicaId, node, layer, labels);
      cs.leave();
    }
    cs.enter("encode_node");
    cs.enter("encode_add");
    AllocatedNum encoded = column[layers - 1].add(cs, data);
    cs.leave();
    cs.leave();
    cs.enter("comm_r_last_data_inclusion");
    commRLast.enforce(cs, PoseidonGadget::hash, encoded, commRLastRoot);
    cs.leave();
    cs.enter("c_x_column_hash");
    AllocatedNum columnHash = PoseidonGadget.hash(cs, column);
    cs.leave();
    cs.enter("c_x_inclusion");
    commC.enforce(cs, PoseidonGadget::hash, columnHash, commCRoot);
    cs.leave();
  }

  /** Allocates the labels of a parent and enforces that their hash is a leaf of tree C. */
  private AllocatedNum[] openParent(ConstraintSystem cs, int i, AllocatedNum root) {
    boolean drg = i < DRG;
    int number = drg ? i : i - DRG;
    cs.enter(drg ? "drg_parent_#_num" : "exp_parent_#_num", number);
    cs.enter("column");
    AllocatedNum[] rows = new AllocatedNum[layers];
    for (int row = 0; row < layers; row++) {
      cs.enter("column_num_row_#", row);
      rows[row] = AllocatedNum.alloc(cs, columns[i], columns[i] == null ? 0 : row * Fr.WORDS);
      cs.leave();
    }
    cs.leave();
    cs.leave();
    cs.enter(drg ? "drg_parent_#_constraint" : "exp_parent_#_constraint", number);
    AllocatedNum hash = PoseidonGadget.hash(cs, rows);
    cs.leave();
    cs.enter(drg ? "drg_parent_#_inclusion" : "exp_parent_#_inclusion", number);
    parents[i].enforce(cs, PoseidonGadget::hash, hash, root);
    cs.leave();
    return rows;
  }

  /**
   * The label in a layer: drg parents from the same layer, expander parents from the one before.
   */
  private static AllocatedNum label(
      ConstraintSystem cs, Bool[] replicaId, UInt64 node, int layer, AllocatedNum[][] labels) {
    Bool[][] bits = new Bool[layer == 1 ? DRG : PARENTS][];
    for (int i = 0; i < bits.length; i++) {
      AllocatedNum parent = i < DRG ? labels[i][layer - 1] : labels[i][layer - 2];
      cs.enter(i < DRG ? "drg_parent_#_bits" : "exp_parent_#_bits", i);
      bits[i] = BitOrder.reverseInBytes(parent.toBits(cs));
      cs.leave();
    }
    cs.enter("create_label");
    AllocatedNum label = LabelGadget.label(cs, replicaId, layer, node, bits);
    cs.leave();
    return label;
  }
}
