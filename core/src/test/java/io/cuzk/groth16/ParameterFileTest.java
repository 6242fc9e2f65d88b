package io.cuzk.groth16;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InvalidInputException;
import io.cuzk.curve.AffinePoints;
import io.cuzk.curve.Group;
import io.cuzk.curve.PointEncoding;
import io.cuzk.curve.PointEncoding.Check;
import io.cuzk.parallel.HostLock;
import io.cuzk.parallel.Workers;
import io.cuzk.testing.Golden;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParameterFileTest {
  @TempDir Path directory;
  private Path params;
  private byte[] good;
  private List<ParameterFile.Section> sections;

  @BeforeEach
  void write() throws IOException {
    params = Toy.params(directory);
    good = Files.readAllBytes(params);
    try (ParameterFile file = ParameterFile.open(params)) {
      sections = file.sections();
    }
  }

  private ParameterFile.Section section(String name) {
    return sections.stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void everyPointOfEveryQueryIsTheGoldenOne() {
    try (ParameterFile file = ParameterFile.open(params)) {
      ProvingKey key = file.provingKey();
      requirePoints(key.h(), "h_query");
      requirePoints(key.l(), "l_query");
      requirePoints(key.a(), "a_query");
      requirePoints(key.bG1(), "b_g1_query");
      requirePoints(key.bG2(), "b_g2_query");
      assertThat(key.vk().toBytes()).isEqualTo(Golden.bytes("toy.vk"));
      assertThat(key.domain()).isEqualTo(1024);
      assertThat(key.inputs()).isEqualTo(3);
    }
  }

  private static void requirePoints(AffinePoints points, String name) {
    assertThat(points.size()).isEqualTo(Toy.JSON.get(name).size());
    Group group = points.group();
    long[] words = new long[(int) points.size() * group.affineWords()];
    points.read(0, (int) points.size(), words, 0);
    byte[] encoded = new byte[PointEncoding.compressedBytes(group)];
    for (int i = 0; i < points.size(); i++) {
      PointEncoding.encodeCompressed(group, encoded, 0, words, i * group.affineWords());
      assertThat(HexFormat.of().formatHex(encoded))
          .as("%s[%d]", name, i)
          .isEqualTo(Toy.JSON.get(name).get(i).asText());
    }
    long[] some = new long[2 * group.affineWords()];
    points.read(points.size() - 2, 2, some, 0);
    assertThat(some).isEqualTo(Arrays.copyOfRange(words, words.length - some.length, words.length));
    assertThatThrownBy(() -> points.read(points.size() - 1, 2, some, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aTruncatedFileIsRefusedWithItsSection() throws IOException {
    requireRefused(Arrays.copyOf(good, 100), "section vk: truncated", "has 100 bytes");
    requireRefused(Arrays.copyOf(good, 1000), "section vk: truncated", "expected at least 1156");
    for (ParameterFile.Section s : sections) {
      requireRefused(
          Arrays.copyOf(good, (int) s.countOffset() + 3), "section " + s.name() + ": truncated");
      requireRefused(
          Arrays.copyOf(good, (int) (s.dataOffset() + s.bytes() - 1)),
          "section " + s.name() + ": truncated or a wrong count: " + s.count() + " points",
          "need " + s.bytes() + " bytes, found " + (s.bytes() - 1));
    }
  }

  @Test
  void trailingBytesAndAbsurdCountsAreRefused() throws IOException {
    requireRefused(
        Arrays.copyOf(good, good.length + 1),
        "1 trailing bytes after section b_g2",
        "342265 bytes, expected 342264");
    for (ParameterFile.Section s : sections) {
      byte[] bytes = good.clone();
      ByteBuffer.wrap(bytes).putInt((int) s.countOffset(), -1);
      requireRefused(bytes, "section " + s.name(), "4294967295 points");
    }
    byte[] ic = good.clone();
    ByteBuffer.wrap(ic).putInt(VerifyingKey.HEADER_BYTES - 4, -1);
    requireRefused(ic, "4294967295 ic points, expected 1 to 1048576");
    ByteBuffer.wrap(ic).putInt(VerifyingKey.HEADER_BYTES - 4, 0);
    requireRefused(ic, "0 ic points");
    // One point less, and the file shorter by it: the counts no longer fit each other.
    ParameterFile.Section b2 = section("b_g2");
    byte[] shorter = Arrays.copyOf(good, good.length - 192);
    ByteBuffer.wrap(shorter).putInt((int) b2.countOffset(), 489);
    requireRefused(shorter, "section b_g2: 489 points, expected as many as b_g1 (490)");
    assertThatThrownBy(() -> ParameterFile.open(directory.resolve("absent.params")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("absent.params does not exist");
    Files.write(directory.resolve("empty.params"), new byte[0]);
    assertThatThrownBy(() -> ParameterFile.open(directory.resolve("empty.params")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("has 0 bytes");
  }

  private void requireRefused(byte[] bytes, String... parts) throws IOException {
    Path bad = directory.resolve("bad.params");
    Files.write(bad, bytes);
    assertThatThrownBy(() -> ParameterFile.open(bad))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("bad.params")
        .hasMessageContainingAll(parts);
  }

  @Test
  void oneFlippedByteAnywhereIsFoundByTheDigestAndPlaced() throws IOException {
    for (ParameterFile.Section s : sections) {
      byte[] bytes = good.clone();
      int at = (int) (s.dataOffset() + s.bytes() / 2);
      bytes[at] ^= 1;
      Files.write(params, bytes);
      assertThatThrownBy(() -> TrustedDigest.require(params))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("toy.params is damaged or not this file")
          .hasMessageContaining("expected digest " + FileDigest.blake2bOf(good))
          .hasMessageContaining("found " + FileDigest.blake2bOf(bytes))
          .hasMessageContaining("(section " + s.name() + ")");
      long index = (at - s.dataOffset()) / PointEncoding.uncompressedBytes(s.group());
      requireBad(Check.CURVE, s.name(), index, "");
    }
    Files.write(params, good);
    assertThat(TrustedDigest.require(params).digest()).isEqualTo(FileDigest.blake2bOf(good));
  }

  private void requireBad(Check level, String section, long index, String... parts) {
    try (ParameterFile file = ParameterFile.open(params);
        Workers workers = Workers.of(2)) {
      assertThatThrownBy(() -> file.check(level, workers, Progress.NONE))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("toy.params, section " + section + ", point " + index + " of")
          .message()
          .contains(parts);
    }
  }

  private void put(String section, int index, byte[] encoded) throws IOException {
    ParameterFile.Section s = section(section);
    byte[] bytes = good.clone();
    System.arraycopy(
        encoded, 0, bytes, (int) s.dataOffset() + index * encoded.length, encoded.length);
    Files.write(params, bytes);
  }

  @Test
  void infinityFlagsAndNonCanonicalCoordinatesAreRefusedWhenRead() throws IOException {
    byte[] infinity = new byte[96];
    infinity[0] = 0x40;
    put("a", 17, infinity);
    requireBad(Check.CURVE, "a", 17, "infinity, which a parameter file never holds");
    try (ParameterFile file = ParameterFile.open(params)) {
      AffinePoints a = file.provingKey().a();
      long[] out = new long[20 * 12];
      a.read(0, 17, out, 0);
      assertThatThrownBy(() -> a.read(0, 18, out, 0))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("section a, point 17 of 492");
    }
    infinity[0] = (byte) 0xc0;
    put("h", 1022, infinity);
    requireBad(Check.CURVE, "h", 1022, "flag bits");
    put("l", 0, new byte[96]);
    requireBad(Check.CURVE, "l", 0, "all are zero");
    byte[] large = new byte[192];
    Arrays.fill(large, (byte) 0x1f);
    put("b_g2", 489, large);
    requireBad(Check.CURVE, "b_g2", 489, "not below the field's modulus");
    // The whole vk is checked at opening.
    byte[] bytes = good.clone();
    bytes[95] ^= 1;
    requireRefused(bytes, "section vk, alpha_g1 at offset 0", "not on the curve");
  }

  @Test
  void pointsOutsideTheSubgroupAreFoundOnlyByTheFullCheck() throws IOException {
    for (String name : List.of("h", "a", "b_g2")) {
      Group group = section(name).group();
      put(name, 123, outside(group));
      try (ParameterFile file = ParameterFile.open(params);
          Workers workers = Workers.of(2)) {
        file.check(Check.CURVE, workers, Progress.NONE);
      }
      requireBad(Check.SUBGROUP, name, 123, "on the curve, but not in the subgroup of order r");
    }
  }

  @Test
  void bucketsFindOnePointOutsideTheSubgroupAmongMany() throws IOException {
    // A file of 2^14 − 1 h points: enough for sums of buckets instead of single tests.
    ParameterFile.Section h = section("h");
    int count = (1 << 14) - 1;
    ByteBuffer out = ByteBuffer.allocate(good.length + (count - 1023) * 96);
    out.put(good, 0, (int) h.countOffset()).putInt(count);
    for (int i = 0; i < count; i++) {
      out.put(good, (int) h.dataOffset() + 96 * (i % 1023), 96);
    }
    out.put(
        good, (int) (h.dataOffset() + h.bytes()), (int) (good.length - h.dataOffset() - h.bytes()));
    good = out.array();
    Files.write(params, good);
    byte[] outside = outside(Group.G1);
    for (int index : new int[] {1, count - 1}) {
      put("h", index, outside);
      try (ParameterFile file = ParameterFile.open(params);
          Workers workers = Workers.of(2)) {
        assertThatThrownBy(() -> file.check(Check.SUBGROUP, workers, Progress.NONE))
            .isInstanceOf(InvalidInputException.class)
            .hasMessageContaining("section h, point " + index + " of 16383")
            .hasMessageContaining("not in the subgroup");
      }
    }
  }

  /** A point of the curve outside the subgroup, uncompressed. */
  private static byte[] outside(Group group) {
    byte[] compressed = new byte[PointEncoding.compressedBytes(group)];
    compressed[0] = (byte) 0x80;
    long[] affine = new long[group.affineWords()];
    for (int x = 1; x < 100; x++) {
      compressed[compressed.length - 1] = (byte) x;
      try {
        PointEncoding.decodeCompressed(group, compressed, 0, affine, 0, Check.CURVE);
      } catch (InvalidInputException e) {
        continue; // no point has this x
      }
      if (!group.isInSubgroup(affine, 0)) {
        byte[] out = new byte[PointEncoding.uncompressedBytes(group)];
        PointEncoding.encodeUncompressed(group, out, 0, affine, 0);
        return out;
      }
    }
    throw new AssertionError("no such point");
  }

  @Test
  void aKeyFileOfOtherParametersIsRefused() throws IOException {
    Path vk = directory.resolve("toy.vk");
    byte[] bytes = Golden.bytes("toy.vk");
    // alpha_g1 and beta_g1 change places: still good points, another key
    System.arraycopy(Golden.bytes("toy.vk"), 0, bytes, 96, 96);
    System.arraycopy(Golden.bytes("toy.vk"), 96, bytes, 0, 96);
    Files.write(vk, bytes);
    DigestSidecar.of(vk, "toy.vk", "test", List.of()).write(vk);
    assertThatThrownBy(() -> ParameterFile.openTrusted(params, vk))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("are of different parameters")
        .hasMessageContaining(FileDigest.blake2bOf(bytes));
    Files.write(vk, Golden.bytes("toy.vk"));
    assertThatThrownBy(() -> ParameterFile.openTrusted(params, vk))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("toy.vk is damaged or not this file");
    DigestSidecar.of(vk, "toy.vk", "test", List.of()).write(vk);
    ParameterFile.openTrusted(params, vk).close();
  }

  @Test
  void withoutADigestAFileIsTrustedOnlyByItsPublishedName() throws IOException {
    Files.delete(DigestSidecar.beside(params));
    assertThatThrownBy(() -> TrustedDigest.require(params))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("nothing says what digest")
        .hasMessageContaining("cuzk params check");
    Path named = directory.resolve(PublishedDigests.fileStem(2048).orElseThrow() + ".params");
    Files.move(params, named);
    assertThatThrownBy(() -> TrustedDigest.require(named))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("expected digest 434fb1338ecfaf0f59256f30dde4968f")
        .hasMessageContaining("according to Filecoin's published digest")
        .hasMessageContaining("found " + FileDigest.blake2bOf(good));
    Path vk = Golden.realdata("fil-blst/seal32_x10.vk");
    Path copy =
        directory.resolve(
            "v27-stacked-proof-of-replication-merkletree-poseidon_hasher-8-8-0-sha256_hasher-"
                + "82a357d2f2ca81dc61bb45f4a762807aedee1b0a53fd6c4e77b46a01bfef7820.vk");
    Files.copy(vk, copy, StandardCopyOption.REPLACE_EXISTING);
    assertThat(TrustedDigest.require(copy).published()).isTrue();
  }

  @Test
  void aBadSidecarIsRefusedAndALengthIsComparedBeforeHashing() throws IOException {
    Path sidecar = DigestSidecar.beside(params);
    String text = Files.readString(sidecar);
    for (String bad : List.of("", "[]", "{}", "{\"bytes\":1,\"blake2b\":\"zz\"}", text + "x")) {
      Files.writeString(sidecar, bad);
      if (bad.startsWith(text)) {
        assertThat(TrustedDigest.require(params).published())
            .isFalse(); // after the object: ignored
        continue;
      }
      assertThatThrownBy(() -> TrustedDigest.require(params))
          .as(bad)
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("bad digest file");
    }
    Files.writeString(sidecar, text);
    Files.write(params, Arrays.copyOf(good, good.length - 5));
    assertThatThrownBy(() -> TrustedDigest.require(params))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("has 342259 bytes, expected 342264");
  }

  @Test
  void whereTheDirectoryTakesNoStampTheCacheDoes() throws IOException {
    Path cache = directory.resolve("cache");
    // a directory in the stamp's place: nobody, root neither, can put a file there
    Files.createDirectories(directory.resolve("toy.params.stamp").resolve("in-the-way"));
    System.setProperty("cuzk.cache", cache.toString());
    try {
      TrustedDigest.require(params, false, 1000);
      assertThat(cache.resolve("stamps")).isDirectoryContaining("glob:**");
      FileTime before = Files.getLastModifiedTime(params);
      byte[] bytes = good.clone();
      bytes[20000] ^= 4;
      Files.write(params, bytes);
      Files.setLastModifiedTime(params, before);
      TrustedDigest.require(params, false, 1000); // the stamp was believed: it was found
    } finally {
      System.clearProperty("cuzk.cache");
    }
    assertThatThrownBy(() -> TrustedDigest.require(params, false, 1000))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("is damaged");
  }

  /** Mounts of one file system have another device number on each host. */
  @Test
  void aStampSaysWhatIsTheSameOnEveryHostAndWhoFoundIt() throws IOException {
    TrustedDigest.require(params, false, 1000);
    assertThat(Files.readString(directory.resolve("toy.params.stamp")))
        .isEqualTo(
            "cuzk-stamp-2 %d %d %s %s development\n"
                .formatted(
                    good.length,
                    Files.getLastModifiedTime(params).to(TimeUnit.NANOSECONDS),
                    Files.getAttribute(params, "unix:ino"),
                    FileDigest.blake2bOf(params).blake2b()));
  }

  /** What it reads is damaged, so whoever reads it says so. */
  @Test
  void oneProcessOfAHostHashesAndTheOthersBelieveItsStamp() throws Exception {
    FileStamp stamp = FileStamp.of(params);
    String digest = FileDigest.blake2bOf(params).blake2b();
    FileTime before = Files.getLastModifiedTime(params);
    byte[] bytes = good.clone();
    bytes[20000] ^= 4;
    Files.write(params, bytes);
    Files.setLastModifiedTime(params, before);
    System.setProperty("cuzk.cache", directory.resolve("cache").toString());
    AtomicReference<Object> found = new AtomicReference<>();
    try {
      Thread other;
      try (HostLock turn = FileStamp.turn(params).orElseThrow()) {
        other =
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        found.set(TrustedDigest.require(params, false, 1000));
                      } catch (RuntimeException e) {
                        found.set(e);
                      }
                    });
        while (other.getState() != Thread.State.WAITING && other.isAlive()) {
          Thread.onSpinWait();
        }
        assertThat(found.get()).as("it waits").isNull();
        turn.requireHeld();
        stamp.write(params, digest);
      }
      other.join();
    } finally {
      System.clearProperty("cuzk.cache");
    }
    assertThat(found.get()).isInstanceOf(TrustedDigest.class);
  }

  @Test
  void theStampOfALargeFileSparesHashingUntilTheFileChanges() throws IOException {
    long limit = 1000; // as if the toy file were a large one
    Path stamp = directory.resolve("toy.params.stamp");
    TrustedDigest.require(params, false, Long.MAX_VALUE);
    assertThat(stamp).doesNotExist();
    TrustedDigest.require(params, false, limit);
    assertThat(stamp).exists();

    byte[] bytes = good.clone();
    bytes[20000] ^= 4;
    FileTime before = Files.getLastModifiedTime(params);
    Files.write(params, bytes);
    assertThatThrownBy(() -> TrustedDigest.require(params, false, limit))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("is damaged");
    // Length, time and inode kept: the documented blind spot, and the way to look all the same.
    Files.setLastModifiedTime(params, before);
    TrustedDigest.require(params, false, limit);
    assertThatThrownBy(() -> TrustedDigest.require(params, true, limit))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("is damaged");
  }
}
