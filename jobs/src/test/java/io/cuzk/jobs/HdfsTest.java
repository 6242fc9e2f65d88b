package io.cuzk.jobs;

import static io.cuzk.jobs.LockHolders.elsewhere;
import static io.cuzk.jobs.LockHolders.here;
import static io.cuzk.jobs.LockHolders.take;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import io.cuzk.jobs.fault.SmallHdfs;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Run directory, its lock and its files on a real HDFS, three clients at a time. */
@Timeout(180)
class HdfsTest {
  @TempDir private static java.nio.file.Path temp;

  private static SmallHdfs hdfs;

  @BeforeAll
  static void start() throws IOException {
    hdfs = SmallHdfs.start(temp);
  }

  @AfterAll
  static void stop() {
    if (hdfs != null) {
      hdfs.close();
    }
  }

  /** Whose file system objects are its own, as another process's would be. */
  private static Configuration another() {
    Configuration conf = hdfs.configuration();
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    return conf;
  }

  private static RunDirectory run(String name) {
    RunDirectory run = new RunDirectory(hdfs.uri("/" + name), another());
    run.prepare();
    return run;
  }

  @Test
  void theSecondRunIsRefusedByNameAndASilentOneIsTakenOver() {
    RunDirectory run = run("lock");
    try (RunLock living = take(run, elsewhere(Duration.ofSeconds(20)))) {
      assertThatThrownBy(() -> take(run("lock"), here()))
          .isInstanceOf(InfrastructureException.class)
          .hasMessageContaining(hdfs.uri("/lock") + " is in use")
          .hasMessageContaining("process 4711 of prover on host-7");
      living.requireHeld();
    }
    LockFiles files = new LockFiles(run);
    files.create(1, elsewhere());
    files.beat(1, new byte[] {1});
    try (RunLock next = take(run("lock"), here())) {
      next.requireHeld();
      assertThat(files.numbers()).containsExactly(1, 2);
    }
    assertThat(files.numbers()).isEmpty();
  }

  @Test
  void ofManyAtOnceOneGetsTheLockThoughADeadOneIsInTheWay() throws Exception {
    int runs = 4;
    new LockFiles(run("many")).create(1, elsewhere());
    CyclicBarrier together = new CyclicBarrier(runs);
    List<Future<RunLock>> all = new ArrayList<>();
    List<RunLock> got = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(runs)) {
      for (int i = 0; i < runs; i++) {
        all.add(
            threads.submit(
                () -> {
                  RunDirectory own = run("many");
                  together.await();
                  try {
                    return take(own, here());
                  } catch (InfrastructureException e) {
                    assertThat(e).hasMessageContaining("in use");
                    return null;
                  }
                }));
      }
      for (Future<RunLock> each : all) {
        if (each.get() != null) {
          got.add(each.get());
        }
      }
    }
    assertThat(got).hasSize(1);
    got.getFirst().requireHeld();
    got.getFirst().close();
  }

  @Test
  void aReplacedFileIsWholeForEveryReaderAtAnyTime() throws Exception {
    RunFiles files = new RunFiles(another());
    Path file = new Path(hdfs.uri("/replace/run.json"));
    byte[] first = "1".repeat(5000).getBytes(UTF_8);
    byte[] second = "2".repeat(9000).getBytes(UTF_8);
    files.write(file, first);
    AtomicBoolean ended = new AtomicBoolean();
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<Integer> reader =
          thread.submit(
              () -> {
                RunFiles own = new RunFiles(another());
                int reads = 0;
                while (!ended.get() || reads < 20) {
                  assertThat(own.read(file, 1 << 20)).isIn(first, second);
                  reads++;
                }
                return reads;
              });
      for (int i = 0; i < 60; i++) {
        files.write(file, i % 2 == 0 ? second : first);
      }
      ended.set(true);
      assertThat(reader.get()).isPositive();
    }
    assertThat(files.list(new Path(hdfs.uri("/replace")))).hasSize(1); // nothing temporary is left
  }

  @Test
  void aQuotaThatIsUsedUpIsSaidAndWhatWasThereStays() {
    RunFiles files = new RunFiles(another());
    Path file = new Path(hdfs.uri("/full/run.json"));
    files.write(file, new byte[] {1});
    hdfs.setFull("/full", true);
    assertThatThrownBy(() -> files.write(file, new byte[] {2}))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("cannot write " + file)
        .hasMessageContaining("DSQuotaExceededException");
    assertThatThrownBy(() -> files.createNew(new Path(hdfs.uri("/full/new")), new byte[] {2}))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("DSQuotaExceededException");
    assertThat(files.read(file, 10)).containsExactly(1);
    assertThat(files.list(new Path(hdfs.uri("/full")))).hasSize(1);
    hdfs.setFull("/full", false);
    files.write(file, new byte[] {2});
    assertThat(files.read(file, 10)).containsExactly(2);
  }

  @Test
  void ofManyThatMakeAFileOneDoes() throws Exception {
    Path file = new Path(hdfs.uri("/new/one"));
    CyclicBarrier together = new CyclicBarrier(4);
    List<Future<Boolean>> all = new ArrayList<>();
    int made = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 4; i++) {
        byte[] content = {(byte) i};
        all.add(
            threads.submit(
                () -> {
                  RunFiles own = new RunFiles(another());
                  together.await();
                  return own.createNew(file, content);
                }));
      }
      for (Future<Boolean> each : all) {
        made += each.get() ? 1 : 0;
      }
    }
    assertThat(made).isEqualTo(1);
    assertThat(new RunFiles(another()).read(file, 10)).hasSize(1);
  }
}
