package io.cuzk.jobs;

/**
 * How a task ended, for the driver. The proof itself went to the file system.
 *
 * @param failureKind as in {@link PartitionEntry}, or {@link #DECLINED}; null when verified
 * @param reason null when verified
 * @param device that it ran on or was sent to, as {@link Places} names it
 * @param executor that it ran on
 * @param lost whether that process has lost its devices, which another process may use
 */
record TaskReport(
    String sector,
    int partition,
    boolean verified,
    String failureKind,
    String reason,
    String device,
    String executor,
    boolean lost) {
  /** The task was sent to a device that it may not or cannot use; nothing was tried. */
  static final String DECLINED = "declined";
}
