package io.cuzk.groth16;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.curve.Group;
import io.cuzk.curve.PointEncoding;
import io.cuzk.field.Fr;
import io.cuzk.msm.FixedBase;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Circuit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the parameters of a circuit: the {@code .params} and {@code .vk} files of bellperson, byte
 * for byte what its generator writes for the same secrets, and a {@link DigestSidecar} beside each.
 *
 * <p>Both files are written under temporary names, flushed to disk, read back for their digests and
 * then renamed, so that a file of the final name is always whole. About 96 bytes of memory a
 * variable. Groth, "On the size of pairing-based non-interactive arguments", 2016.
 */
public final class ParameterGenerator {
  /** What was made. */
  public record Result(
      Path params, Path vk, CircuitShape shape, long bytes, String digest, String vkDigest) {}

  private static final int BLOCK = 1 << 13;

  private final QapReading qap;
  private final ToxicWaste secrets;
  private final Workers workers;
  private final Progress progress;
  private final FixedBase base1;
  private final FixedBase base2;
  private final long[] inverseDelta = new long[Fr.WORDS];
  private final long[] inverseGamma = new long[Fr.WORDS];
  private final AtomicLong done = new AtomicLong();
  private long total;

  private ParameterGenerator(
      QapReading qap, ToxicWaste secrets, Workers workers, Progress progress) {
    this.qap = qap;
    this.secrets = secrets;
    this.workers = workers;
    this.progress = progress;
    long variables = (long) qap.shape.inputs() + qap.shape.aux();
    base1 = FixedBase.of(Group.G1, secrets.g1, 0, qap.shape.domain() + 3 * variables, workers);
    base2 = FixedBase.of(Group.G2, secrets.g2, 0, variables, workers);
    Fr.inv(inverseDelta, 0, secrets.delta, 0);
    Fr.inv(inverseGamma, 0, secrets.gamma, 0);
  }

  /**
   * Makes parameters with fresh secrets, which are gone when this returns.
   *
   * @param circuit is synthesised twice, without a witness
   */
  public static Result generate(
      Circuit circuit, Path params, Path vk, Workers workers, Progress progress) {
    try (ToxicWaste secrets = ToxicWaste.random()) {
      return generate(circuit, secrets, params, vk, "cuzk setup: locally made", workers, progress);
    }
  }

  /**
   * Makes parameters with given secrets, for tests.
   *
   * @param origin who vouches for the digests, as the sidecars will say
   * @throws InvalidInputException if a variable is in no row
   * @throws InfrastructureException if the files cannot be written
   */
  public static Result generate(
      Circuit circuit,
      ToxicWaste secrets,
      Path params,
      Path vk,
      String origin,
      Workers workers,
      Progress progress) {
    progress.advanced("circuit", 0, 2);
    CircuitShape shape = CircuitShape.of(circuit);
    if (shape.logDomain() == 0) {
      throw new IllegalArgumentException("the circuit has no rows: " + shape);
    }
    progress.advanced("circuit", 1, 2);
    QapReading qap = QapReading.of(circuit, shape, secrets.tau, workers);
    progress.advanced("circuit", 2, 2);
    return new ParameterGenerator(qap, secrets, workers, progress).write(params, vk, origin);
  }

  private Result write(Path params, Path vkFile, String origin) {
    Path directory = params.toAbsolutePath().getParent();
    Path temporary = temporary(params);
    Path temporaryVk = temporary(vkFile);
    try {
      Files.createDirectories(directory);
      Files.createDirectories(vkFile.toAbsolutePath().getParent());
      VerifyingKey vk = verifyingKey();
      byte[] vkBytes = vk.toBytes();
      writeParams(temporary, directory, vkBytes);
      writeVk(temporaryVk, vkBytes);
      progress.advanced("digest", 0, 1);
      DigestSidecar sidecar;
      long bytes;
      try (ParameterFile written = ParameterFile.open(temporary)) {
        sidecar = written.digest(params.getFileName().toString(), origin);
        bytes = written.bytes();
      }
      DigestSidecar vkSidecar =
          DigestSidecar.of(
              temporaryVk, vkFile.getFileName().toString(), origin, java.util.List.of());
      // A crash between these leaves digests that do not fit older files, which is found; never
      // files without a digest.
      sidecar.write(params);
      vkSidecar.write(vkFile);
      Files.move(temporaryVk, vkFile, StandardCopyOption.ATOMIC_MOVE);
      Files.move(temporary, params, StandardCopyOption.ATOMIC_MOVE);
      flushDirectory(directory);
      progress.advanced("digest", 1, 1);
      return new Result(
          params,
          vkFile,
          qap.shape,
          bytes,
          sidecar.digest().blake2b(),
          vkSidecar.digest().blake2b());
    } catch (IOException e) {
      throw new InfrastructureException("cannot write parameters to " + directory + ": " + e, e);
    } catch (UncheckedIOException e) {
      throw new InfrastructureException(
          "cannot write parameters to " + directory + ": " + e.getCause(), e);
    } finally {
      deleteIfThere(temporary);
      deleteIfThere(temporaryVk);
    }
  }

  private static Path temporary(Path file) {
    return file.resolveSibling(
        file.getFileName() + ".part-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
  }

  private static void deleteIfThere(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The failure that led here is the one to report.
    }
  }

  static void flushDirectory(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Not every file system lets a directory be opened; the files themselves are on disk.
    }
  }

  private void writeVk(Path file, byte[] bytes) throws IOException {
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      writeFully(out, ByteBuffer.wrap(bytes), 0);
      out.force(true);
    }
  }

  private void writeParams(Path file, Path directory, byte[] vkBytes) throws IOException {
    int inputs = qap.shape.inputs();
    int variables = inputs + qap.shape.aux();
    Query[] queries = {
      new Query("h", Group.G1, qap.shape.domain() - 1, null, this::powers),
      new Query("l", Group.G1, qap.shape.aux(), null, (at, n, out) -> mixed(inputs + at, n, out)),
      Query.sparse("a", Group.G1, qap.a, variables),
      Query.sparse("b_g1", Group.G1, qap.b, variables),
      Query.sparse("b_g2", Group.G2, qap.b, variables),
    };
    long size = vkBytes.length;
    for (Query query : queries) {
      size += Integer.BYTES + query.bytes();
      total += query.count();
    }
    long free = Files.getFileStore(directory).getUsableSpace();
    if (free < size) {
      throw new InfrastructureException(
          "%s has %d bytes free, the parameters need %d".formatted(directory, free, size));
    }
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      writeFully(out, ByteBuffer.wrap(vkBytes), 0);
      long at = vkBytes.length;
      for (Query query : queries) {
        ByteBuffer count = ByteBuffer.allocate(Integer.BYTES).putInt(0, (int) query.count());
        writeFully(out, count, at);
        at += Integer.BYTES;
        writePoints(out, at, query);
        at += query.bytes();
      }
      out.force(true);
    }
  }

  /** Computes and writes a section's points in blocks, on all threads. */
  private void writePoints(FileChannel out, long offset, Query query) {
    Group group = query.group();
    FixedBase base = group == Group.G1 ? base1 : base2;
    int words = group.affineWords();
    int bytes = PointEncoding.uncompressedBytes(group);
    workers.forRanges(
        Math.ceilDiv(query.count(), BLOCK),
        1,
        (from, to) -> {
          long[] scalars = new long[Fr.WORDS * BLOCK];
          long[] points = new long[words * BLOCK];
          byte[] encoded = new byte[bytes * BLOCK];
          for (long block = from; block < to; block++) {
            long at = block * BLOCK;
            int n = (int) Math.min(BLOCK, query.count() - at);
            query.source().read(at, n, scalars);
            base.multiply(scalars, 0, n, points, 0);
            for (int i = 0; i < n; i++) {
              if (group.isAffineInfinity(points, i * words)) {
                throw query.infinite(at + i);
              }
              PointEncoding.encodeUncompressed(group, encoded, i * bytes, points, i * words);
            }
            try {
              writeFully(out, ByteBuffer.wrap(encoded, 0, n * bytes), offset + at * bytes);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            progress.advanced("section " + query.name(), done.addAndGet(n), total);
          }
        });
  }

  private static void writeFully(FileChannel out, ByteBuffer bytes, long at) throws IOException {
    long place = at;
    while (bytes.hasRemaining()) {
      place += out.write(bytes, place);
    }
  }

  private VerifyingKey verifyingKey() {
    int inputs = qap.shape.inputs();
    long[] scalars = new long[Fr.WORDS * Math.max(4, inputs)];
    long[] ic = new long[inputs * Group.G1.affineWords()];
    ratio(0, inputs, inverseGamma, scalars);
    base1.multiply(scalars, 0, inputs, ic, 0);
    return new VerifyingKey(
        multiple(Group.G1, base1, secrets.alpha),
        multiple(Group.G1, base1, secrets.beta),
        multiple(Group.G2, base2, secrets.beta),
        multiple(Group.G2, base2, secrets.gamma),
        multiple(Group.G1, base1, secrets.delta),
        multiple(Group.G2, base2, secrets.delta),
        ic);
  }

  private static long[] multiple(Group group, FixedBase base, long[] scalar) {
    long[] canonical = new long[Fr.WORDS];
    Fr.toCanonical(canonical, 0, scalar, 0);
    long[] affine = new long[group.affineWords()];
    base.multiply(canonical, 0, 1, affine, 0);
    return affine;
  }

  /** τ^i·Z(τ)/δ for i from {@code at}, canonical. */
  private void powers(long at, int n, long[] out) {
    long[] power = new long[Fr.WORDS];
    Fr.pow(power, 0, secrets.tau, 0, BigInteger.valueOf(at));
    Fr.mul(power, 0, power, 0, qap.vanishing, 0);
    Fr.mul(power, 0, power, 0, inverseDelta, 0);
    for (int i = 0; i < n; i++) {
      Fr.toCanonical(out, Fr.WORDS * i, power, 0);
      Fr.mul(power, 0, power, 0, secrets.tau, 0);
    }
  }

  private void mixed(long at, int n, long[] out) {
    ratio(Math.toIntExact(at), n, inverseDelta, out);
  }

  /** (β·A_j + α·B_j + C_j)·factor for variables j from {@code at}, canonical. */
  private void ratio(int at, int n, long[] factor, long[] out) {
    long[] sum = new long[Fr.WORDS];
    long[] term = new long[Fr.WORDS];
    for (int i = 0; i < n; i++) {
      int j = Fr.WORDS * (at + i);
      Fr.mul(sum, 0, secrets.beta, 0, qap.a, j);
      Fr.mul(term, 0, secrets.alpha, 0, qap.b, j);
      Fr.add(sum, 0, sum, 0, term, 0);
      Fr.add(sum, 0, sum, 0, qap.c, j);
      Fr.mul(sum, 0, sum, 0, factor, 0);
      Fr.toCanonical(out, Fr.WORDS * i, sum, 0);
    }
  }

  /** Where the scalars of a section come from. */
  private interface ScalarSource {
    /** Writes canonical scalars at … at+n−1 of the section to the beginning of {@code out}. */
    void read(long at, int n, long[] out);
  }

  private record Query(String name, Group group, long count, int[] variables, ScalarSource source) {
    long bytes() {
      return count * PointEncoding.uncompressedBytes(group);
    }

    /** The section of those variables whose value is not zero: the others' points are infinity. */
    static Query sparse(String name, Group group, long[] values, int variables) {
      int count = 0;
      for (int j = 0; j < variables; j++) {
        count += Fr.isZero(values, Fr.WORDS * j) ? 0 : 1;
      }
      int[] dense = new int[count];
      int next = 0;
      for (int j = 0; j < variables; j++) {
        if (!Fr.isZero(values, Fr.WORDS * j)) {
          dense[next++] = j;
        }
      }
      return new Query(
          name,
          group,
          count,
          dense,
          (at, n, out) -> {
            for (int i = 0; i < n; i++) {
              int j = dense[(int) at + i];
              Fr.toCanonical(out, Fr.WORDS * i, values, Fr.WORDS * j);
            }
          });
    }

    InvalidInputException infinite(long index) {
      return new InvalidInputException(
          "section %s, point %d of %d would be infinity: the variable is in no row of the circuit"
              .formatted(name, index, count));
    }
  }
}
