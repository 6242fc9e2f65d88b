package io.cuzk.groth16;

import io.cuzk.InvalidInputException;
import io.cuzk.curve.Group;
import io.cuzk.field.CoefficientOrder;
import io.cuzk.field.Fp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Objects;

/**
 * Uncompressed points of a mapped file, decoded to Montgomery words as they are read: two (G1) or
 * four (G2) multiplications a point, nothing allocated. Reading checks flags and canonicity, which
 * costs nothing beside; curve and subgroup are {@link ParameterCheck}'s. Thread-safe.
 */
final class MappedPoints implements CheckedPoints {
  private static final ValueLayout.OfLong BIG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** Compressed, infinity and sign: none may be set in a parameter file. */
  private static final long FLAGS = 0xe000000000000000L;

  private final String file;
  private final String section;
  private final Group group;
  private final MemorySegment bytes;
  private final MappedBytes mapped;
  private final long size;

  MappedPoints(String file, String section, Group group, MemorySegment bytes) {
    this.file = file;
    this.section = section;
    this.group = group;
    this.bytes = bytes;
    this.mapped = new MappedBytes(bytes);
    this.size = bytes.byteSize() / encodedBytes(group);
  }

  private static int encodedBytes(Group group) {
    return 8 * group.affineWords();
  }

  @Override
  public Group group() {
    return group;
  }

  @Override
  public long size() {
    return size;
  }

  /**
   * Decodes points.
   *
   * @throws InvalidInputException naming file, section and index of a point with flags (infinity is
   *     one) or a coordinate that is not canonical
   */
  @Override
  public void read(long from, int count, long[] out, int at) {
    Objects.checkFromIndexSize(from, count, size);
    int words = group.affineWords();
    int coordinate = group.field().words();
    long place = from * encodedBytes(group);
    for (int i = 0; i < count; i++) {
      int point = at + i * words;
      for (int half = 0; half < words; half += coordinate) {
        // In G2 c1 is written before c0.
        for (int part = coordinate - Fp.WORDS; part >= 0; part -= Fp.WORDS) {
          int to = point + half + part;
          for (int w = Fp.WORDS - 1; w >= 0; w--) {
            out[to + w] = bytes.get(BIG, place);
            place += Long.BYTES;
          }
          if (!Fp.isCanonical(out, to)) {
            throw bad(from + i);
          }
          Fp.fromCanonical(out, to, out, to);
        }
      }
      if (group.isAffineInfinity(out, point)) { // x = y = 0 would pass for infinity inside
        throw bad(from + i);
      }
    }
    mapped.taken((long) count * encodedBytes(group));
  }

  /** The points at places from … of another order; neighbours are read together. */
  void read(long from, int count, long[] out, int at, CoefficientOrder order) {
    if (order == CoefficientOrder.NATURAL) {
      read(from, count, out, at);
      return;
    }
    int logSize = Long.numberOfTrailingZeros(size + 1);
    int words = group.affineWords();
    int i = 0;
    while (i < count) {
      long index = order.index(from + i, logSize);
      int run = 1;
      while (i + run < count && order.index(from + i + run, logSize) == index + run) {
        run++;
      }
      read(index, run, out, at + i * words);
      i += run;
    }
  }

  @Override
  public void readChecked(long from, int count, long[] out, int at) {
    read(from, count, out, at);
  }

  private InvalidInputException bad(long index) {
    byte[] raw = raw(index);
    long first = bytes.get(BIG, index * encodedBytes(group));
    String what =
        (first & FLAGS) == 0
            ? "a coordinate is not below the field's modulus, or all are zero"
            : (first & FLAGS) >>> 62 == 1
                ? "it is infinity, which a parameter file never holds"
                : "flag bits are set in byte 0";
    return invalid(index, what + ": " + HexFormat.of().formatHex(raw));
  }

  @Override
  public byte[] raw(long index) {
    byte[] raw = new byte[encodedBytes(group)];
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, index * raw.length, raw, 0, raw.length);
    return raw;
  }

  @Override
  public InvalidInputException invalid(long index, String what) {
    return new InvalidInputException(
        "%s, section %s, point %d of %d: %s".formatted(file, section, index, size, what));
  }

  @Override
  public String section() {
    return section;
  }
}
