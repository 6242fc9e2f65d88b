package io.cuzk.jobs;

import java.time.Instant;

/**
 * One row of {@code proofs/}: a proof that verified in the task that made it, with all that is
 * needed to verify it again under the verifying key alone.
 */
public record ProofRecord(
    @Meaning("version of this schema") int schemaVersion,
    @Meaning("of the session that wrote the row, as in run.json") String runId,
    @Meaning("`s-t0MINER-SECTOR`, or the C1 file's stem where the miner is not known")
        String sector,
    @Meaning("null where not known") Long minerId,
    @Meaning("null where not known") Long sectorNumber,
    @Meaning("whether miner and sector were checked against the replica id")
        boolean replicaIdChecked,
    @Meaning("from 0") int partitionIndex,
    @Meaning("that the sector has") int partitions,
    @Meaning("name of the registered seal proof") String registeredProof,
    @Meaning("of the unsealed sector") long sectorSizeBytes,
    @Meaning("32 bytes") byte[] commR,
    @Meaning("32 bytes") byte[] commD,
    @Meaning("32 bytes") byte[] replicaId,
    @Meaning("the C1 file") String inputPath,
    @Meaning("of the C1 file as it was read, hex") String inputSha256,
    @Meaning("the parameter file's name without extension") String keyName,
    @Meaning("of the parameter file, as its producer publishes it") String keyDigest,
    @Meaning(
            "of the compiled circuit, hex; null where it was not compiled, and in rows of earlier"
                + " programs")
        String circuitDigest,
    @Meaning("of the verifying key in bellperson's encoding, hex") String verifyingKeySha256,
    @Meaning("192 bytes: A, B, C compressed") byte[] proof,
    @Meaning("32 bytes little-endian each, without the leading one") byte[] publicInputs,
    @Meaning("by the task that made it; always true") boolean verified,
    @Meaning("that proved: `cpu` or `cuda`") String backend,
    @Meaning("the backend's name for it") String device,
    @Meaning("Spark's resource address of it; null where the job asked for none")
        String deviceAddress,
    @Meaning("that the task ran on") String host,
    @Meaning("Spark's, `driver` in local mode") String executorId,
    @Meaning("that made the witness: `compiled` or `reference`") String synthesis,
    @Meaning("of the task") int threads,
    @Meaning("how often it had been tried before") int taskAttempt,
    @Meaning("when the task began") Instant startedAt,
    @Meaning("from there until the proof had verified") long wallNs,
    @Meaning("in that time over all threads of the task") long cpuNs) {
  /** The version of all four schemas; a reader checks it. */
  public static final int SCHEMA_VERSION = 1;

  /** The mapping to rows. */
  public static final RecordType<ProofRecord> TYPE = RecordType.of(ProofRecord.class);
}
