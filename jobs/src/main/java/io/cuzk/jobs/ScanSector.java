package io.cuzk.jobs;

import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;

/**
 * On an executor: reads and checks one C1 file for the plan. A bad file is a value; one that cannot
 * be read is thrown to Spark, which tries it elsewhere.
 */
final class ScanSector implements Function<InputPaths.InputFile, SectorScan> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<JobSettings> settings;

  ScanSector(Broadcast<JobSettings> settings) {
    this.settings = settings;
  }

  @Override
  public SectorScan call(InputPaths.InputFile file) {
    JobSettings job = settings.value();
    return SectorInput.scan(
        file,
        Executor.files(),
        job.customShape(),
        file.minerId() == null ? job.minerId() : file.minerId(),
        file.sectorNumber() == null ? job.sectorNumber() : file.sectorNumber());
  }
}
