package io.cuzk.jobs;

/** One row of {@code sectors/}: how a sector ended. */
public record SectorRecord(
    @Meaning("version of this schema") int schemaVersion,
    @Meaning("of the session that wrote the row, as in run.json") String runId,
    @Meaning("`s-t0MINER-SECTOR`, or the C1 file's stem where the miner is not known")
        String sector,
    @Meaning("null where not known") Long minerId,
    @Meaning("null where not known") Long sectorNumber,
    @Meaning("whether miner and sector were checked against the replica id")
        boolean replicaIdChecked,
    @Meaning("name of the registered seal proof") String registeredProof,
    @Meaning("of the unsealed sector") long sectorSizeBytes,
    @Meaning("the C1 file") String inputPath,
    @Meaning("size of the C1 file") long inputBytes,
    @Meaning("of the C1 file as it was read, hex") String inputSha256,
    @Meaning("`verified`, `failed`, or `pending` while the run is at work on it") String state,
    @Meaning("`input`, `proof`, `device` or `infrastructure`; null unless failed")
        String failureKind,
    @Meaning("one line; null unless failed") String reason,
    @Meaning("that the sector has") int partitions,
    @Meaning("of those") int partitionsVerified,
    @Meaning("of 192 bytes a partition; null unless verified") String proofFile,
    @Meaning("its size; 0 unless verified") long proofBytes,
    @Meaning("the partitions' task times, summed") long provingNs) {
  /** The mapping to rows. */
  public static final RecordType<SectorRecord> TYPE = RecordType.of(SectorRecord.class);

  /** The value of {@link #state} for a sector with all its proofs. */
  public static final String VERIFIED = "verified";

  /** The value of {@link #state} for a sector without. */
  public static final String FAILED = "failed";

  /** The value of {@link #state} for a sector that a run at work has partitions to prove of. */
  public static final String PENDING = "pending";
}
