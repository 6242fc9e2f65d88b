package io.cuzk.jobs;

import java.util.List;

/**
 * What a task leaves behind when it moves on: its proof or the reason for none, its phases, the
 * device. Lies as one JSON file in the run's journal until the datasets are written from there.
 *
 * @param proof null when the partition failed
 * @param failureKind {@link #INPUT}, {@link #PROOF}, {@link #DEVICE} or {@link #INFRASTRUCTURE};
 *     null when proved
 */
record PartitionEntry(
    String sector,
    int partitionIndex,
    ProofRecord proof,
    String failureKind,
    String reason,
    long wallNs,
    List<PhaseRecord> phases,
    DeviceRecord device) {
  static final String INPUT = "input";
  static final String PROOF = "proof";
  static final String DEVICE = "device";
  static final String INFRASTRUCTURE = "infrastructure";

  /** All kinds of failure. */
  static final List<String> KINDS = List.of(INPUT, PROOF, DEVICE, INFRASTRUCTURE);

  static final RecordType<PartitionEntry> TYPE = RecordType.of(PartitionEntry.class);

  /** Of a partition whose task ended without leaving anything. */
  static PartitionEntry lost(String sector, int partition, String reason) {
    return new PartitionEntry(sector, partition, null, INFRASTRUCTURE, reason, 0, List.of(), null);
  }
}
