package io.cuzk.groth16;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.curve.AffinePoints;
import io.cuzk.curve.Group;
import io.cuzk.curve.PointEncoding;
import io.cuzk.curve.PointEncoding.Check;
import io.cuzk.field.CoefficientOrder;
import io.cuzk.field.Fp;
import io.cuzk.parallel.Workers;
import io.cuzk.testing.Golden;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeKeyFileTest {
  @TempDir Path directory;
  private final Workers workers = Workers.of(2);
  private Path params;
  private Path vk;
  private Path key;
  private byte[] good;

  @BeforeEach
  void convert() throws IOException {
    params = Toy.params(directory);
    vk = directory.resolve("toy.vk");
    Files.write(vk, Golden.bytes("toy.vk"));
    DigestSidecar.of(vk, "toy.vk", "test", List.of()).write(vk);
    key = NativeKeyWriter.convert(params, workers, Progress.NONE).path();
    good = Files.readAllBytes(key);
  }

  @AfterEach
  void close() {
    workers.close();
  }

  private NativeKeyFile trusted() {
    return NativeKeyFile.openTrusted(key, params, vk);
  }

  private List<NativeKeyFile.Section> sections() {
    try (NativeKeyFile file = NativeKeyFile.open(key)) {
      return file.sections();
    }
  }

  @Test
  void everyPointIsTheGoldenOneAndHLiesInTheOrderOfTheTransform() {
    try (NativeKeyFile file = trusted()) {
      ProvingKey read = file.provingKey();
      assertThat(key).isEqualTo(directory.resolve("toy.params.native"));
      assertThat(read.hOrder()).isEqualTo(CoefficientOrder.ROW_GROUPS);
      assertThat(read.digest())
          .isEqualTo(FileDigest.blake2bOf(params).blake2b())
          .isEqualTo(file.sourceDigest());
      assertThat(read.vk().toBytes()).isEqualTo(Golden.bytes("toy.vk"));
      requirePoints(read.h(), "h_query", read.hOrder());
      requirePoints(read.l(), "l_query", CoefficientOrder.NATURAL);
      requirePoints(read.a(), "a_query", CoefficientOrder.NATURAL);
      requirePoints(read.bG1(), "b_g1_query", CoefficientOrder.NATURAL);
      requirePoints(read.bG2(), "b_g2_query", CoefficientOrder.NATURAL);
      assertThatThrownBy(() -> read.l().read(567, 2, new long[24], 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  private static void requirePoints(AffinePoints points, String name, CoefficientOrder order) {
    Group group = points.group();
    int count = Toy.JSON.get(name).size();
    assertThat(points.size()).isEqualTo(count);
    long[] words = new long[count * group.affineWords()];
    points.read(0, count, words, 0);
    byte[] encoded = new byte[PointEncoding.compressedBytes(group)];
    for (int i = 0; i < count; i++) {
      int place = (int) order.position(i, 10);
      PointEncoding.encodeCompressed(group, encoded, 0, words, place * group.affineWords());
      assertThat(HexFormat.of().formatHex(encoded))
          .as("%s[%d]", name, i)
          .isEqualTo(Toy.JSON.get(name).get(i).asText());
    }
  }

  /** The layout by the published offsets alone, coordinates by BigInteger. */
  @Test
  void theBytesAreThoseOfTheDocumentedLayout() throws IOException {
    ByteBuffer in = ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(new String(good, 0, 8, java.nio.charset.StandardCharsets.US_ASCII))
        .isEqualTo("cuzk-key");
    assertThat(in.getInt(8)).isEqualTo(1);
    assertThat(in.getLong(24)).isEqualTo(good.length);
    assertThat(in.getLong(32)).isEqualTo(Files.size(params));
    assertThat(HexFormat.of().formatHex(good, 40, 56))
        .isEqualTo(FileDigest.blake2bOf(params).blake2b());
    byte[] source = Files.readAllBytes(params);
    BigInteger r = BigInteger.ONE.shiftLeft(384);
    try (ParameterFile file = ParameterFile.open(params)) {
      for (int s = 1; s < 4; s++) { // l, a, b_g1
        ParameterFile.Section section = file.sections().get(s);
        long offset = in.getLong(96 + 40 * s + 24);
        assertThat(offset % 4096).isZero();
        assertThat(in.getLong(96 + 40 * s + 16)).isEqualTo(section.count());
        for (int coordinate = 0; coordinate < 2 * section.count(); coordinate++) {
          int from = (int) section.dataOffset() + 48 * coordinate;
          BigInteger value = new BigInteger(1, source, from, 48).multiply(r).mod(Fp.MODULUS);
          byte[] little = new byte[48];
          for (int i = 0; i < 48; i++) {
            little[i] = value.shiftRight(8 * i).byteValue();
          }
          int at = (int) offset + 48 * coordinate;
          assertThat(Arrays.copyOfRange(good, at, at + 48)).isEqualTo(little);
        }
      }
    }
  }

  @Test
  void aFlippedByteAnywhereIsRefusedAndNamed() throws IOException {
    for (NativeKeyFile.Section section : sections()) {
      for (long point : new long[] {0, section.count() / 2, section.count() - 1}) {
        requireDamaged(
            (int) (section.offset() + point * section.pointBytes() + 13),
            "damaged in section " + section.name() + ", point " + point + " of " + section.count());
      }
      int end = (int) (section.offset() + section.count() * section.pointBytes());
      if (end % 4096 != 0) { // padding is covered too
        requireDamaged(end, "damaged in section " + section.name());
      }
    }
    for (int at : new int[] {17, 45, 70, 100, 400, 3000, 4095}) {
      requireDamaged(at, "cuzk params convert " + params);
    }
    requireDamaged(3, "is no native key file");
    requireDamaged(8, "its format is 0, this version reads 1");
    requireDamaged(12, "it was never finished");
    Files.write(key, good);
    trusted().close();
  }

  private void requireDamaged(int at, String what) throws IOException {
    byte[] bytes = good.clone();
    bytes[at] ^= 1;
    Files.write(key, bytes);
    assertThatThrownBy(() -> ProvingKeyFile.openTrusted(params, vk))
        .as("byte %d", at)
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(key.toString())
        .hasMessageContaining(what);
  }

  @Test
  void aTruncatedOrLongerFileIsRefused() throws IOException {
    for (int size : new int[] {8, 50, 95, 96, 4096, 5000, good.length - 1, good.length + 1}) {
      Files.write(key, Arrays.copyOf(good, size));
      assertThatThrownBy(() -> ProvingKeyFile.openTrusted(params, vk))
          .as("%d bytes", size)
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("it has " + size + " bytes")
          .hasMessageContaining("make it again with 'cuzk params convert " + params + "'");
    }
    Files.write(key, new byte[0]);
    assertThatThrownBy(() -> ProvingKeyFile.openTrusted(params, vk))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("is no native key file");
  }

  @Test
  void aFileOfOtherParametersIsStaleUntilItIsMadeAgain() throws IOException {
    // Other secrets, same circuit: all sizes fit, and only the digest tells.
    ParameterGenerator.generate(Toy.blank(), params, vk, workers, Progress.NONE);
    assertThatThrownBy(() -> ProvingKeyFile.openTrusted(params, vk))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(key + " cannot be used: stale")
        .hasMessageContaining(FileDigest.blake2bOf(Golden.bytes("toy.params")))
        .hasMessageContaining(FileDigest.blake2bOf(params).blake2b())
        .hasMessageContaining("cuzk params convert");
    try (NativeKeyFile file = NativeKeyFile.open(key)) {
      assertThatThrownBy(() -> file.requireMadeFrom(params, workers, Progress.NONE))
          .hasMessageContaining("stale");
    }
    NativeKeyWriter.convert(params, workers, Progress.NONE);
    try (ProvingKeyFile file = ProvingKeyFile.openTrusted(params, vk)) {
      assertThat(file.layout()).isEqualTo("native");
      assertThat(file.path()).isEqualTo(key);
    }
    Files.delete(key);
    try (ProvingKeyFile file = ProvingKeyFile.openTrusted(params, vk)) {
      assertThat(file.layout()).isEqualTo("params");
    }
  }

  @Test
  void damagedParametersAreNotConverted() throws IOException {
    byte[] bytes = Files.readAllBytes(params);
    bytes[30000] ^= 1;
    Files.write(params, bytes);
    Files.delete(key);
    assertThatThrownBy(() -> NativeKeyWriter.convert(params, workers, Progress.NONE))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("toy.params is damaged or not this file");
    assertThat(key).doesNotExist();
    assertThat(part()).doesNotExist();
  }

  private Path part() {
    return directory.resolve("toy.params.native.part");
  }

  /** What a kill leaves: data and checksums of some chunks, and a header that is not sealed. */
  private void interrupt(int after) {
    assertThatThrownBy(
            () ->
                NativeKeyWriter.convert(
                    params,
                    Workers.single(),
                    (what, done, total) -> {
                      if (what.equals("converting") && done == after) {
                        throw new IllegalStateException("killed");
                      }
                    }))
        .hasMessage("killed");
    assertThat(key).doesNotExist();
    assertThat(part()).exists();
  }

  @Test
  void aConversionThatWasKilledIsTakenUpAgain() throws IOException {
    Files.delete(key);
    interrupt(2);
    AtomicLong converted = new AtomicLong();
    NativeKeyWriter.Result result =
        NativeKeyWriter.convert(
            params,
            workers,
            (what, done, total) -> {
              if (what.equals("converting")) {
                converted.incrementAndGet();
              }
            });
    assertThat(result.chunksFound()).isEqualTo(2);
    assertThat(result.chunks()).isEqualTo(5);
    assertThat(converted).hasValue(3);
    assertThat(key).hasBinaryContent(good);
    assertThat(part()).doesNotExist();
    FileTime before = Files.getLastModifiedTime(key);
    assertThat(NativeKeyWriter.convert(params, workers, Progress.NONE).chunksFound()).isEqualTo(5);
    assertThat(Files.getLastModifiedTime(key)).isEqualTo(before);
  }

  @Test
  void whatAPowerCutLeftDamagedOrOtherParametersLeftIsMadeAgain() throws IOException {
    long h = sections().getFirst().offset();
    Files.delete(key);
    interrupt(3);
    try (FileChannel file = FileChannel.open(part(), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), h + 5000);
    }
    assertThat(NativeKeyWriter.convert(params, workers, Progress.NONE).chunksFound()).isEqualTo(2);
    assertThat(key).hasBinaryContent(good);

    Files.delete(key);
    interrupt(3);
    ParameterGenerator.generate(Toy.blank(), params, vk, workers, Progress.NONE);
    assertThat(NativeKeyWriter.convert(params, workers, Progress.NONE).chunksFound()).isZero();
    trusted().close();
  }

  @Test
  void aDamagedFileIsReplacedAndTwoConversionsDoNotMeet() throws IOException {
    byte[] bytes = good.clone();
    bytes[good.length / 2] ^= 1;
    Files.write(key, bytes);
    try (FileChannel other =
            FileChannel.open(part(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = other.lock()) {
      assertThat(lock.isValid()).isTrue();
      assertThatThrownBy(() -> NativeKeyWriter.convert(params, workers, Progress.NONE))
          .isInstanceOf(InfrastructureException.class)
          .hasMessageContaining("another conversion is writing " + part());
    }
    NativeKeyWriter.convert(params, workers, Progress.NONE);
    assertThat(key).hasBinaryContent(good);
  }

  @Test
  void theFullCheckFindsAPointThatTheChecksumsVouchFor() throws IOException {
    NativeKeyFile.Section l = sections().get(1);
    try (NativeKeyFile file = NativeKeyFile.open(key)) {
      file.check(Check.SUBGROUP, workers, Progress.NONE);
      file.requireMadeFrom(params, workers, Progress.NONE);
    }
    // Point 7 becomes point 8: a good point in the wrong place, under good checksums.
    int from = (int) l.offset() + 8 * l.pointBytes();
    byte[] swapped = good.clone();
    System.arraycopy(good, from, swapped, from - l.pointBytes(), l.pointBytes());
    Files.write(key, summed(swapped));
    try (NativeKeyFile file = NativeKeyFile.open(key)) {
      file.check(Check.SUBGROUP, workers, Progress.NONE);
      assertThatThrownBy(() -> file.requireMadeFrom(params, workers, Progress.NONE))
          .hasMessageContaining("section l, point 7 of 568: it is not its source's point");
    }
    for (byte filler : new byte[] {0, 1, -1}) {
      byte[] bytes = good.clone();
      Arrays.fill(bytes, from, from + l.pointBytes(), filler);
      Files.write(key, summed(bytes));
      try (NativeKeyFile file = NativeKeyFile.open(key)) {
        assertThatThrownBy(() -> file.check(Check.CURVE, workers, Progress.NONE))
            .isInstanceOf(InvalidInputException.class)
            .hasMessageContaining("section l, point 8 of 568: ")
            .hasMessageContaining(
                filler == 0 ? "infinity" : filler == 1 ? "not on the curve" : "not below");
        if (filler == 0) { // a prover may read it: infinity has its place in the layout
          long[] point = new long[12];
          file.provingKey().l().read(8, 1, point, 0);
          assertThat(Group.G1.isAffineInfinity(point, 0)).isTrue();
        }
      }
    }
  }

  /** The file with checksums that fit its points again. */
  private byte[] summed(byte[] bytes) {
    try (NativeKeyFile file = NativeKeyFile.open(key)) {
      NativeKeyLayout layout = file.header();
      ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      for (NativeKeyLayout.Section section : layout.sections()) {
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(bytes, (int) section.offset(), section.chunkBytes(0));
        out.putInt(layout.tableOffset() + 4 * section.firstChunk(), (int) crc.getValue());
      }
      byte[] header = Arrays.copyOf(bytes, layout.headerBytes());
      System.arraycopy(NativeKeyLayout.seal(header), 0, bytes, 0, header.length);
      return bytes;
    }
  }

  @Test
  void hostileHeadersUnderAGoodChecksumAreRefused() throws IOException {
    requireRefused(96 + 16, Long.MAX_VALUE, "a section of 9223372036854775807 points");
    requireRefused(96 + 16, 7, "do not follow from its counts");
    requireRefused(96 + 24, 0, "do not follow from its counts");
    requireRefused(16, 8192, "");
    requireRefused(16, Long.MAX_VALUE, "its header says that it has 9223372036854775807 bytes");
    requireRefused(80, 1L << 31, "a key of");
    requireRefused(64, 0x4141414141414141L, "an order unknown here: \"AAAAAAAA");
    requireRefused(88, 1, "do not follow from its counts");
  }

  private void requireRefused(int at, long value, String what) throws IOException {
    byte[] bytes = good.clone();
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(at, value);
    System.arraycopy(NativeKeyLayout.seal(Arrays.copyOf(bytes, 4096)), 0, bytes, 0, 4096);
    Files.write(key, bytes);
    assertThatThrownBy(() -> NativeKeyFile.open(key))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(key.toString())
        .hasMessageContaining(what);
  }

  @Test
  void theStampOfALargeFileSparesSummingUntilItChanges() throws IOException {
    long limit = 1000; // as if the toy file were a large one
    NativeKeyFile.openTrusted(key, params, vk, Long.MAX_VALUE).close();
    assertThat(directory.resolve("toy.params.native.stamp")).doesNotExist();
    NativeKeyFile.openTrusted(key, params, vk, limit).close();
    assertThat(directory.resolve("toy.params.native.stamp")).exists();
    byte[] bytes = good.clone();
    bytes[good.length - 5000] ^= 1;
    FileTime before = Files.getLastModifiedTime(key);
    Files.write(key, bytes);
    Files.setLastModifiedTime(key, FileTime.fromMillis(before.toMillis() + 5000));
    assertThatThrownBy(() -> NativeKeyFile.openTrusted(key, params, vk, limit))
        .hasMessageContaining("damaged in section b_g2");
  }
}
