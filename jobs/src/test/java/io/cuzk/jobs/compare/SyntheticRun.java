package io.cuzk.jobs.compare;

import io.cuzk.jobs.DatasetWriter;
import io.cuzk.jobs.DeviceRecord;
import io.cuzk.jobs.PhaseRecord;
import io.cuzk.jobs.ProofRecord;
import io.cuzk.jobs.SectorRecord;
import io.cuzk.jobs.SectorRecords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleBiFunction;

/** A run directory with drawn times: log-normal around what a 2 KiB proof takes. */
public final class SyntheticRun {
  /** Seconds by phase. */
  static final Map<String, Double> TYPICAL = typical();

  private final SplittableRandom random;
  private final double noise;
  private ToDoubleBiFunction<String, Integer> factor = (phase, partition) -> 1;
  private String digest = "00";
  private String driverCpu = "a CPU";
  private String executorCpu = "a CPU";
  private String backend = "cpu";
  private int executors = 1;
  private boolean failFirst;

  public SyntheticRun(long seed, double noise) {
    random = new SplittableRandom(seed);
    this.noise = noise;
  }

  private static Map<String, Double> typical() {
    Map<String, Double> seconds = new LinkedHashMap<>();
    seconds.put("queue.wait", 0.3);
    seconds.put("input.parse", 0.03);
    seconds.put("key.load", 0.001);
    seconds.put("synthesis.witness", 1.3);
    seconds.put("synthesis.evaluate", 0.3);
    seconds.put("quotient", 5.5);
    seconds.put("msm.h", 29.0);
    seconds.put("msm.l", 1.8);
    seconds.put("msm.a", 1.6);
    seconds.put("msm.b1", 0.6);
    seconds.put("msm.b2", 1.4);
    seconds.put("assemble", 0.005);
    seconds.put("verify", 0.02);
    seconds.put("write", 0.03);
    return seconds;
  }

  public SyntheticRun slower(String phase, double by) {
    factor = (name, partition) -> name.equals(phase) ? by : 1;
    return this;
  }

  SyntheticRun factor(ToDoubleBiFunction<String, Integer> of) {
    factor = of;
    return this;
  }

  SyntheticRun key(String with) {
    digest = with;
    return this;
  }

  SyntheticRun cpuOfDriver(String model) {
    driverCpu = model;
    return this;
  }

  SyntheticRun cpuOfExecutors(String model) {
    executorCpu = model;
    return this;
  }

  SyntheticRun backend(String name) {
    backend = name;
    return this;
  }

  public SyntheticRun executors(int count) {
    executors = count;
    return this;
  }

  /** Every partition has the phases of a failed attempt besides. */
  public SyntheticRun withFailedAttempts() {
    failFirst = true;
    return this;
  }

  public Path write(Path directory, int partitions) {
    List<PhaseRecord> phases = new ArrayList<>();
    List<ProofRecord> proofs = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      if (failFirst) {
        attempt(i, 0, 10, phases);
      }
      long[] total = attempt(i, failFirst ? 1 : 0, 1, phases);
      proofs.add(proof(i, failFirst ? 1 : 0, total));
    }
    try {
      Files.createDirectories(directory);
      Files.writeString(directory.resolve("run.json"), record());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    DatasetWriter.write(directory.resolve("phases"), PhaseRecord.TYPE, phases);
    DatasetWriter.write(directory.resolve("proofs"), ProofRecord.TYPE, proofs);
    DatasetWriter.write(directory.resolve("sectors"), SectorRecord.TYPE, sectors(partitions));
    List<DeviceRecord> devices = new ArrayList<>();
    for (int e = 0; e < executors; e++) {
      devices.add(
          new DeviceRecord(
              1,
              "id",
              "host",
              "" + e,
              backend,
              "device",
              null,
              executorCpu,
              2,
              1L << 34,
              "25",
              null,
              null,
              null,
              null,
              null,
              null,
              null,
              null));
    }
    DatasetWriter.write(directory.resolve("devices"), DeviceRecord.TYPE, devices);
    return directory;
  }

  /** The sectors, and one more that failed with a hostile name and reason. */
  private static List<SectorRecord> sectors(int partitions) {
    List<SectorRecord> sectors = new ArrayList<>();
    for (int i = 0; i <= (partitions - 1) / 10; i++) {
      int own = Math.min(10, partitions - 10 * i);
      sectors.add(SectorRecords.verified(sector(10 * i), own));
    }
    sectors.add(SectorRecords.of("<script>alert(1)</script>", 2048, 10, 0, "\"bad\" & broken"));
    return sectors;
  }

  /** Adds the phases; CPU and wall nanoseconds up to the proof. */
  private long[] attempt(int partition, int number, double slow, List<PhaseRecord> phases) {
    long start = 0;
    long cpuTotal = 0;
    for (Map.Entry<String, Double> phase : TYPICAL.entrySet()) {
      String name = phase.getKey();
      double seconds =
          slow
              * phase.getValue()
              * Math.exp(noise * random.nextGaussian())
              * factor.applyAsDouble(name, partition);
      long wall = (long) (seconds * 1e9);
      long cpu = name.equals("queue.wait") ? 0 : (long) (wall * 1.8);
      phases.add(
          new PhaseRecord(
              1,
              "id",
              sector(partition),
              partition % 10,
              number,
              name,
              start,
              wall,
              cpu,
              backend,
              "device",
              "host",
              "" + partition % executors));
      if (!name.equals("queue.wait")) {
        start += wall;
      }
      if (!name.equals("queue.wait") && !name.equals("write")) {
        cpuTotal += cpu;
      } else if (name.equals("write")) {
        start -= wall;
      }
    }
    return new long[] {cpuTotal, start};
  }

  private static String sector(int partition) {
    return "s-t01000-" + partition / 10;
  }

  private ProofRecord proof(int partition, int attempt, long[] total) {
    return new ProofRecord(
        1,
        "id",
        sector(partition),
        1000L,
        (long) partition / 10,
        true,
        partition % 10,
        10,
        "a proof",
        2048,
        new byte[32],
        new byte[32],
        new byte[32],
        "c1",
        "00",
        "key",
        digest,
        null,
        "00",
        new byte[192],
        new byte[32],
        true,
        backend,
        "device",
        null,
        "host",
        "" + partition % executors,
        "compiled",
        2,
        attempt,
        Instant.ofEpochSecond(1_700_000_000L + partition),
        total[1],
        total[0]);
  }

  private String record() {
    return """
    {"format":"cuzk-run","schema_version":1,"run_id":"id","state":"finished",
         "wall_ns":100000000000,
     "hardware":{"cpu_model":"%s"},"configuration":{"spark.app.id":"%d"},"backend":"%s",
     "parameters":[{"sector_size":"2KiB","name":"key","digest":"%s"}],"inputs":[]}
    """
        .formatted(driverCpu, random.nextInt(), backend, digest);
  }
}
