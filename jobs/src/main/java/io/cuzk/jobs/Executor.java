package io.cuzk.jobs;

import io.cuzk.InvalidInputException;
import io.cuzk.groth16.ParameterFile;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.TrustedDigest;
import io.cuzk.groth16.VerifyingKey;
import io.cuzk.parallel.Workers;
import io.cuzk.porep.SectorShape;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkEnv;
import org.apache.spark.deploy.SparkHadoopUtil;

/**
 * What one executor JVM keeps between tasks: its proving keys, mapped and digested once, and its
 * compute pools. Keys are never broadcast: they are files that every executor maps.
 */
final class Executor {
  private static final Map<Path, Opened> KEYS = new HashMap<>();
  private static final Map<Integer, Workers> POOLS = new ConcurrentHashMap<>();

  private Executor() {}

  /** A key that stays mapped as long as the JVM lives. */
  record Opened(ParameterFile file, ProvingKey key, long modified) {}

  /** Files as this executor's Hadoop configuration sees them. */
  static RunFiles files() {
    return new RunFiles(SparkHadoopUtil.get().newConfiguration(SparkEnv.get().conf()));
  }

  static RunDirectory run(JobSettings job) {
    return new RunDirectory(
        job.run(), SparkHadoopUtil.get().newConfiguration(SparkEnv.get().conf()));
  }

  static String id() {
    return SparkEnv.get().executorId();
  }

  /** A pool of that many threads. Tasks that run at once share it. */
  static Workers workers(int threads) {
    return POOLS.computeIfAbsent(threads, Workers::of);
  }

  /**
   * The proving key of a sector size. The first call maps it and computes its digest, which takes
   * about a second per GiB; a file that was replaced since is opened anew.
   *
   * @throws InvalidInputException if it is missing, damaged, or another than its digest says
   */
  static ProvingKey key(String parameters, String sectorSize) {
    KeyFiles files = KeyFiles.of(Path.of(parameters), SectorShape.of(sectorSize));
    synchronized (KEYS) {
      long modified = files.params().toFile().lastModified();
      Opened opened = KEYS.get(files.params());
      if (opened == null || opened.modified() != modified) {
        opened = open(files, modified);
        KEYS.put(files.params(), opened);
      }
      return opened.key();
    }
  }

  private static Opened open(KeyFiles files, long modified) {
    TrustedDigest.require(files.vk());
    VerifyingKey beside = VerifyingKey.read(files.vk());
    ParameterFile file = ParameterFile.open(files.params());
    if (!file.vk().equals(beside)) {
      throw new InvalidInputException(
          "%s and %s are of different parameters: verifying key digests %s and %s"
              .formatted(files.params(), files.vk(), file.vk().digest(), beside.digest()));
    }
    String digest = TrustedDigest.require(files.params()).digest();
    return new Opened(file, file.provingKey().withDigest(digest), modified);
  }
}
