package io.cuzk.jobs;

/** One row of {@code phases/}: one phase of one partition, timed inside the task. */
public record PhaseRecord(
    @Meaning("version of this schema") int schemaVersion,
    @Meaning("of the session that wrote the row, as in run.json") String runId,
    @Meaning("`s-t0MINER-SECTOR`, or the C1 file's stem where the miner is not known")
        String sector,
    @Meaning("from 0") int partitionIndex,
    @Meaning("how often the partition had been tried before") int taskAttempt,
    @Meaning("for example `msm.h`; the names are listed below") String phase,
    @Meaning("since the task began; the wait before it has 0") long startNs,
    @Meaning("how long it took") long wallNs,
    @Meaning("over all threads of the task; null where it cannot be told apart") Long cpuNs,
    @Meaning("that proved: `cpu` or `cuda`") String backend,
    @Meaning("the backend's name for it; null before it was opened") String device,
    @Meaning("that the task ran on") String host,
    @Meaning("Spark's, `driver` in local mode") String executorId) {
  /** The mapping to rows. */
  public static final RecordType<PhaseRecord> TYPE = RecordType.of(PhaseRecord.class);
}
