package io.cuzk.groth16;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.field.CoefficientOrder;
import io.cuzk.parallel.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * Makes the {@link NativeKeyFile} of a {@code .params} file, in chunks, under the name {@code
 * FILE.params.native.part}, which is renamed when it is whole and on disk. A conversion that was
 * cut off is taken up again: chunks that agree with their checksum are kept.
 */
public final class NativeKeyWriter {
  /** The order of every file, whichever arithmetic makes it: that of the default provider. */
  private static final CoefficientOrder H_ORDER = CoefficientOrder.ROW_GROUPS;

  /**
   * What became of a conversion.
   *
   * @param sourceDigest of the {@code .params} file
   * @param chunksFound of all {@code chunks}, how many an earlier conversion had left
   */
  public record Result(Path path, long bytes, String sourceDigest, int chunks, int chunksFound) {}

  private final ParameterFile source;
  private final NativeKeyLayout layout;
  private final byte[] header;
  private final Path target;
  private final Path part;
  private final Workers workers;
  private final Progress progress;

  private NativeKeyWriter(ParameterFile source, String digest, Workers workers, Progress progress) {
    this.source = source;
    this.workers = workers;
    this.progress = progress;
    layout =
        new NativeKeyLayout(
            digest,
            source.bytes(),
            H_ORDER,
            source.vk().toBytes(),
            source.sections().stream().map(ParameterFile.Section::count).toList());
    header = layout.header();
    target = NativeKeyFile.beside(source.path());
    part = target.resolveSibling(target.getFileName() + ".part");
  }

  /**
   * Converts a file, after its digest was checked. A good native file that is there already is
   * kept; one that is stale or damaged is replaced.
   *
   * @throws InvalidInputException if the source's digest is not the expected one, or a point in it
   *     is no encoding
   * @throws InfrastructureException if there is no space or permission, or another conversion of
   *     this file runs
   */
  public static Result convert(Path params, Workers workers, Progress progress) {
    progress.advanced("digest", 0, 1);
    String digest = TrustedDigest.require(params).digest();
    progress.advanced("digest", 1, 1);
    try (ParameterFile source = ParameterFile.open(params)) {
      return new NativeKeyWriter(source, digest, workers, progress).convert();
    }
  }

  private Result convert() {
    if (isGood()) {
      return result(layout.chunks());
    }
    try (FileChannel out =
            FileChannel.open(
                part,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        FileLock lock = lock(out)) {
      if (!lock.isValid()) {
        throw new IllegalStateException("no lock on " + part);
      }
      boolean[] found = begin(out);
      int[] missing = IntStream.range(0, found.length).filter(i -> !found[i]).toArray();
      requireSpace((long) missing.length * NativeKeyLayout.CHUNK);
      write(out, missing);
      finish(out);
      return result(found.length - missing.length);
    } catch (IOException e) {
      throw cannot(e);
    } catch (UncheckedIOException e) {
      throw cannot(e.getCause());
    }
  }

  private Result result(int found) {
    return new Result(target, layout.fileBytes(), layout.sourceDigest(), layout.chunks(), found);
  }

  private InfrastructureException cannot(IOException e) {
    return new InfrastructureException(
        "cannot write native key file %s: %s; what was written stays in %s, and converting again takes it up"
            .formatted(target, e, part.getFileName()),
        e);
  }

  private boolean isGood() {
    if (!Files.exists(target)) {
      return false;
    }
    try (NativeKeyFile there = NativeKeyFile.open(target)) {
      if (!Arrays.equals(there.header().header(), header)) {
        return false;
      }
      there.requireChecksums(workers, progress);
      return true;
    } catch (InvalidInputException e) {
      return false;
    }
  }

  private FileLock lock(FileChannel out) throws IOException {
    FileLock lock = null;
    try {
      lock = out.tryLock();
    } catch (OverlappingFileLockException e) {
      // by this process
    }
    if (lock == null) {
      throw new InfrastructureException(
          "another conversion is writing " + part + ": wait for it to end");
    }
    return lock;
  }

  /** Which chunks are there already, or a new file. */
  private boolean[] begin(FileChannel out) throws IOException {
    boolean[] found = new boolean[layout.chunks()];
    byte[] there = read(out, 0, header.length);
    if (there == null || !layout.agrees(there)) {
      out.truncate(0);
      writeFully(out, ByteBuffer.wrap(header), 0);
      return found;
    }
    ByteBuffer table = ByteBuffer.wrap(there).order(ByteOrder.LITTLE_ENDIAN);
    AtomicLong done = new AtomicLong();
    for (NativeKeyLayout.Section section : layout.sections()) {
      workers.forRanges(
          section.chunks(),
          1,
          (from, to) -> {
            for (int j = (int) from; j < to; j++) {
              int chunk = section.firstChunk() + j;
              int expected = table.getInt(layout.tableOffset() + 4 * chunk);
              byte[] bytes = expected == 0 ? null : readUnchecked(out, section, j);
              found[chunk] = bytes != null && crc(ByteBuffer.wrap(bytes)) == expected;
              progress.advanced("chunks left before", done.incrementAndGet(), found.length);
            }
          });
    }
    return found;
  }

  private static byte[] readUnchecked(FileChannel in, NativeKeyLayout.Section section, int j) {
    try {
      return read(in, section.offset() + (long) j * NativeKeyLayout.CHUNK, section.chunkBytes(j));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bytes, or null if the file ends before. */
  private static byte[] read(FileChannel in, long at, int count) throws IOException {
    if (in.size() < at + count) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.allocate(count);
    while (bytes.hasRemaining()) {
      if (in.read(bytes, at + bytes.position()) < 0) {
        return null;
      }
    }
    return bytes.array();
  }

  private static int crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  private void requireSpace(long needed) throws IOException {
    long free = Files.getFileStore(part).getUsableSpace();
    if (free < needed) {
      throw new InfrastructureException(
          "%s has %d bytes free, the rest of %s needs %d"
              .formatted(part.toAbsolutePath().getParent(), free, target.getFileName(), needed));
    }
  }

  private void write(FileChannel out, int[] missing) {
    AtomicLong done = new AtomicLong();
    workers.forRanges(
        missing.length,
        1,
        (from, to) -> {
          long[] words = new long[NativeKeyLayout.CHUNK / Long.BYTES];
          ByteBuffer bytes =
              ByteBuffer.allocateDirect(NativeKeyLayout.CHUNK).order(ByteOrder.LITTLE_ENDIAN);
          ByteBuffer sum = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
          for (int i = (int) from; i < to; i++) {
            try {
              writeChunk(out, missing[i], words, bytes, sum);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            progress.advanced("converting", done.incrementAndGet(), missing.length);
          }
        });
  }

  private void writeChunk(
      FileChannel out, int chunk, long[] words, ByteBuffer bytes, ByteBuffer sum)
      throws IOException {
    int s = 0;
    NativeKeyLayout.Section section = layout.sections().get(0);
    while (chunk >= section.firstChunk() + section.chunks()) {
      section = layout.sections().get(++s);
    }
    int j = chunk - section.firstChunk();
    Arrays.fill(words, 0);
    CoefficientOrder order = section.name().equals("h") ? H_ORDER : CoefficientOrder.NATURAL;
    long first = (long) j * section.chunkPoints();
    source.points(s).read(first, section.pointsIn(j), words, 0, order);
    bytes.clear().limit(section.chunkBytes(j));
    bytes.asLongBuffer().put(words, 0, section.chunkBytes(j) / Long.BYTES);
    sum.clear().putInt(0, crc(bytes.duplicate()));
    // Data first: a checksum without its data is found, data without a checksum is made again.
    writeFully(out, bytes, section.offset() + (long) j * NativeKeyLayout.CHUNK);
    writeFully(out, sum, layout.tableOffset() + 4L * chunk);
  }

  private void finish(FileChannel out) throws IOException {
    out.force(true);
    byte[] made = read(out, 0, header.length);
    if (made == null || !layout.agrees(made)) {
      throw new IOException(part + " was changed by someone else");
    }
    writeFully(out, ByteBuffer.wrap(NativeKeyLayout.seal(made)), 0);
    out.force(true);
    try {
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      if (!isGood()) { // else another conversion has renamed it in the meantime
        throw e;
      }
    }
    ParameterGenerator.flushDirectory(target.toAbsolutePath().getParent());
  }

  private static void writeFully(FileChannel out, ByteBuffer bytes, long at) throws IOException {
    long place = at;
    while (bytes.hasRemaining()) {
      place += out.write(bytes, place);
    }
  }
}
