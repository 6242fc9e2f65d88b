package io.cuzk.jobs;

import io.cuzk.prover.PartitionOrder;

/**
 * What the planning reads from a C1 file, small enough to collect by the hundred thousand; or why
 * the file cannot be proved.
 *
 * @param bytes the file's length
 * @param sha256 of the file; null where it could not be read to its end
 * @param sectorSize for example {@code 2KiB}
 * @param minerId null when neither given nor in the file
 * @param sectorNumber null when neither given nor in the file
 * @param replicaIdChecked whether replica_id was recomputed from miner and sector number
 * @param priority 0 where the manifest names none
 * @param deadlineMillis since 1970; {@link PartitionOrder#NO_DEADLINE} where it names none
 * @param failure null when every check passed; then all of the above but ids are there
 */
record SectorScan(
    String path,
    long bytes,
    String sha256,
    String registeredProof,
    String sectorSize,
    long sectorSizeBytes,
    int partitions,
    byte[] replicaId,
    byte[] commR,
    byte[] commD,
    Long minerId,
    Long sectorNumber,
    boolean replicaIdChecked,
    int priority,
    long deadlineMillis,
    String failure) {

  static SectorScan failed(String path, long bytes, String sha256, String reason) {
    return new SectorScan(
        path,
        bytes,
        sha256,
        null,
        null,
        0,
        0,
        null,
        null,
        null,
        null,
        null,
        false,
        0,
        PartitionOrder.NO_DEADLINE,
        reason);
  }

  /** Where the file lies, as the user would write it. */
  String shownPath() {
    return RunFiles.show(new org.apache.hadoop.fs.Path(path));
  }

  /** {@code s-t0MINER-SECTOR}, or the file's name up to its last dot. */
  String name() {
    if (minerId != null && sectorNumber != null && replicaIdChecked) {
      return "s-t0" + Long.toUnsignedString(minerId) + "-" + Long.toUnsignedString(sectorNumber);
    }
    String file = new org.apache.hadoop.fs.Path(path).getName();
    int dot = file.lastIndexOf('.');
    return dot > 0 ? file.substring(0, dot) : file;
  }
}
