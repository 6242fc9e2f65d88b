package io.cuzk.jobs;

/** Records of sectors for runs that are computed by hand. */
public final class SectorRecords {
  private SectorRecords() {}

  /** A sector of 2 KiB all of whose partitions verified. */
  public static SectorRecord verified(String name, int partitions) {
    return of(name, 2048, partitions, partitions, null);
  }

  /**
   * A sector.
   *
   * @param bytes of the sector
   * @param verified partitions
   * @param reason why it failed; null if it verified
   */
  public static SectorRecord of(
      String name, long bytes, int partitions, int verified, String reason) {
    return new SectorRecord(
        ProofRecord.SCHEMA_VERSION,
        "id",
        name,
        null,
        null,
        false,
        "a proof",
        bytes,
        "c1",
        1,
        "00",
        reason == null ? SectorRecord.VERIFIED : SectorRecord.FAILED,
        reason == null ? null : PartitionEntry.INPUT,
        reason,
        partitions,
        verified,
        null,
        0,
        verified * 42_000_000_000L);
  }
}
