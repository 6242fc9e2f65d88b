package io.cuzk.groth16;

import io.cuzk.InvalidInputException;
import io.cuzk.curve.Group;
import io.cuzk.field.CoefficientOrder;
import io.cuzk.field.Fp;
import io.cuzk.parallel.Workers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Points of a mapped {@link NativeKeyFile}: Montgomery words x ‖ y as the arithmetic takes them, so
 * that reading is one copy. Infinity is all zeros. Thread-safe.
 */
final class NativePoints implements CheckedPoints {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final int BLOCK = 1024;

  private final String file;
  private final String section;
  private final Group group;
  private final MappedBytes bytes;
  private final long size;
  private final int pointBytes;

  NativePoints(String file, NativeKeyLayout.Section section, MemorySegment data) {
    this.file = file;
    this.section = section.name();
    this.group = section.group();
    this.size = section.count();
    this.pointBytes = section.pointBytes();
    this.bytes = new MappedBytes(data);
  }

  @Override
  public Group group() {
    return group;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public void read(long from, int count, long[] out, int at) {
    Objects.checkFromIndexSize(from, count, size);
    int words = group.affineWords();
    MemorySegment.copy(bytes.segment(), WORD, from * pointBytes, out, at, count * words);
    bytes.taken((long) count * pointBytes);
  }

  @Override
  public void read(long from, int count, MemorySegment out, long at) {
    Objects.checkFromIndexSize(from, count, size);
    long words = (long) count * group.affineWords();
    MemorySegment.copy(
        bytes.segment(), WORD, from * pointBytes, out, ValueLayout.JAVA_LONG_UNALIGNED, at, words);
    bytes.taken((long) count * pointBytes);
  }

  @Override
  public void readChecked(long from, int count, long[] out, int at) {
    read(from, count, out, at);
    int words = group.affineWords();
    for (int i = 0; i < count; i++) {
      int point = at + i * words;
      for (int w = 0; w < words; w += Fp.WORDS) {
        if (!Fp.isCanonical(out, point + w)) {
          throw invalid(
              from + i, "a coordinate is not below the field's modulus: " + hex(from + i));
        }
      }
      if (group.isAffineInfinity(out, point)) {
        throw invalid(from + i, "it is infinity, which no key holds");
      }
    }
  }

  /** Throws unless these are a source's points, h in {@code hOrder}. */
  void requireEqual(
      MappedPoints source, CoefficientOrder hOrder, Workers workers, Progress progress) {
    if (source.size() != size) {
      throw new InvalidInputException(
          "%s, section %s: %d points, its source has %d"
              .formatted(file, section, size, source.size()));
    }
    AtomicLong done = new AtomicLong();
    workers.forRanges(
        Math.ceilDiv(size, BLOCK),
        1,
        (from, to) -> {
          int words = group.affineWords();
          long[] mine = new long[BLOCK * words];
          long[] theirs = new long[BLOCK * words];
          for (long at = from * BLOCK; at < Math.min(size, to * BLOCK); at += BLOCK) {
            int count = (int) Math.min(BLOCK, size - at);
            read(at, count, mine, 0);
            source.read(
                at, count, theirs, 0, section.equals("h") ? hOrder : CoefficientOrder.NATURAL);
            int differs = Arrays.mismatch(mine, 0, count * words, theirs, 0, count * words);
            if (differs >= 0) {
              throw invalid(at + differs / words, "it is not its source's point");
            }
            progress.advanced("comparing " + section, done.addAndGet(count), size);
          }
        });
  }

  private String hex(long index) {
    return HexFormat.of().formatHex(raw(index));
  }

  @Override
  public byte[] raw(long index) {
    byte[] raw = new byte[pointBytes];
    MemorySegment.copy(
        bytes.segment(), ValueLayout.JAVA_BYTE, index * pointBytes, raw, 0, pointBytes);
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

  /** Lets go of the pages read so far. */
  void unload() {
    bytes.unload();
  }
}
