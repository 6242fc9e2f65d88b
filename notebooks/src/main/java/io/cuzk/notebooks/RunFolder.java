package io.cuzk.notebooks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A run directory that has ended, on a local file system.
 *
 * @param name what the pictures call it
 * @param record its run.json; empty where there is none
 */
record RunFolder(String name, Path path, JsonNode record) {
  /**
   * Opens one.
   *
   * @throws IllegalArgumentException if it has no datasets
   */
  static RunFolder open(String name, Path path) {
    Path record = path.resolve("run.json");
    try {
      if (!Files.isDirectory(path.resolve("phases"))) {
        throw new IllegalArgumentException(
            path.toAbsolutePath()
                + " has no phases/: expected the directory that 'cuzk prove --out' left; the"
                + " datasets are written when a run ends");
      }
      ObjectMapper json = new ObjectMapper();
      return new RunFolder(
          name,
          path,
          Files.exists(record) ? json.readTree(record.toFile()) : json.createObjectNode());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + record, e);
    }
  }

  /** The Parquet files of a dataset as a list for DuckDB. */
  String files(String dataset) {
    try (Stream<Path> files = Files.list(path.resolve(dataset))) {
      List<String> parts =
          files
              .map(file -> file.toAbsolutePath().toString())
              .filter(file -> file.endsWith(".parquet"))
              .sorted()
              .map(file -> "'" + file.replace("'", "''") + "'")
              .toList();
      if (parts.isEmpty()) {
        throw new IllegalArgumentException("no Parquet files in " + path.resolve(dataset));
      }
      return "[" + String.join(", ", parts) + "]";
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + path.resolve(dataset), e);
    }
  }
}
