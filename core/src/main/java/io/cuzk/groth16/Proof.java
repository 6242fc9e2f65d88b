package io.cuzk.groth16;

import io.cuzk.InvalidInputException;
import io.cuzk.curve.Group;
import io.cuzk.curve.PointEncoding;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A Groth16 proof (A, B, C) over BLS12-381: A and C in G1, B in G2, none of them infinity, all in
 * the subgroups of order r. Its encoding is A ‖ B ‖ C compressed, 48 + 96 + 48 bytes, as
 * bellperson's and the Filecoin chain's. Immutable; equal proofs have equal encodings.
 */
public final class Proof {
  /** Bytes of an encoded proof. */
  public static final int BYTES = 192;

  private static final int B_AT = 48;
  private static final int C_AT = 144;

  private final long[] a;
  private final long[] b;
  private final long[] c;
  private final byte[] encoded;

  private Proof(long[] a, long[] b, long[] c, byte[] encoded) {
    this.a = a;
    this.b = b;
    this.c = c;
    this.encoded = encoded;
  }

  /** A proof of affine points (Montgomery words), which must not be infinity. */
  static Proof of(long[] a, long[] b, long[] c) {
    byte[] encoded = new byte[BYTES];
    PointEncoding.encodeCompressed(Group.G1, encoded, 0, a, 0);
    PointEncoding.encodeCompressed(Group.G2, encoded, B_AT, b, 0);
    PointEncoding.encodeCompressed(Group.G1, encoded, C_AT, c, 0);
    return new Proof(a.clone(), b.clone(), c.clone(), encoded);
  }

  /**
   * Decodes 192 bytes with every check: canonical, on the curve, in the subgroup, not infinity.
   *
   * @throws InvalidInputException naming the point and what is wrong with it
   */
  public static Proof decode(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new InvalidInputException(
          "a proof has " + BYTES + " bytes, found " + bytes.length + " bytes");
    }
    return new Proof(
        point(Group.G1, "A", bytes, 0),
        point(Group.G2, "B", bytes, B_AT),
        point(Group.G1, "C", bytes, C_AT),
        bytes.clone());
  }

  private static long[] point(Group group, String name, byte[] bytes, int at) {
    long[] affine = new long[group.affineWords()];
    try {
      PointEncoding.decodeCompressed(group, bytes, at, affine, 0, PointEncoding.Check.SUBGROUP);
    } catch (InvalidInputException e) {
      throw new InvalidInputException("proof point " + name + ": " + e.getMessage(), e);
    }
    if (group.isAffineInfinity(affine, 0)) {
      throw new InvalidInputException("proof point " + name + " is infinity");
    }
    return affine;
  }

  /** The 192 bytes. */
  public byte[] encode() {
    return encoded.clone();
  }

  /** The 192 bytes as hex. */
  public String hex() {
    return HexFormat.of().formatHex(encoded);
  }

  long[] a() {
    return a;
  }

  long[] b() {
    return b;
  }

  long[] c() {
    return c;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Proof proof && Arrays.equals(encoded, proof.encoded);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(encoded);
  }

  @Override
  public String toString() {
    return "Proof " + hex();
  }
}
