package io.cuzk.porep;

import io.cuzk.InvalidInputException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The parameters of a sector that fix its trees and its circuit.
 *
 * <p>A sector has {@code sectorBytes / 32} nodes. The Poseidon trees (C and R-last) are {@code
 * baseArity}-ary; where {@code subArity} is not 0 that many base trees stand under a sub tree, and
 * where {@code topArity} is not 0 that many sub trees under a top tree. {@code registered} says
 * that Filecoin has registered proofs for the size; the others exist as circuits only. The ten
 * shapes and their counts are rust-fil-proofs'. Immutable.
 *
 * @throws IllegalArgumentException if the numbers do not describe trees
 */
public record SectorShape(
    String name,
    long sectorBytes,
    int baseArity,
    int subArity,
    int topArity,
    int layers,
    int partitions,
    int challengesPerPartition,
    boolean registered) {

  /** The ten shapes, smallest first. */
  public static final List<SectorShape> ALL =
      List.of(
          test("2KiB", 1L << 11, 0, 0, true),
          test("4KiB", 1L << 12, 2, 0, false),
          test("16KiB", 1L << 14, 8, 0, false),
          test("32KiB", 1L << 15, 8, 2, false),
          test("8MiB", 1L << 23, 0, 0, true),
          test("16MiB", 1L << 24, 2, 0, false),
          test("512MiB", 1L << 29, 0, 0, true),
          test("1GiB", 1L << 30, 2, 0, false),
          new SectorShape("32GiB", 1L << 35, 8, 8, 0, 11, 10, 18, true),
          new SectorShape("64GiB", 1L << 36, 8, 8, 2, 11, 10, 18, true));

  /** Checks that the nodes fill whole trees and that the counts are small enough for a circuit. */
  public SectorShape {
    long nodes = sectorBytes / Nodes.BYTES;
    if (nodes < 64 || nodes > 1L << 31 || Long.bitCount(sectorBytes) != 1) {
      throw new IllegalArgumentException("a sector of " + sectorBytes + " bytes");
    }
    if (baseArity != 8
        || subArity != 0 && subArity != 2 && subArity != 8
        || topArity != 0 && topArity != 2 && topArity != 8
        || subArity == 0 && topArity != 0) {
      throw new IllegalArgumentException("trees " + baseArity + "-" + subArity + "-" + topArity);
    }
    int upper = logOf(Math.max(1, subArity)) + logOf(Math.max(1, topArity));
    if ((logOf(nodes) - upper) % 3 != 0) {
      throw new IllegalArgumentException(
          nodes + " nodes do not fill trees " + baseArity + "-" + subArity + "-" + topArity);
    }
    if (layers < 1 || layers > Column.MAX_LAYERS) {
      throw new IllegalArgumentException("layers: " + layers);
    }
    if (partitions < 1 || partitions > 256 || challengesPerPartition < 1) {
      throw new IllegalArgumentException(
          partitions + " partitions of " + challengesPerPartition + " challenges");
    }
    if (challengesPerPartition > 1024) {
      throw new IllegalArgumentException("challenges: " + challengesPerPartition);
    }
  }

  private static SectorShape test(String name, long bytes, int sub, int top, boolean registered) {
    return new SectorShape(name, bytes, 8, sub, top, 2, 1, 2, registered);
  }

  /**
   * The shape of a size written as {@code 2KiB … 64GiB}.
   *
   * @throws InvalidInputException with the list of sizes if there is no such shape
   */
  public static SectorShape of(String name) {
    for (SectorShape shape : ALL) {
      if (shape.name.equals(name)) {
        return shape;
      }
    }
    throw new InvalidInputException("no sector size " + name + "; the sizes are " + names());
  }

  /**
   * The shape of a size in bytes.
   *
   * @throws InvalidInputException with the list of sizes if there is no such shape
   */
  public static SectorShape ofBytes(long sectorBytes) {
    for (SectorShape shape : ALL) {
      if (shape.sectorBytes == sectorBytes) {
        return shape;
      }
    }
    throw new InvalidInputException(
        "no sector size of " + sectorBytes + " bytes; the sizes are " + names());
  }

  /** Nodes of 32 bytes: a power of two. */
  public long nodes() {
    return sectorBytes / Nodes.BYTES;
  }

  /** log2 of the nodes: the levels of the binary tree D. */
  public int nodesLog() {
    return logOf(nodes());
  }

  /** Levels of one base tree, leaves not counted. */
  public int baseLevels() {
    return (nodesLog() - logOf(Math.max(1, subArity)) - logOf(Math.max(1, topArity))) / 3;
  }

  /** Levels of a whole Poseidon tree: base, sub and top, leaves not counted. */
  public int poseidonLevels() {
    return baseLevels() + (subArity == 0 ? 0 : 1) + (topArity == 0 ? 0 : 1);
  }

  /** The arity at a level of a Poseidon tree; level 0 joins leaves. */
  public int poseidonArity(int level) {
    int above = level - baseLevels();
    return above < 0 ? baseArity : above == 0 ? subArity : topArity;
  }

  /** The form of a Poseidon inclusion proof. */
  public InclusionProof.Form poseidonForm() {
    return subArity == 0
        ? InclusionProof.Form.SINGLE
        : topArity == 0 ? InclusionProof.Form.SUB : InclusionProof.Form.TOP;
  }

  /** The trees as in the parameter files' names: {@code 8-8-0}. */
  public String tree() {
    return baseArity + "-" + subArity + "-" + topArity;
  }

  private static String names() {
    return ALL.stream().map(SectorShape::name).collect(Collectors.joining(", "));
  }

  private static int logOf(long powerOfTwo) {
    return Long.numberOfTrailingZeros(powerOfTwo);
  }
}
