package io.cuzk.groth16;

import io.cuzk.InvalidInputException;
import io.cuzk.curve.Group;
import io.cuzk.field.CoefficientOrder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Where everything lies in a {@link NativeKeyFile}: its header. All of it follows from the five
 * parameters, so that a header is checked by making it again. Little-endian; offsets in bytes:
 *
 * <pre>
 *   0 magic "cuzk-key"     8 format version, int      12 state, int: 0 in the making, 1 whole
 *  16 header bytes        24 file bytes               32 source's bytes
 *  40 source's digest (16 bytes)                      56 bytes of a chunk, int
 *  60 sections, int       64 order of h (16 bytes, ASCII)
 *  80 bytes of vk, int    84 offset of vk, int        88 offset of the checksums
 *  96 sections, 40 bytes each: name (8 bytes), group (int), bytes of a point (int), points, offset,
 *     first chunk (int), chunks (int)
 *     vk in bellperson's encoding; CRC-32C of every chunk, ints; CRC-32C of all that, the last int
 * </pre>
 *
 * <p>Header and sections begin at pages; a section is cut into chunks, the last one padded with
 * zeros to a page.
 *
 * @param sourceDigest of the {@code .params} file, 32 hex digits
 * @param vk the verifying key's bytes; not copied
 * @param counts points of h, l, a, b_g1, b_g2
 */
record NativeKeyLayout(
    String sourceDigest, long sourceBytes, CoefficientOrder hOrder, byte[] vk, List<Long> counts) {
  static final int VERSION = 1;
  static final int PAGE = 4096;

  /** 8192 points of G1 or 4096 of G2: whole pages. */
  static final int CHUNK = 192 * PAGE;

  static final int STATE_OFFSET = 12;

  private static final byte[] MAGIC = "cuzk-key".getBytes(StandardCharsets.US_ASCII);
  private static final int WHOLE = 1;
  private static final int FIXED = 96;
  private static final int SECTION = 40;

  /** More than a key of 64 GiB sectors needs by far. */
  private static final int MAX_HEADER = 1 << 27;

  /** One section; {@code padded} bytes from {@code offset} on are covered by its chunks. */
  record Section(
      String name, Group group, long count, long offset, long padded, int firstChunk, int chunks) {
    int pointBytes() {
      return Long.BYTES * group.affineWords();
    }

    int chunkPoints() {
      return CHUNK / pointBytes();
    }

    /** Bytes of chunk j, padding included. */
    int chunkBytes(int j) {
      return (int) Math.min(CHUNK, padded - (long) j * CHUNK);
    }

    /** Points of chunk j. */
    int pointsIn(int j) {
      return (int) Math.min(chunkPoints(), count - (long) j * chunkPoints());
    }
  }

  NativeKeyLayout {
    counts = List.copyOf(counts);
  }

  private static long pages(long bytes) {
    return Math.ceilDiv(bytes, PAGE) * PAGE;
  }

  private int vkOffset() {
    return FIXED + ParameterFile.NAMES.size() * SECTION;
  }

  int tableOffset() {
    return Math.ceilDiv(vkOffset() + vk.length, 8) * 8;
  }

  int chunks() {
    Section last = sections(0).getLast();
    return last.firstChunk() + last.chunks();
  }

  int headerBytes() {
    return Math.toIntExact(pages(tableOffset() + 4L * chunks() + 4));
  }

  long fileBytes() {
    Section last = sections().getLast();
    return last.offset() + last.padded();
  }

  List<Section> sections() {
    return sections(headerBytes());
  }

  private List<Section> sections(long begin) {
    List<Section> sections = new ArrayList<>();
    long at = begin;
    int chunk = 0;
    for (int i = 0; i < counts.size(); i++) {
      String name = ParameterFile.NAMES.get(i);
      Group group = ParameterFile.group(name);
      long padded = pages(counts.get(i) * Long.BYTES * group.affineWords());
      int chunks = Math.toIntExact(Math.ceilDiv(padded, CHUNK));
      sections.add(new Section(name, group, counts.get(i), at, padded, chunk, chunks));
      at += padded;
      chunk += chunks;
    }
    return sections;
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] ascii(String text, int length) {
    return Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), length);
  }

  /** The header of a file in the making: no checksums yet. */
  byte[] header() {
    byte[] header = new byte[headerBytes()];
    ByteBuffer out = littleEndian(header);
    out.put(MAGIC).putInt(VERSION).putInt(0).putLong(header.length).putLong(fileBytes());
    out.putLong(sourceBytes).put(HexFormat.of().parseHex(sourceDigest)).putInt(CHUNK);
    out.putInt(counts.size()).put(ascii(hOrder.name(), 16));
    out.putInt(vk.length).putInt(vkOffset()).putLong(tableOffset());
    for (Section s : sections()) {
      out.put(ascii(s.name(), 8)).putInt(s.group() == Group.G1 ? 1 : 2).putInt(s.pointBytes());
      out.putLong(s.count()).putLong(s.offset()).putInt(s.firstChunk()).putInt(s.chunks());
    }
    out.put(vk);
    return header;
  }

  /** The header of a whole file, from one in the making with all chunks' checksums in it. */
  static byte[] seal(byte[] header) {
    ByteBuffer out = littleEndian(header);
    out.putInt(STATE_OFFSET, WHOLE);
    return out.putInt(header.length - 4, crc(header, header.length - 4)).array();
  }

  /** Whether a header says the same, state and checksums aside. */
  boolean agrees(byte[] found) {
    byte[] mine = header();
    return found.length == mine.length
        && Arrays.equals(mine, 0, STATE_OFFSET, found, 0, STATE_OFFSET)
        && Arrays.equals(mine, 16, tableOffset(), found, 16, tableOffset());
  }

  private static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  /** Whether these first bytes of a file are a native key's. */
  static boolean isMagic(byte[] first) {
    return Arrays.equals(Arrays.copyOf(first, MAGIC.length), MAGIC);
  }

  /**
   * How long a file's header says it is.
   *
   * @param first the first bytes of the file, {@value #FIXED} where it has so many
   * @param size the file's length
   * @throws InvalidInputException if it is no whole file of this version and that length
   */
  static int headerBytes(byte[] first, long size, Path path) {
    if (!isMagic(first)) {
      throw new InvalidInputException(
          "%s is no native key file: it does not begin with \"cuzk-key\"".formatted(path));
    }
    if (first.length < FIXED) {
      throw bad(path, "truncated: it has %d bytes, a header has more".formatted(size));
    }
    ByteBuffer in = littleEndian(first);
    if (in.getInt(8) != VERSION) {
      throw bad(path, "its format is %d, this version reads %d".formatted(in.getInt(8), VERSION));
    }
    if (in.getInt(STATE_OFFSET) != WHOLE) {
      throw bad(path, "it was never finished (state %d)".formatted(in.getInt(STATE_OFFSET)));
    }
    if (in.getLong(24) != size) {
      throw bad(path, "it has %d bytes, its header says %d".formatted(size, in.getLong(24)));
    }
    long header = in.getLong(16);
    if (header < FIXED || header > Math.min(size, MAX_HEADER) || header % PAGE != 0) {
      throw bad(path, "its header says that it has %d bytes itself".formatted(header));
    }
    return (int) header;
  }

  /**
   * Reads a header.
   *
   * @throws InvalidInputException if its checksum is another or it does not hold together
   */
  static NativeKeyLayout read(byte[] header, Path path) {
    ByteBuffer in = littleEndian(header);
    int expected = in.getInt(header.length - 4);
    int found = crc(header, header.length - 4);
    if (found != expected) {
      throw bad(
          path, "its header is damaged: checksum %08x, found %08x".formatted(expected, found));
    }
    int vkBytes = in.getInt(80);
    int vkOffset = in.getInt(84);
    int last = FIXED + ParameterFile.NAMES.size() * SECTION;
    if (vkOffset != last || vkBytes < 0 || vkBytes > header.length - vkOffset) {
      throw bad(path, "its header has a key of %d bytes at %d".formatted(vkBytes, vkOffset));
    }
    List<Long> counts = new ArrayList<>();
    for (int at = FIXED; at < last; at += SECTION) {
      long count = in.getLong(at + 16);
      if (count < 0 || count > 1L << 32) {
        throw bad(path, "its header has a section of %d points".formatted(count));
      }
      counts.add(count);
    }
    NativeKeyLayout layout =
        new NativeKeyLayout(
            HexFormat.of().formatHex(header, 40, 56),
            in.getLong(32),
            order(new String(header, 64, 16, StandardCharsets.US_ASCII).strip(), path),
            Arrays.copyOfRange(header, vkOffset, vkOffset + vkBytes),
            counts);
    if (!layout.agrees(header)) {
      throw bad(path, "the offsets in its header do not follow from its counts");
    }
    return layout;
  }

  private static CoefficientOrder order(String padded, Path path) {
    String name = padded.replace("\0", "");
    for (CoefficientOrder order : CoefficientOrder.values()) {
      if (order.name().equals(name)) {
        return order;
      }
    }
    throw bad(path, "its points of h are in an order unknown here: \"%s\"".formatted(name));
  }

  /** A refusal with its remedy. */
  static InvalidInputException bad(Path path, String what) {
    String name = path.toString();
    String source =
        name.endsWith(NativeKeyFile.SUFFIX)
            ? name.substring(0, name.length() - NativeKeyFile.SUFFIX.length())
            : "FILE.params";
    return new InvalidInputException(
        ("native key file %s cannot be used: %s; make it again with 'cuzk params convert %s', or"
                + " delete it to prove from the .params file itself")
            .formatted(path, what, source));
  }
}
