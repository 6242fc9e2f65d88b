package io.cuzk.jobs;

/**
 * One row of {@code devices/}: a device that proved in this run, once per executor.
 *
 * @param device the backend's name for it
 * @param address Spark's resource address; null where the job asked for none
 * @param memoryBytes of the host, or of the device where the backend has its own
 */
public record DeviceRecord(
    int schemaVersion,
    String runId,
    String host,
    String executorId,
    String backend,
    String device,
    String address,
    String cpuModel,
    int cores,
    long memoryBytes,
    String java) {
  /** The mapping to rows. */
  public static final RecordType<DeviceRecord> TYPE = RecordType.of(DeviceRecord.class);
}
