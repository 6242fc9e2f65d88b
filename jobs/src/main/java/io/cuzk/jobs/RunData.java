package io.cuzk.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InvalidInputException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** What a run left: its {@code run.json} and columns of its datasets, read without Spark. */
public final class RunData {
  /** The dataset of {@link ProofRecord}. */
  public static final String PROOFS = Datasets.PROOFS;

  /** The dataset of {@link PhaseRecord}. */
  public static final String PHASES = Datasets.PHASES;

  /** The dataset of {@link SectorRecord}. */
  public static final String SECTORS = Datasets.SECTORS;

  /** The dataset of {@link DeviceRecord}. */
  public static final String DEVICES = Datasets.DEVICES;

  private final RunDirectory run;
  private final Configuration hadoop;
  private final JsonNode record;

  private RunData(RunDirectory run, Configuration hadoop, JsonNode record) {
    this.run = run;
    this.hadoop = hadoop;
    this.record = record;
  }

  /**
   * Opens a run directory.
   *
   * @throws InvalidInputException if it holds no run, or one of a later schema
   */
  public static RunData open(String directory, Configuration hadoop) {
    RunDirectory run = new RunDirectory(directory, hadoop);
    JsonNode record = run.readRun();
    if (record == null) {
      throw new InvalidInputException(
          "no run in " + run.show() + " (it has no run.json); name a directory of 'cuzk prove'");
    }
    int version = record.path("schema_version").asInt();
    if (version < 1 || version > ProofRecord.SCHEMA_VERSION) {
      throw new InvalidInputException(
          "%s/run.json: schema_version is %s, this program reads 1 to %d"
              .formatted(
                  run.show(),
                  record.has("schema_version") ? record.path("schema_version") : "missing",
                  ProofRecord.SCHEMA_VERSION));
    }
    return new RunData(run, hadoop, record);
  }

  /** The directory as the user would write it. */
  public String shown() {
    return run.show();
  }

  /** {@code run.json}. */
  public JsonNode record() {
    return record;
  }

  /** Whether a dataset was written. */
  public boolean has(String dataset) {
    return run.files().exists(new DatasetPlaces(run).toRead(dataset));
  }

  /**
   * Reads columns of a dataset.
   *
   * @throws InvalidInputException if the run has not written it, or a column is missing
   */
  public Columns read(String dataset, String... columns) {
    return read(dataset, List.of(columns), List.of());
  }

  /**
   * Reads columns of a dataset, some of which runs of earlier programs lack.
   *
   * @param added columns of text that are null throughout where a file does not have them
   * @throws InvalidInputException if the run has not written it, or another column is missing
   */
  public Columns read(String dataset, List<String> columns, List<String> added) {
    return ColumnReader.read(
        run.files(), hadoop, new DatasetPlaces(run).toRead(dataset), columns, added);
  }

  /**
   * Writes a text file beside the datasets, whole or not at all.
   *
   * @return the file as the user would write it
   */
  public String write(String name, String content) {
    Path file = new Path(run.root(), name);
    run.files().write(file, content.getBytes(StandardCharsets.UTF_8));
    return RunFiles.show(file);
  }
}
