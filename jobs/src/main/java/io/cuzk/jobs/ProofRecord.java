package io.cuzk.jobs;

import java.time.Instant;

/**
 * One row of {@code proofs/}: a proof that verified in the task that made it, with all that is
 * needed to verify it again under the verifying key alone.
 *
 * @param sector the sector's name: {@code s-t0MINER-SECTOR}, or the C1 file's stem
 * @param minerId null when not known
 * @param sectorNumber null when not known
 * @param replicaIdChecked whether miner and sector were checked against the replica id
 * @param partitionIndex from 0
 * @param inputSha256 of the C1 file as it was read, hex
 * @param keyName the parameter file's name without extension
 * @param keyDigest of the parameter file, as its producer publishes it
 * @param verifyingKeySha256 of the verifying key in bellperson's encoding, hex
 * @param proof 192 bytes: A, B, C compressed
 * @param publicInputs 32 bytes little-endian each, without the leading one
 * @param synthesis that made the witness: compiled or reference
 * @param threads of the task
 * @param taskAttempt Spark's attempt number, from 0
 */
public record ProofRecord(
    int schemaVersion,
    String runId,
    String sector,
    Long minerId,
    Long sectorNumber,
    boolean replicaIdChecked,
    int partitionIndex,
    int partitions,
    String registeredProof,
    long sectorSizeBytes,
    byte[] commR,
    byte[] commD,
    byte[] replicaId,
    String inputPath,
    String inputSha256,
    String keyName,
    String keyDigest,
    String verifyingKeySha256,
    byte[] proof,
    byte[] publicInputs,
    boolean verified,
    String backend,
    String device,
    String host,
    String executorId,
    String synthesis,
    int threads,
    int taskAttempt,
    Instant startedAt,
    long wallNs,
    long cpuNs) {
  /** The version of all four schemas; a reader checks it. */
  public static final int SCHEMA_VERSION = 1;

  /** The mapping to rows. */
  public static final RecordType<ProofRecord> TYPE = RecordType.of(ProofRecord.class);
}
