package io.cuzk.jobs;

import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;

/**
 * On an executor: reads and checks one C1 file for the plan. A bad file is a value; one that cannot
 * be read is thrown to Spark, which tries it elsewhere.
 */
final class ScanSector implements Function<InputPaths.InputFile, ScanSector.Scanned> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<JobSettings> settings;

  ScanSector(Broadcast<JobSettings> settings) {
    this.settings = settings;
  }

  /**
   * What an executor found.
   *
   * @param missingOn the host that has no such file, though the driver listed it; null where there
   *     was one
   */
  record Scanned(SectorScan scan, String missingOn) {}

  @Override
  public Scanned call(InputPaths.InputFile file) {
    JobSettings job = settings.value();
    return SectorInput.scan(
        file,
        Executor.files(),
        job.customShape(),
        file.minerId() == null ? job.minerId() : file.minerId(),
        file.sectorNumber() == null ? job.sectorNumber() : file.sectorNumber());
  }
}
