package io.cuzk.curve;

import io.cuzk.InvalidInputException;
import io.cuzk.field.Fp;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The encodings of points that zcash, blst and all of Filecoin use: big-endian coordinates (G2: c1
 * before c0), compressed as x with a sign or uncompressed as x ‖ y, and three flags in the top bits
 * of the first byte.
 *
 * <p>Decoding is strict: canonical coordinates, no stray flag or bit, on the curve and, unless told
 * otherwise, in the subgroup. As in blst, an uncompressed G1 infinity may have its compressed flag
 * set. Points are affine Montgomery words as in {@link Group}. Stateless and thread-safe; a decoded
 * array is written only if all checks pass.
 */
public final class PointEncoding {
  /** What a decoded point is checked for beyond its canonical form. */
  public enum Check {
    /** On the curve; for points of a file whose digest is known. */
    CURVE,
    /** On the curve and in the subgroup of order r. */
    SUBGROUP
  }

  private static final int COMPRESSED = 0x80;
  private static final int INFINITY = 0x40;
  private static final int LARGEST = 0x20;
  private static final int FLAGS = COMPRESSED | INFINITY | LARGEST;

  /** (p − 1)/2 as canonical words. */
  private static final long[] HALF = half();

  private PointEncoding() {}

  /** Bytes of a compressed point: 48 or 96. */
  public static int compressedBytes(Group group) {
    return 8 * group.field().words();
  }

  /** Bytes of an uncompressed point: 96 or 192. */
  public static int uncompressedBytes(Group group) {
    return 16 * group.field().words();
  }

  /** Writes the compressed encoding of an affine point. */
  public static void encodeCompressed(Group group, byte[] out, int at, long[] affine, int ao) {
    int n = group.field().words();
    if (group.isAffineInfinity(affine, ao)) {
      writeInfinity(out, at, compressedBytes(group), COMPRESSED | INFINITY);
      return;
    }
    writeCoordinate(n, out, at, affine, ao);
    out[at] |= (byte) (isLargest(n, affine, ao + n) ? COMPRESSED | LARGEST : COMPRESSED);
  }

  /** Writes the uncompressed encoding of an affine point. */
  public static void encodeUncompressed(Group group, byte[] out, int at, long[] affine, int ao) {
    int n = group.field().words();
    if (group.isAffineInfinity(affine, ao)) {
      writeInfinity(out, at, uncompressedBytes(group), INFINITY);
      return;
    }
    writeCoordinate(n, out, at, affine, ao);
    writeCoordinate(n, out, at + 8 * n, affine, ao + n);
  }

  /**
   * Reads a compressed point.
   *
   * @throws InvalidInputException naming what is wrong with it
   */
  public static void decodeCompressed(
      Group group, byte[] in, int at, long[] affine, int ao, Check check) {
    int n = group.field().words();
    int bytes = compressedBytes(group);
    int flags = in[at] & FLAGS;
    if ((flags & COMPRESSED) == 0) {
      throw invalid(group, in, at, bytes, "the compressed flag 0x80 is not set in byte 0");
    }
    if ((flags & INFINITY) != 0) {
      requireBareInfinity(group, in, at, bytes);
      group.setAffineInfinity(affine, ao);
      return;
    }
    long[] point = new long[2 * n];
    readCoordinate(group, point, 0, in, at, in, at, bytes, "x");
    group.rightHandSide(point, n, point, 0);
    if (!group.field().sqrt(point, n, point, n)) {
      throw invalid(group, in, at, bytes, "no point of the curve has this x");
    }
    if (isLargest(n, point, n) != ((flags & LARGEST) != 0)) {
      group.field().neg(point, n, point, n);
    }
    requireMember(group, in, at, bytes, point, check);
    System.arraycopy(point, 0, affine, ao, 2 * n);
  }

  /**
   * Reads an uncompressed point.
   *
   * @throws InvalidInputException naming what is wrong with it
   */
  public static void decodeUncompressed(
      Group group, byte[] in, int at, long[] affine, int ao, Check check) {
    int n = group.field().words();
    int bytes = uncompressedBytes(group);
    int flags = in[at] & FLAGS;
    if (flags == INFINITY || (flags == (COMPRESSED | INFINITY) && group == Group.G1)) {
      requireBareInfinity(group, in, at, bytes);
      group.setAffineInfinity(affine, ao);
      return;
    }
    if (flags != 0) {
      throw invalid(
          group,
          in,
          at,
          bytes,
          "flags 0x%02x in byte 0, expected none (or 0x40 alone for infinity)".formatted(flags));
    }
    long[] point = new long[2 * n];
    readCoordinate(group, point, 0, in, at, in, at, bytes, "x");
    readCoordinate(group, point, n, in, at + 8 * n, in, at, bytes, "y");
    // All zero words stand for infinity inside, which has only the flagged encoding outside.
    if (group.isAffineInfinity(point, 0) || !group.isOnCurve(point, 0)) {
      throw invalid(group, in, at, bytes, "the point is not on the curve");
    }
    requireMember(group, in, at, bytes, point, check);
    System.arraycopy(point, 0, affine, ao, 2 * n);
  }

  private static void writeInfinity(byte[] out, int at, int bytes, int flags) {
    Arrays.fill(out, at, at + bytes, (byte) 0);
    out[at] = (byte) flags;
  }

  private static void writeCoordinate(int n, byte[] out, int at, long[] x, int xo) {
    for (int i = n - Fp.WORDS; i >= 0; i -= Fp.WORDS) {
      Fp.toBytesBigEndian(out, at + 8 * (n - Fp.WORDS - i), x, xo + i);
    }
  }

  private static void readCoordinate(
      Group group,
      long[] x,
      int xo,
      byte[] in,
      int at,
      byte[] whole,
      int start,
      int bytes,
      String name) {
    int n = group.field().words();
    byte[] part = new byte[Fp.BYTES];
    for (int i = n - Fp.WORDS; i >= 0; i -= Fp.WORDS) {
      int from = at + 8 * (n - Fp.WORDS - i);
      System.arraycopy(in, from, part, 0, Fp.BYTES);
      if (from == start) {
        part[0] &= (byte) ~FLAGS;
      }
      if (!Fp.fromBytesBigEndian(x, xo + i, part, 0)) {
        String half = n == Fp.WORDS ? "" : i == 0 ? ".c0" : ".c1";
        throw invalid(
            group,
            whole,
            start,
            bytes,
            name
                + half
                + " is not canonical: "
                + HexFormat.of().formatHex(part)
                + " is not below the modulus "
                + Fp.MODULUS.toString(16));
      }
    }
  }

  private static void requireBareInfinity(Group group, byte[] in, int at, int bytes) {
    int or = in[at] & ~(COMPRESSED | INFINITY);
    for (int i = 1; i < bytes; i++) {
      or |= in[at + i];
    }
    if ((or & 0xff) != 0) {
      throw invalid(group, in, at, bytes, "flagged as infinity, but other bits are set");
    }
  }

  private static void requireMember(
      Group group, byte[] in, int at, int bytes, long[] point, Check check) {
    if (check == Check.SUBGROUP && !group.isInSubgroup(point, 0)) {
      throw invalid(
          group, in, at, bytes, "the point is on the curve, but not in the subgroup of order r");
    }
  }

  private static InvalidInputException invalid(
      Group group, byte[] in, int at, int bytes, String what) {
    return new InvalidInputException(
        "bad %s point of %d bytes: %s; found %s"
            .formatted(group.name(), bytes, what, HexFormat.of().formatHex(in, at, at + bytes)));
  }

  /** Whether y is the larger of y and −y: by c1 for Fp2, by c0 where c1 = 0. */
  private static boolean isLargest(int n, long[] y, int yo) {
    long[] words = new long[Fp.WORDS];
    for (int i = n - Fp.WORDS; i >= 0; i -= Fp.WORDS) {
      if (i > 0 && Fp.isZero(y, yo + i)) {
        continue;
      }
      Fp.toCanonical(words, 0, y, yo + i);
      for (int w = Fp.WORDS - 1; w >= 0; w--) {
        int order = Long.compareUnsigned(words[w], HALF[w]);
        if (order != 0) {
          return order > 0;
        }
      }
    }
    return false;
  }

  private static long[] half() {
    long[] words = new long[Fp.WORDS];
    for (int i = 0; i < Fp.WORDS; i++) {
      words[i] = Fp.MODULUS.shiftRight(64 * i + 1).longValue();
    }
    return words;
  }
}
