package io.cuzk.jobs;

/**
 * One row of {@code phases/}: one phase of one partition, timed inside the task.
 *
 * @param phase for example {@code msm.h}
 * @param startNs since the task began
 * @param cpuNs over all threads of the task; null where it cannot be told apart
 */
public record PhaseRecord(
    int schemaVersion,
    String runId,
    String sector,
    int partitionIndex,
    int taskAttempt,
    String phase,
    long startNs,
    long wallNs,
    Long cpuNs,
    String backend,
    String device,
    String host,
    String executorId) {
  /** The mapping to rows. */
  public static final RecordType<PhaseRecord> TYPE = RecordType.of(PhaseRecord.class);
}
