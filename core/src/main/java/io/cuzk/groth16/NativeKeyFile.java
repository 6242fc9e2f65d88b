package io.cuzk.groth16;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.curve.PointEncoding;
import io.cuzk.field.CoefficientOrder;
import io.cuzk.parallel.HostLock;
import io.cuzk.parallel.Workers;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/**
 * A proving key in the form that provers compute with, mapped into memory; made from a {@code
 * .params} file by {@link NativeKeyWriter} and kept beside it as {@code FILE.params.native}.
 *
 * <p>Points are reduced Montgomery words (R = 2^384) x ‖ y, little-endian, 96 or 192 bytes: the
 * scalar arithmetic takes them as they are, the lanes cut them into limbs as they load. That is as
 * many bytes as the {@code .params} has and three quarters of what limbs as doubles would be. h
 * lies in the order in which the lanes' transform leaves the quotient's coefficients.
 *
 * <p>Opening reads the header. The points are covered by CRC-32C, a chunk of {@value
 * NativeKeyLayout#CHUNK} bytes each: it finds any damage at memory speed; whoever could forge a
 * chunk could forge the checksums beside it, so a stronger digest would vouch for no more. What
 * ties the file to trusted parameters is its source's digest and its verifying key.
 */
public final class NativeKeyFile implements ProvingKeyFile {
  /** What is appended to the source's name. */
  public static final String SUFFIX = ".native";

  private static final ValueLayout.OfInt CHECKSUM =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** A section: points from {@code offset} on, under so many checksums. */
  public record Section(String name, long count, int pointBytes, long offset, int chunks) {}

  private final Path path;
  private final Arena arena;
  private final MemorySegment file;
  private final NativeKeyLayout layout;
  private final VerifyingKey vk;
  private final List<NativePoints> points;
  private final String headerDigest;
  private boolean trusted;

  private NativeKeyFile(
      Path path, Arena arena, MemorySegment file, NativeKeyLayout layout, String headerDigest) {
    this.path = path;
    this.arena = arena;
    this.file = file;
    this.layout = layout;
    this.headerDigest = headerDigest;
    vk = VerifyingKey.read(layout.vk(), path + ", vk");
    ParameterFile.requireShape(path, vk, layout.counts());
    List<NativePoints> list = new ArrayList<>();
    for (NativeKeyLayout.Section section : layout.sections()) {
      MemorySegment data = file.asSlice(section.offset(), section.count() * section.pointBytes());
      list.add(new NativePoints(path.toString(), section, data));
    }
    points = List.copyOf(list);
  }

  /** Where the native file of a {@code .params} file lies. */
  public static Path beside(Path params) {
    return params.resolveSibling(params.getFileName() + SUFFIX);
  }

  /** Whether a file is one, by how it begins. */
  public static boolean isOne(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return NativeKeyLayout.isMagic(in.readNBytes(8));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Maps a file and reads its header; no point is read.
   *
   * @throws InvalidInputException naming the file, what was found and expected, and the remedy
   * @throws InfrastructureException if it cannot be read
   */
  @SuppressWarnings("MustBeClosedChecker") // the arena lives as long as what is returned
  public static NativeKeyFile open(Path path) {
    Arena arena = Arena.ofShared();
    boolean good = false;
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = channel.size();
      MemorySegment file = channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
      byte[] first = bytes(file, Math.min(size, NativeKeyLayout.PAGE));
      byte[] header = bytes(file, NativeKeyLayout.headerBytes(first, size, path));
      NativeKeyLayout layout = NativeKeyLayout.read(header, path);
      if (layout.fileBytes() != size) {
        throw NativeKeyLayout.bad(
            path, "it has %d bytes, expected %d".formatted(size, layout.fileBytes()));
      }
      NativeKeyFile opened =
          new NativeKeyFile(path, arena, file, layout, FileDigest.blake2bOf(header));
      good = true;
      return opened;
    } catch (NoSuchFileException e) {
      throw new InvalidInputException("native key file " + path + " does not exist", e);
    } catch (IOException e) {
      throw new InfrastructureException("cannot read native key file " + path + ": " + e, e);
    } finally {
      if (!good) {
        arena.close();
      }
    }
  }

  private static byte[] bytes(MemorySegment file, long count) {
    return file.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE);
  }

  /**
   * Opens a file for proving: it must have been made from the parameters beside it, be whole, and
   * hold the verifying key beside it. The {@code .params} file itself is not read. Like those, a
   * file of up to 4 GiB is summed each time, a larger one when its stamp no longer fits.
   *
   * @throws InvalidInputException naming the file, expected and found, and the remedy
   */
  public static NativeKeyFile openTrusted(Path path, Path params, Path vkFile) {
    return openTrusted(path, params, vkFile, TrustedDigest.ALWAYS_HASHED);
  }

  static NativeKeyFile openTrusted(Path path, Path params, Path vkFile, long alwaysSummed) {
    TrustedDigest.require(vkFile);
    VerifyingKey beside = VerifyingKey.read(vkFile);
    ExpectedDigest expected = ExpectedDigest.of(params);
    long sourceBytes = FileStamp.of(params).bytes();
    expected.requireBytes(params, sourceBytes);
    FileStamp before = FileStamp.of(path);
    NativeKeyFile file = open(path);
    try {
      if (!file.sourceDigest().equals(expected.digest()) || file.sourceBytes() != sourceBytes) {
        throw NativeKeyLayout.bad(
            path,
            "stale: it was made from a file of digest %s and %d bytes, %s has %s (according to %s) and %d"
                .formatted(
                    file.sourceDigest(),
                    file.sourceBytes(),
                    params,
                    expected.digest(),
                    expected.source(),
                    sourceBytes));
      }
      if (!file.vk.equals(beside)) {
        throw NativeKeyLayout.bad(
            path,
            "its verifying key has digest %s, the one in %s has %s"
                .formatted(file.vk.digest(), vkFile, beside.digest()));
      }
      if (before.bytes() <= alwaysSummed) {
        file.requireChecksums(Workers.single(), Progress.NONE);
      } else if (!before.fits(path, file.headerDigest)) {
        file.requireChecksumsInTurn(before);
      }
      file.trusted = true;
      return file;
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** One process of a host sums a large file; the others wait for its stamp. */
  private void requireChecksumsInTurn(FileStamp before) {
    try (HostLock turn = FileStamp.turn(path).orElse(null)) {
      if (before.fits(path, headerDigest)) {
        return;
      }
      requireChecksums(Workers.single(), Progress.NONE);
      if (FileStamp.of(path).equals(before)) {
        before.write(path, headerDigest);
      }
    } catch (IOException e) {
      throw new InfrastructureException("cannot give back the lock for " + path + ": " + e, e);
    }
  }

  /**
   * Holds all points against the checksums.
   *
   * @throws InvalidInputException naming section and point, or the range of points, of the first
   *     chunk that is damaged
   */
  public void requireChecksums(Workers workers, Progress progress) {
    AtomicLong done = new AtomicLong();
    for (int i = 0; i < points.size(); i++) {
      NativeKeyLayout.Section section = layout.sections().get(i);
      NativePoints data = points.get(i);
      workers.forRanges(
          section.chunks(),
          1,
          (from, to) -> {
            for (int j = (int) from; j < to; j++) {
              requireChunk(section, data, j);
              progress.advanced("checksums", done.incrementAndGet(), layout.chunks());
            }
          });
      data.unload();
    }
  }

  private void requireChunk(NativeKeyLayout.Section section, NativePoints data, int j) {
    long at = section.offset() + (long) j * NativeKeyLayout.CHUNK;
    CRC32C crc = new CRC32C();
    crc.update(file.asSlice(at, section.chunkBytes(j)).asByteBuffer());
    int expected = file.get(CHECKSUM, layout.tableOffset() + 4L * (section.firstChunk() + j));
    int found = (int) crc.getValue();
    if (found == expected) {
      return;
    }
    long first = (long) j * section.chunkPoints();
    throw NativeKeyLayout.bad(
        path,
        "damaged in section %s, %s of %d: checksum of bytes %d … %d is %08x, expected %08x"
            .formatted(
                section.name(),
                place(data, first, section.pointsIn(j)),
                section.count(),
                at,
                at + section.chunkBytes(j) - 1,
                found,
                expected));
  }

  /** A changed byte nearly always takes its point off the curve. */
  private static String place(NativePoints data, long first, int count) {
    long[] point = new long[data.group().affineWords()];
    for (int i = 0; i < count; i++) {
      try {
        data.readChecked(first + i, 1, point, 0);
      } catch (InvalidInputException e) {
        return "point " + (first + i);
      }
      if (!data.group().isOnCurve(point, 0)) {
        return "point " + (first + i);
      }
    }
    return "points %d … %d".formatted(first, first + count - 1);
  }

  /**
   * The full check: checksums, then every point, canonical, on the curve, and if asked in the
   * subgroup.
   *
   * @throws InvalidInputException naming section and index of the first bad point
   */
  public void check(PointEncoding.Check level, Workers workers, Progress progress) {
    requireChecksums(workers, progress);
    ParameterCheck.check(points, level, workers, progress);
  }

  /** The {@code .params} file beside it that has the name of its source; empty if there is none. */
  public Optional<Path> source() {
    String name = path.getFileName().toString();
    if (!name.endsWith(SUFFIX)) {
      return Optional.empty();
    }
    Path source = path.resolveSibling(name.substring(0, name.length() - SUFFIX.length()));
    return Files.exists(source) ? Optional.of(source) : Optional.empty();
  }

  /**
   * Compares every point with the file that this was made from, after checking that file's digest.
   *
   * @throws InvalidInputException naming the first point that differs, or the digests
   */
  public void requireMadeFrom(Path params, Workers workers, Progress progress) {
    String digest = TrustedDigest.require(params).digest();
    if (!digest.equals(sourceDigest())) {
      throw NativeKeyLayout.bad(
          path,
          "stale: made from a file of digest %s, %s has %s"
              .formatted(sourceDigest(), params, digest));
    }
    try (ParameterFile source = ParameterFile.open(params)) {
      for (int i = 0; i < points.size(); i++) {
        points.get(i).requireEqual(source.points(i), hOrder(), workers, progress);
      }
    }
  }

  /** The order of h. */
  public CoefficientOrder hOrder() {
    return layout.hOrder();
  }

  /** Digest of the {@code .params} file that this was made from. */
  public String sourceDigest() {
    return layout.sourceDigest();
  }

  /** Length of the {@code .params} file that this was made from. */
  public long sourceBytes() {
    return layout.sourceBytes();
  }

  /** The five sections, in order. */
  public List<Section> sections() {
    return layout.sections().stream()
        .map(s -> new Section(s.name(), s.count(), s.pointBytes(), s.offset(), s.chunks()))
        .toList();
  }

  NativeKeyLayout header() {
    return layout;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public String layout() {
    return "native";
  }

  @Override
  public long bytes() {
    return file.byteSize();
  }

  @Override
  public VerifyingKey vk() {
    return vk;
  }

  @Override
  public ProvingKey provingKey() {
    return new ProvingKey(
        path.toString(),
        trusted ? sourceDigest() : "",
        vk,
        hOrder(),
        points.get(0),
        points.get(1),
        points.get(2),
        points.get(3),
        points.get(4));
  }

  @Override
  public void close() {
    arena.close();
  }
}
