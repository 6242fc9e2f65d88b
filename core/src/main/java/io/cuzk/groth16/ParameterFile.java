package io.cuzk.groth16;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.curve.Group;
import io.cuzk.curve.PointEncoding;
import io.cuzk.parallel.Workers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A bellperson {@code .params} file, mapped into memory: a verifying key, then the sections h, l,
 * a, b_g1, b_g2, each an unsigned big-endian int and that many uncompressed points.
 *
 * <p>Opening reads the key and the five counts and compares what they add up to with the length of
 * the file, to the byte; it reads no other point, so it takes milliseconds at any size. The points
 * of the file are checked by its digest ({@link TrustedDigest}) and, all of them, by {@link
 * #check}. Thread-safe; the points may not be read after {@link #close}.
 */
public final class ParameterFile implements ProvingKeyFile {
  /**
   * A section of the file.
   *
   * @param countOffset where the count lies
   * @param dataOffset where the points begin
   */
  public record Section(String name, Group group, long countOffset, long dataOffset, long count) {
    /** Bytes of the points. */
    public long bytes() {
      return count * PointEncoding.uncompressedBytes(group);
    }
  }

  private static final ValueLayout.OfInt COUNT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** The sections after the key, in the order of the file. */
  static final List<String> NAMES = List.of("h", "l", "a", "b_g1", "b_g2");

  private final Path path;
  private final Arena arena;
  private final long bytes;
  private final VerifyingKey vk;
  private final List<Section> sections;
  private final List<MappedPoints> points;

  /** Set once, before the file is handed out, if its digest was checked. */
  private String checkedDigest = "";

  private ParameterFile(
      Path path,
      Arena arena,
      long bytes,
      VerifyingKey vk,
      List<Section> sections,
      List<MappedPoints> points) {
    this.path = path;
    this.arena = arena;
    this.bytes = bytes;
    this.vk = vk;
    this.sections = List.copyOf(sections);
    this.points = List.copyOf(points);
  }

  /**
   * Maps a file and reads its key and table of sections.
   *
   * @throws InvalidInputException naming the file, the section, what was found and expected
   * @throws InfrastructureException if it cannot be read
   */
  @SuppressWarnings("MustBeClosedChecker") // the arena lives as long as what is returned
  public static ParameterFile open(Path path) {
    Arena arena = Arena.ofShared();
    boolean good = false;
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = channel.size();
      MemorySegment file = channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
      ParameterFile opened = parse(path, arena, file, size);
      good = true;
      return opened;
    } catch (NoSuchFileException e) {
      throw new InvalidInputException("parameter file " + path + " does not exist", e);
    } catch (IOException e) {
      throw new InfrastructureException("cannot read parameter file " + path + ": " + e, e);
    } finally {
      if (!good) {
        arena.close();
      }
    }
  }

  private static ParameterFile parse(Path path, Arena arena, MemorySegment file, long size) {
    if (size < VerifyingKey.HEADER_BYTES) {
      throw new InvalidInputException(
          "%s, section vk: truncated: the file has %d bytes, expected at least %d"
              .formatted(path, size, VerifyingKey.HEADER_BYTES));
    }
    long keyBytes =
        VerifyingKey.bytesNeeded(
            file.asSlice(0, VerifyingKey.HEADER_BYTES).toArray(ValueLayout.JAVA_BYTE),
            path.toString());
    if (size < keyBytes) {
      throw new InvalidInputException(
          "%s, section vk: truncated: the file has %d bytes, expected at least %d"
              .formatted(path, size, keyBytes));
    }
    List<Section> sections = new ArrayList<>();
    long at = keyBytes;
    for (String name : NAMES) {
      Group group = group(name);
      if (size - at < Integer.BYTES) {
        throw new InvalidInputException(
            "%s, section %s: truncated: its count is at offset %d, the file has %d bytes"
                .formatted(path, name, at, size));
      }
      long count = file.get(COUNT, at) & 0xffffffffL;
      Section section = new Section(name, group, at, at + Integer.BYTES, count);
      if (section.bytes() > size - section.dataOffset()) {
        throw new InvalidInputException(
            "%s, section %s: truncated or a wrong count: %d points at offset %d need %d bytes, found"
                    .formatted(path, name, count, section.dataOffset(), section.bytes())
                + " %d bytes up to the end of the file (%d bytes)"
                    .formatted(size - section.dataOffset(), size));
      }
      sections.add(section);
      at = section.dataOffset() + section.bytes();
    }
    if (at != size) {
      throw new InvalidInputException(
          "%s: %d trailing bytes after section b_g2: the file has %d bytes, expected %d"
              .formatted(path, size - at, size, at));
    }
    VerifyingKey vk =
        VerifyingKey.read(
            file.asSlice(0, keyBytes).toArray(ValueLayout.JAVA_BYTE), path + ", section vk");
    requireShape(path, vk, sections.stream().map(Section::count).toList());
    List<MappedPoints> points = new ArrayList<>();
    for (Section section : sections) {
      points.add(
          new MappedPoints(
              path.toString(),
              section.name(),
              section.group(),
              file.asSlice(section.dataOffset(), section.bytes())));
    }
    return new ParameterFile(path, arena, size, vk, sections, points);
  }

  /** The group of a section's points. */
  static Group group(String section) {
    return section.equals("b_g2") ? Group.G2 : Group.G1;
  }

  /** What must hold between the counts, whatever the circuit. */
  static void requireShape(Path path, VerifyingKey vk, List<Long> counts) {
    long h = counts.get(0);
    long l = counts.get(1);
    long a = counts.get(2);
    long b1 = counts.get(3);
    long b2 = counts.get(4);
    if (Long.bitCount(h + 1) != 1 || h < 1) {
      throw new InvalidInputException(
          "%s, section h: %d points, expected a power of two less one".formatted(path, h));
    }
    if (a < vk.inputs() || a > vk.inputs() + l) {
      throw new InvalidInputException(
          "%s, section a: %d points, expected %d (inputs) to %d (inputs and auxiliaries)"
              .formatted(path, a, vk.inputs(), vk.inputs() + l));
    }
    if (b1 != b2 || b1 > vk.inputs() + l) {
      throw new InvalidInputException(
          "%s, section b_g2: %d points, expected as many as b_g1 (%d), at most %d"
              .formatted(path, b2, b1, vk.inputs() + l));
    }
  }

  @Override
  public ProvingKey provingKey() {
    return new ProvingKey(
        path.toString(),
        checkedDigest,
        vk,
        points.get(0),
        points.get(1),
        points.get(2),
        points.get(3),
        points.get(4));
  }

  /**
   * Opens a file for proving: its digest is checked first, and its verifying key compared with the
   * one beside it.
   *
   * @param vkFile the {@code .vk} file, whose digest is checked too
   * @throws InvalidInputException if a digest or the key differs, naming file, expected and found
   */
  public static ParameterFile openTrusted(Path path, Path vkFile) {
    TrustedDigest.require(vkFile);
    VerifyingKey beside = VerifyingKey.read(vkFile);
    ParameterFile file = open(path);
    try {
      file.checkedDigest = TrustedDigest.require(path).digest();
      if (!file.vk.equals(beside)) {
        throw new InvalidInputException(
            "%s and %s are of different parameters: verifying key digests %s and %s"
                .formatted(path, vkFile, file.vk.digest(), beside.digest()));
      }
      return file;
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Checks every point: canonical, on the curve, and if asked in the subgroup; on all threads.
   *
   * @param progress told of points checked so far, of all
   * @throws InvalidInputException naming section and index of the first bad point
   */
  public void check(PointEncoding.Check level, Workers workers, Progress progress) {
    ParameterCheck.check(points, level, workers, progress);
  }

  /**
   * Digests the file and its sections, reading it twice, in the form that is left beside it.
   *
   * @param origin who vouches for it
   */
  public DigestSidecar digest(String origin) {
    return digest(path.getFileName().toString(), origin);
  }

  DigestSidecar digest(String fileName, String origin) {
    List<DigestSidecar.SectionDigest> parts = new ArrayList<>();
    parts.add(new DigestSidecar.SectionDigest("vk", 0, sections.getFirst().countOffset(), ""));
    for (Section section : sections) {
      parts.add(
          new DigestSidecar.SectionDigest(
              section.name(), section.countOffset(), Integer.BYTES + section.bytes(), ""));
    }
    return DigestSidecar.of(path, fileName, origin, parts);
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public String layout() {
    return "params";
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public VerifyingKey vk() {
    return vk;
  }

  /** The points of a section, in order of {@link #NAMES}. */
  MappedPoints points(int section) {
    return points.get(section);
  }

  /** The five sections after the key, in order. */
  public List<Section> sections() {
    return sections;
  }

  @Override
  public void close() {
    arena.close();
  }
}
