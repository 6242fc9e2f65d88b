package io.cuzk.jobs;

import static io.cuzk.jobs.LockHolders.elsewhere;
import static io.cuzk.jobs.LockHolders.here;
import static io.cuzk.jobs.LockHolders.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On a local disk ({@code false}) and through Hadoop's calls ({@code true}). */
class RunLockTest {
  @TempDir private Path temp;

  private RunDirectory run(boolean other) {
    RunDirectory run =
        new RunDirectory(
            other ? OtherFileSystem.path(temp.resolve("run")) : temp.resolve("run").toString(),
            OtherFileSystem.configuration());
    run.prepare();
    return run;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theSecondIsRefusedByNameAndTheThirdComesAfterTheFirst(boolean other) {
    RunDirectory run = run(other);
    try (RunLock first = take(run, here())) {
      first.requireHeld();
      assertThatThrownBy(() -> take(run, here()))
          .isInstanceOf(InfrastructureException.class)
          .hasMessageContaining(run.show())
          .hasMessageContaining("process " + ProcessHandle.current().pid())
          .hasMessageContaining("on " + Machine.current().host())
          .hasMessageContaining("begun at 20");
      first.requireHeld();
    }
    assertThat(temp.resolve("run")).isEmptyDirectory();
    take(run, here()).close();
    assertThat(temp.resolve("run")).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeadProcessOfThisMachineDoesNotDelayTheNext(boolean other)
      throws IOException, InterruptedException {
    RunDirectory run = run(other);
    Process process = new ProcessBuilder("sleep", "60").start();
    LockHolder own = here();
    LockHolder killed =
        new LockHolder(
            "killed",
            own.user(),
            own.host(),
            own.machine(),
            process.pid(),
            process.info().startInstant().orElseThrow(),
            Instant.now(),
            Duration.ofDays(1)); // so that waiting for its silence would never end
    new LockFiles(run).create(1, killed);
    new LockFiles(run).beat(1, new byte[] {1});
    assertThat(killed.life()).isEqualTo(LockHolder.Life.ALIVE);
    assertThatThrownBy(() -> take(run, here())).hasMessageContaining("process " + process.pid());
    process.destroyForcibly().waitFor();
    assertThat(killed.life()).isEqualTo(LockHolder.Life.DEAD);
    take(run, here()).close();
    assertThat(temp.resolve("run")).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void fromAnotherMachineItsSilenceDecides(boolean other) {
    RunDirectory run = run(other);
    try (RunLock living = take(run, elsewhere(Duration.ofSeconds(20)))) {
      assertThatThrownBy(() -> take(run, here()))
          .hasMessageContaining("process 4711 of prover on host-7, begun at 2026-01-02T03:04:05Z");
      living.requireHeld();
    }
    LockFiles files = new LockFiles(run);
    files.create(1, elsewhere());
    files.beat(1, new byte[] {1});
    try (RunLock next = take(run, here())) {
      next.requireHeld();
      assertThat(files.numbers()).containsExactly(1, 2);
    }
    assertThat(temp.resolve("run")).isEmptyDirectory();
  }

  @Test
  void oneThatDiedBeforeItWroteItsNameDoesNotBlock() throws IOException {
    RunDirectory run = run(false);
    Path unnamed = Files.createDirectories(temp.resolve("run/lock")).resolve("3.json");
    Files.createFile(unnamed);
    // Long ago: nothing to wait for.
    Files.setLastModifiedTime(unnamed, FileTime.from(Instant.now().minusSeconds(3600)));
    run.prepare();
    take(run, here()).close();
    assertThat(temp.resolve("run")).isEmptyDirectory();
  }

  @Test
  void aHolderThatWasTakenForDeadStopsAndNamesItsHeir() throws InterruptedException {
    RunDirectory run = run(false);
    CountDownLatch told = new CountDownLatch(1);
    LockFiles files = new LockFiles(run);
    try (RunLock asleep = RunLock.take(run, here(), Progress.NONE, told::countDown)) {
      files.create(2, elsewhere());
      assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
      assertThatThrownBy(asleep::requireHeld)
          .isInstanceOf(InfrastructureException.class)
          .hasMessageContaining("lost its directory to process 4711 of prover on host-7");
      assertThat(asleep.explain(new IllegalStateException("cancelled")))
          .hasMessageContaining("host-7");
    }
    assertThat(files.numbers()).contains(2); // and leaves the heir's alone
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofManyAtOnceOneGetsItThoughADeadOneIsInTheWay(boolean other)
      throws InterruptedException, ExecutionException {
    int runs = 6;
    RunDirectory run = run(other);
    CyclicBarrier together = new CyclicBarrier(runs);
    List<Future<RunLock>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(runs)) {
      for (int round = 0; round < 3; round++) {
        LockFiles files = new LockFiles(run);
        files.create(1, elsewhere());
        for (int i = 0; i < runs; i++) {
          Callable<RunLock> one =
              () -> {
                together.await();
                try {
                  return take(run, here());
                } catch (InfrastructureException e) {
                  return null;
                }
              };
          all.add(threads.submit(one));
        }
        List<RunLock> got = new ArrayList<>();
        for (Future<RunLock> each : all) {
          if (each.get() != null) {
            got.add(each.get());
          }
        }
        all.clear();
        assertThat(got).hasSize(1);
        got.getFirst().requireHeld();
        got.getFirst().close();
        assertThat(files.numbers()).isEmpty();
      }
    }
  }

  @Test
  void statusTellsTheLivingFromTheDeadAtAnyTime() {
    RunDirectory run = run(false);
    String path = temp.resolve("run").toString();
    LockHolder holder = here();
    try (RunLock lock = take(run, holder)) {
      lock.requireHeld();
      RunStatus planning = RunStatus.read(path, OtherFileSystem.configuration());
      assertThat(planning.state()).isEqualTo("planning");
      assertThat(planning.holder().pid()).isEqualTo(ProcessHandle.current().pid());
      run.writePlan(Map.of("sectors", List.of(Map.of("sector", "s", "partitions", 1))));
      run.writeRun(Map.of("state", "running", "run_id", holder.id()));
      RunStatus running = RunStatus.read(path, OtherFileSystem.configuration());
      assertThat(running.state()).isEqualTo("running");
      assertThat(running.pending()).isEqualTo(1);
    }
    RunStatus dead = RunStatus.read(path, OtherFileSystem.configuration());
    assertThat(dead.state()).isEqualTo("interrupted");
    assertThat(dead.holder()).isNull();
    run.writeRun(Map.of("state", "finished", "run_id", holder.id()));
    assertThat(RunStatus.read(path, OtherFileSystem.configuration()).state()).isEqualTo("finished");
  }

  /** This machine's clock is an hour ahead of the file system's. */
  @Test
  void aLiveRunIsNotTakenForDeadByAClockNorItsDatasetsForLeftBehind() throws IOException {
    Configuration hadoop = new Configuration();
    hadoop.setClass(
        "fs.hooked.impl", HookedFileSystem.class, org.apache.hadoop.fs.FileSystem.class);
    hadoop.setLong(HookedFileSystem.BEHIND, 3_600_000);
    hadoop.setBoolean("fs.hooked.impl.disable.cache", true);
    String path = "hooked:" + temp.resolve("run");
    RunDirectory run = new RunDirectory(path, hadoop);
    run.prepare();
    LockHolder holder = elsewhere(Duration.ofSeconds(30));
    LockFiles files = new LockFiles(run);
    files.create(1, holder);
    files.beat(1, new byte[] {1});
    run.writePlan(Map.of("sectors", List.of(Map.of("sector", "s", "partitions", 1))));
    run.writeRun(Map.of("state", "running", "run_id", holder.id()));
    Path fresh = Files.createDirectories(temp.resolve("run/_proofs.new"));
    Path ready = Files.createFile(temp.resolve("run/_datasets.ready"));
    RunStatus status = RunStatus.read(path, hadoop);
    assertThat(status.state()).isEqualTo("running");
    assertThat(status.holder().silentSeconds()).isBetween(0.0, 60.0);
    assertThat(fresh).exists();
    assertThat(ready).exists();
    for (String name : List.of("1.json", "1.beat")) {
      Path file = temp.resolve("run/lock").resolve(name);
      Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(150)));
    }
    // Silent for some time-outs: not running, but it may only have been asleep.
    assertThat(RunStatus.read(path, hadoop).state()).isEqualTo("interrupted");
    assertThat(ready).exists();
    for (String name : List.of("1.json", "1.beat")) {
      Path file = temp.resolve("run/lock").resolve(name);
      Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(3600)));
    }
    assertThat(RunStatus.read(path, hadoop).state()).isEqualTo("interrupted");
    assertThat(ready).doesNotExist();
    assertThat(temp.resolve("run/proofs")).isDirectory();
    assertThat(temp.resolve("run/lock")).doesNotExist();
  }
}
