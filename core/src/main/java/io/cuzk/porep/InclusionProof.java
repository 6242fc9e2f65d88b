package io.cuzk.porep;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * A Merkle proof: leaf, path from the leaf upwards, root.
 *
 * <p>{@code path} joins the base, sub and top paths of a compound tree in that order; a compound
 * tree's sub and top trees have one level each, so the form says where to split. Arrays are not
 * copied and must not be modified. Immutable under that rule; equality is by content.
 *
 * @throws IllegalArgumentException if root or leaf is not 32 bytes, or the path is too short for
 *     its form or longer than {@value #MAX_PATH}
 */
public record InclusionProof(Form form, byte[] root, byte[] leaf, List<PathElement> path) {
  /** The longest path of any shape: comm_d of 64 GiB. */
  public static final int MAX_PATH = 31;

  /** The variants of storage-proofs' {@code ProofData}. */
  public enum Form {
    /** One tree. */
    SINGLE("Single", 0),
    /** Base trees under one sub tree. */
    SUB("Sub", 1),
    /** Sub trees under one top tree. */
    TOP("Top", 2);

    private final String tag;
    private final int upperLevels;

    Form(String tag, int upperLevels) {
      this.tag = tag;
      this.upperLevels = upperLevels;
    }

    /** The name in JSON; the ordinal is the tag in bincode. */
    public String tag() {
      return tag;
    }

    /** Elements at the end of a joined path that belong to the sub and top trees. */
    public int upperLevels() {
      return upperLevels;
    }
  }

  /** Checks sizes and copies the list. */
  public InclusionProof {
    Nodes.exactly("root", root, 1);
    Nodes.exactly("leaf", leaf, 1);
    path = List.copyOf(path);
    if (path.size() <= form.upperLevels || path.size() > MAX_PATH) {
      throw new IllegalArgumentException(
          "a " + form.tag + " path has " + path.size() + " elements");
    }
  }

  /** The part of the path inside the base tree. */
  public List<PathElement> basePath() {
    return path.subList(0, path.size() - form.upperLevels);
  }

  /** The index of the leaf that the path describes, lowest level first. */
  public long leafIndex() {
    long index = 0;
    long weight = 1;
    for (PathElement element : path) {
      index += weight * element.index();
      weight *= element.arity();
    }
    return index;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof InclusionProof p
        && form == p.form
        && Arrays.equals(root, p.root)
        && Arrays.equals(leaf, p.leaf)
        && path.equals(p.path);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(root) + Arrays.hashCode(leaf)) + path.hashCode();
  }

  @Override
  public String toString() {
    return "InclusionProof["
        + form.tag
        + ", leaf="
        + HexFormat.of().formatHex(leaf)
        + ", root="
        + HexFormat.of().formatHex(root)
        + ", levels="
        + path.size()
        + "]";
  }
}
