package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;

/** Whether there is room for what a run will write, before it begins. */
final class RunSpace {
  /** Bytes that a partition leaves in the run directory: journal, datasets, proof. */
  static final long PARTITION = 20L << 10;

  /** What temporary files of an executor may need, in each of its directories. */
  static final long TEMPORARY = 16L << 20;

  private RunSpace() {}

  /**
   * On the driver: looks at the file system of the run directory.
   *
   * @param partitions that are to be proved
   * @throws InfrastructureException with both figures
   */
  static void require(RunFiles files, Path run, int partitions) {
    long needed = partitions * PARTITION;
    long free;
    try {
      free = files.fileSystem(run).getStatus(run).getRemaining();
    } catch (IOException e) {
      throw new InfrastructureException(
          "cannot ask for the room at " + RunFiles.show(run) + ": " + RunFiles.reason(e), e);
    }
    if (free < needed) {
      throw new InfrastructureException(
          "the file system of %s has %d bytes free, %d are needed for %d partitions of %d bytes"
              .formatted(RunFiles.show(run), free, needed, partitions, PARTITION));
    }
  }

  /**
   * On an executor: looks at its local directories.
   *
   * @throws InfrastructureException naming those without room, with both figures
   */
  static void require(List<File> directories, long least) {
    String full =
        directories.stream()
            .distinct()
            .filter(each -> each.getUsableSpace() < least)
            .map(each -> "%s has %d bytes free".formatted(each, each.getUsableSpace()))
            .collect(Collectors.joining(", "));
    if (!full.isEmpty()) {
      throw new InfrastructureException(
          full + "; %d are needed in each temporary directory".formatted(least));
    }
  }
}
