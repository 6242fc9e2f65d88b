package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.field.Fr;
import io.cuzk.groth16.NativeKeyFile;
import io.cuzk.groth16.NativeKeyWriter;
import io.cuzk.groth16.ParameterFile;
import io.cuzk.groth16.ParameterGenerator;
import io.cuzk.groth16.ToxicWaste;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.ConstraintSystem;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A small key on a file system of Hadoop's, fetched by threads and processes of this host. */
@Timeout(600)
class KeyFetchTest {
  private static final String NAME = "small";

  @TempDir private Path temp;

  private Path source;
  private Path cache;
  private KeyFiles key;

  @BeforeEach
  void make() throws IOException {
    source = Files.createDirectories(temp.resolve("source"));
    cache = temp.resolve("cache");
    key = names(source);
    generate();
  }

  private static KeyFiles names(Path directory) {
    return new KeyFiles(
        "2KiB", NAME, directory.resolve(NAME + ".params"), directory.resolve(NAME + ".vk"));
  }

  private void generate() throws IOException {
    try (Workers workers = Workers.single();
        ToxicWaste secrets = ToxicWaste.random()) {
      ParameterGenerator.generate(
          KeyFetchTest::squares,
          secrets,
          key.params(),
          key.vk(),
          "test",
          workers,
          io.cuzk.groth16.Progress.NONE);
      NativeKeyWriter.convert(key.params(), workers, io.cuzk.groth16.Progress.NONE);
    }
  }

  /** A chain of squares, without a witness. */
  private static void squares(ConstraintSystem cs) {
    long[] none = new long[Fr.WORDS];
    int x = cs.allocInput(none, 0);
    for (int i = 0; i < 300; i++) {
      int square = cs.alloc(none, 0);
      cs.enforce(cs.lc().add(x), cs.lc().add(x), cs.lc().add(square));
      x = square;
    }
  }

  private KeyFetch.Fetched fetch(String layout, String... settings) {
    return fetch(source, cache, layout, settings);
  }

  private static KeyFetch.Fetched fetch(
      Path source, Path cache, String layout, String... settings) {
    Configuration conf = FlakySource.configuration();
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return KeyFetch.fetch(
        new RunFiles(conf), FlakySource.path(source), cache, names(cache), layout);
  }

  private long size(Path... all) throws IOException {
    long bytes = 0;
    for (Path file : all) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  private static List<Path> under(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().equals(".lock"))
          .toList();
    }
  }

  private void requireCopy(Path directory) throws IOException {
    for (Path file : List.of(key.params(), key.vk())) {
      assertThat(directory.resolve(file.getFileName())).hasSameBinaryContentAs(file);
    }
    KeyFiles copy = names(directory);
    try (ParameterFile opened = ParameterFile.openTrusted(copy.params(), copy.vk())) {
      assertThat(opened.provingKey().digest()).isNotEmpty();
    }
  }

  @Test
  void onlyAnotherFileSystemIsFetchedFrom() {
    assertThat(KeyFetch.isNeeded("hdfs://nn:8020/params")).isTrue();
    assertThat(KeyFetch.isNeeded("s3a://bucket/params")).isTrue();
    assertThat(KeyFetch.isNeeded("/data/params")).isFalse();
    assertThat(KeyFetch.isNeeded("params")).isFalse();
    assertThat(KeyFetch.isNeeded("file:///data/params")).isFalse();
    assertThat(KeyFiles.place("hdfs://nn:8020/params/")).isEqualTo("hdfs://nn:8020/params/");
    assertThat(KeyFiles.place("file:///data/../params")).isEqualTo("/params");
  }

  @Test
  void aKeyIsFetchedOnceAndAgainWhenItsSourceWasReplaced() throws IOException {
    KeyFetch.Fetched first = fetch("auto");
    Path beside = NativeKeyFile.beside(key.params());
    assertThat(first.bytes()).isEqualTo(size(key.params(), key.vk(), beside));
    requireCopy(first.directory());
    assertThat(first.directory().resolve(beside.getFileName())).hasSameBinaryContentAs(beside);
    assertThat(fetch("auto")).isEqualTo(new KeyFetch.Fetched(first.directory(), 0));

    generate(); // other secrets
    Files.setLastModifiedTime(key.params(), FileTime.from(Instant.now().plusSeconds(10)));
    assertThat(fetch("auto").bytes()).isEqualTo(size(key.params(), key.vk(), beside));
    requireCopy(first.directory());
    assertThat(under(first.directory().resolve("incoming"))).isEmpty();
  }

  /** Another user's cache: its lock cannot be opened, whoever runs this test. */
  @Test
  void aCompleteCopyIsTakenFromACacheThatCannotBeWrittenTo() throws IOException {
    KeyFetch.Fetched first = fetch("auto");
    Path lock = first.directory().resolve(".lock");
    Files.delete(lock);
    Files.createDirectory(lock);
    assertThat(fetch("auto")).isEqualTo(new KeyFetch.Fetched(first.directory(), 0));

    Files.setLastModifiedTime(key.params(), FileTime.from(Instant.now().plusSeconds(10)));
    assertThatThrownBy(() -> fetch("auto"))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining(lock.toString())
        .hasMessageContaining("name another directory with spark.cuzk.params.cache");
  }

  @Test
  void theNativeFileIsLeftWhereItIsNotUsed() throws IOException {
    KeyFetch.Fetched fetched = fetch("params");
    assertThat(fetched.bytes()).isEqualTo(size(key.params(), key.vk()));
    assertThat(NativeKeyFile.beside(names(fetched.directory()).params())).doesNotExist();
  }

  @Test
  void threadsThatFetchAtOnceMakeOneCopy() throws Exception {
    int count = 4;
    CyclicBarrier together = new CyclicBarrier(count);
    Callable<Long> one =
        () -> {
          together.await();
          return fetch("params", "flaky.delay", "100").bytes();
        };
    long bytes = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
      List<Future<Long>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(threads.submit(one));
      }
      for (Future<Long> each : all) {
        bytes += each.get();
      }
    }
    assertThat(bytes).isEqualTo(size(key.params(), key.vk()));
  }

  /** What the processes of the next test run: source, cache, where to say what was read. */
  public static final class Fetch {
    private Fetch() {}

    /** Fetches once everybody is there. */
    public static void main(String[] words) throws Exception {
      Path said = Path.of(words[2]);
      Files.writeString(said.resolveSibling(said.getFileName() + ".there"), "");
      while (!Files.exists(said.resolveSibling("begin"))) {
        Thread.sleep(5);
      }
      long bytes =
          fetch(Path.of(words[0]), Path.of(words[1]), "params", "flaky.delay", "1000").bytes();
      Files.writeString(said, Long.toString(bytes));
    }
  }

  @Test
  void processesThatFetchAtOnceMakeOneCopy() throws Exception {
    List<Process> processes = new ArrayList<>();
    List<Path> said = List.of(temp.resolve("one"), temp.resolve("two"));
    for (Path each : said) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
      command.addAll(List.of("--add-modules", "jdk.incubator.vector"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.add(Fetch.class.getName());
      command.addAll(List.of(source.toString(), cache.toString(), each.toString()));
      File log = temp.resolve(each.getFileName() + ".log").toFile();
      processes.add(
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start());
    }
    for (Path each : said) {
      while (!Files.exists(each.resolveSibling(each.getFileName() + ".there"))) {
        assertThat(processes).allMatch(Process::isAlive);
        Thread.sleep(5);
      }
    }
    Files.writeString(temp.resolve("begin"), "");
    long bytes = 0;
    for (int i = 0; i < said.size(); i++) {
      int code = processes.get(i).waitFor();
      assertThat(code).as(Files.readString(temp.resolve(said.get(i) + ".log"))).isZero();
      bytes += Long.parseLong(Files.readString(said.get(i)));
    }
    assertThat(bytes).isEqualTo(size(key.params(), key.vk()));
    assertThat(fetch("params").bytes()).isZero();
  }

  @Test
  void aFetchThatBrokeOffGoesOnFromThere() throws IOException {
    long whole = Files.size(key.params());
    long half = whole / 2;
    assertThatThrownBy(() -> fetch("params", "flaky.fail.at", Long.toString(half)))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("the datanode went away")
        .hasMessageContaining("the next try goes on from it");
    KeyFetch.Fetched rest = fetch("params");
    assertThat(rest.bytes()).isEqualTo(whole - half);
    requireCopy(rest.directory());
  }

  @Test
  void whatBrokeOffAndRottedIsFetchedAnew() throws IOException {
    long whole = Files.size(key.params());
    assertThatThrownBy(() -> fetch("params", "flaky.fail.at", "5000"))
        .isInstanceOf(InfrastructureException.class);
    Path part =
        under(cache).stream().filter(f -> f.toString().endsWith(".params")).findFirst().get();
    byte[] bytes = Files.readAllBytes(part);
    assertThat(bytes).hasSize(5000);
    bytes[4000] ^= 1;
    Files.write(part, bytes);
    KeyFetch.Fetched again = fetch("params");
    assertThat(again.bytes()).isEqualTo(whole - 5000 + whole);
    requireCopy(again.directory());
  }

  @Test
  void aDamagedSourceIsRefusedAndLeavesNothingOfIt() throws IOException {
    byte[] bytes = Files.readAllBytes(key.params());
    bytes[bytes.length / 2] ^= 1;
    Files.write(key.params(), bytes);
    assertThatThrownBy(() -> fetch("auto"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(FlakySource.path(key.params()))
        .hasMessageContaining("is damaged or not this file: expected digest");
    assertThat(under(cache))
        .allSatisfy(file -> assertThat(file.getFileName().toString()).startsWith(NAME + ".vk"));
  }

  @Test
  void aDamagedNativeFileIsRefusedAndLeavesNothingOfIt() throws IOException {
    Path beside = NativeKeyFile.beside(key.params());
    byte[] bytes = Files.readAllBytes(beside);
    bytes[bytes.length / 2] ^= 1;
    Files.write(beside, bytes);
    assertThatThrownBy(() -> fetch("native"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(FlakySource.path(beside));
    assertThat(under(cache)).noneMatch(file -> file.toString().contains(".native"));
    requireCopy(fetch("params").directory());
  }

  @Test
  void aSourceWithoutDigestOrFilesIsRefused() throws IOException {
    Files.delete(source.resolve(NAME + ".params.digest"));
    assertThatThrownBy(() -> fetch("params"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("nothing says what digest");
    Files.delete(key.params());
    Files.delete(key.vk());
    assertThatThrownBy(() -> fetch("params"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "parameters missing in "
                + FlakySource.path(source)
                + ": small.vk (2KiB), small.params (2KiB)");
  }

  @Test
  void aDiskThatIsTooSmallIsSeenBeforeAnythingIsFetched() throws IOException {
    long length = 1L << 55;
    assertThatThrownBy(() -> fetch("params", "flaky.length", Long.toString(length)))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("bytes")
        .hasMessageContaining("free, but " + (length + Files.size(key.vk()) + (64L << 20)))
        .hasMessageContaining("small.params")
        .hasMessageContaining("spark.cuzk.params.cache");
    assertThat(under(cache)).isEmpty();
  }

  @Test
  void theCacheIsUnderTheUsersHomeUnlessNamed() {
    assertThat(KeyFetch.cache("~/.cache/cuzk/params"))
        .isEqualTo(Path.of(System.getProperty("user.home"), ".cache/cuzk/params"));
    assertThat(KeyFetch.cache("/data/keys")).isEqualTo(Path.of("/data/keys"));
  }
}
