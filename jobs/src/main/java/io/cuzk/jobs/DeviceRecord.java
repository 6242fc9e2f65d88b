package io.cuzk.jobs;

/** One row of {@code devices/}: a device that proved in this run, once per executor. */
public record DeviceRecord(
    @Meaning("version of this schema") int schemaVersion,
    @Meaning("of the session that wrote the row, as in run.json") String runId,
    @Meaning("that the task ran on") String host,
    @Meaning("Spark's, `driver` in local mode") String executorId,
    @Meaning("that proved: `cpu` or `cuda`") String backend,
    @Meaning("the backend's name for it") String device,
    @Meaning("Spark's resource address; null where the job asked for none") String address,
    @Meaning("as the kernel names it") String cpuModel,
    @Meaning("that the executor's JVM may use") int cores,
    @Meaning("of the host, or of the device where the backend has its own") long memoryBytes,
    @Meaning("virtual machine and version") String java,
    @Meaning(
            "most that the executor's process had in memory so far, mapped key pages included;"
                + " null where the system does not say")
        Long peakResidentBytes,
    @Meaning("of the device, as its library says; null where there is none") String driver,
    @Meaning(
            "that the device was given: assembled for it, or compiled by the driver; null on a CPU")
        String code,
    @Meaning(
            "of the device's multiprocessors, the lowest that was read when it was opened and after"
                + " each proof; null where not known, as in the columns after this one")
        Integer clockMhz,
    @Meaning("of the device's memory, the lowest that was read") Integer memoryClockMhz,
    @Meaning("of the chip, the highest that was read") Integer celsius,
    @Meaning("of the device's memory in use by all processes, the most that was read")
        Long usedBytes,
    @Meaning("of the device's memory since its machine started, the most that was read")
        Integer uncorrectedErrors) {
  /** The mapping to rows. */
  public static final RecordType<DeviceRecord> TYPE = RecordType.of(DeviceRecord.class);
}
