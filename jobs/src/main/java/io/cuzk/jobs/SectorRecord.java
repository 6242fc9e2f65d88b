package io.cuzk.jobs;

/**
 * One row of {@code sectors/}: how a sector ended.
 *
 * @param state {@code verified} or {@code failed}
 * @param failureKind {@code input}, {@code proof} or {@code infrastructure}; null when verified
 * @param reason one line; null when verified
 * @param proofFile the file of 192·P bytes; null unless verified
 * @param provingNs the partitions' task times, summed
 */
public record SectorRecord(
    int schemaVersion,
    String runId,
    String sector,
    Long minerId,
    Long sectorNumber,
    boolean replicaIdChecked,
    String registeredProof,
    long sectorSizeBytes,
    String inputPath,
    long inputBytes,
    String inputSha256,
    String state,
    String failureKind,
    String reason,
    int partitions,
    int partitionsVerified,
    String proofFile,
    long proofBytes,
    long provingNs) {
  /** The mapping to rows. */
  public static final RecordType<SectorRecord> TYPE = RecordType.of(SectorRecord.class);

  /** The value of {@link #state} for a sector with all its proofs. */
  public static final String VERIFIED = "verified";

  /** The value of {@link #state} for a sector without. */
  public static final String FAILED = "failed";
}
