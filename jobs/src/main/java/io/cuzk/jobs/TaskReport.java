package io.cuzk.jobs;

/** How a task ended, for the driver's count. The proof itself went to the file system. */
record TaskReport(String sector, int partition, boolean verified, String failureKind) {}
