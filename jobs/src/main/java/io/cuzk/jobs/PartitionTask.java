package io.cuzk.jobs;

/**
 * One Spark task: which partition of which sector. The task reads its C1 file itself: a batch of
 * 100,000 sectors would otherwise pass terabytes through the driver, and the file system is made
 * for that.
 *
 * @param keyDigest of the parameters that the run began with
 * @param keyLayout of the file they were read from: {@code native} or {@code params}
 */
record PartitionTask(
    String sector, int partition, SectorScan scan, String keyDigest, String keyLayout) {}
