package io.cuzk.jobs;

import java.util.ArrayList;
import java.util.List;

/**
 * What an executor found before the first proof; with a {@code failure}, why there will be none.
 *
 * @param host that was looked at
 * @param executorId Spark's
 * @param clockMillis since 1970, by that host's clock
 * @param backend that will prove
 * @param device its name
 * @param choice a sentence on why this backend
 * @param failureKind null when all is well, else as in {@link PartitionEntry}
 */
record Preflight(
    String host,
    String executorId,
    long clockMillis,
    String backend,
    String device,
    String choice,
    List<KeyFound> keys,
    String failureKind,
    String failure) {
  /**
   * A proving key that is there with the right digest.
   *
   * @param path of the file that it is read from
   * @param layout of that file: {@code native} or {@code params}
   * @param digest of the {@code .params} file, whichever is read
   * @param circuitDigest of the circuit that it is a key for; null where it is not compiled
   */
  record KeyFound(
      String sectorSize,
      String name,
      String path,
      String layout,
      long bytes,
      String digest,
      String circuitDigest,
      String verifyingKeySha256) {}

  static Preflight failed(String host, String executorId, String kind, String reason) {
    return new Preflight(
        host,
        executorId,
        System.currentTimeMillis(),
        null,
        null,
        null,
        new ArrayList<>(),
        kind,
        reason);
  }
}
