package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.prover.PartitionOrder;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Turns what the user wrote (files, directories, globs, {@linkplain Manifest manifests}, on any
 * Hadoop file system) into files, in the order written and sorted by name within a directory or
 * glob. Hidden files of a directory are left out.
 */
final class InputPaths {
  /**
   * One C1 file.
   *
   * @param minerId that a manifest claims; null without
   * @param sectorNumber that a manifest claims; null without
   * @param priority 0 without
   * @param deadlineMillis since 1970; {@link PartitionOrder#NO_DEADLINE} without
   */
  record InputFile(
      String path, long bytes, Long minerId, Long sectorNumber, int priority, long deadlineMillis) {
    static InputFile of(String path, long bytes) {
      return new InputFile(path, bytes, null, null, 0, PartitionOrder.NO_DEADLINE);
    }
  }

  private InputPaths() {}

  /**
   * All files, each once.
   *
   * @throws InvalidInputException listing every path that names nothing
   */
  static List<InputFile> resolve(List<String> written, RunFiles files) {
    Map<String, InputFile> found = new LinkedHashMap<>();
    List<String> nothing = new ArrayList<>();
    for (String text : written) {
      List<FileStatus> matches = matches(files.qualify(text), files);
      if (matches.isEmpty()) {
        nothing.add(text);
      }
      for (FileStatus match : matches) {
        for (InputFile file : expand(match, files, nothing)) {
          found.putIfAbsent(file.path(), file);
        }
      }
    }
    if (!nothing.isEmpty()) {
      throw new InvalidInputException("no C1 file at " + String.join(", ", nothing));
    }
    if (found.isEmpty()) {
      throw new InvalidInputException("no C1 files given");
    }
    return List.copyOf(found.values());
  }

  private static List<InputFile> expand(FileStatus match, RunFiles files, List<String> nothing) {
    Path path = match.getPath();
    if (!Manifest.isManifest(path.getName())) {
      return List.of(InputFile.of(path.toString(), match.getLen()));
    }
    List<InputFile> found = new ArrayList<>();
    for (Manifest.Line line : Manifest.read(path, files)) {
      Path named = new Path(path.getParent(), line.path());
      List<FileStatus> there = matches(named, files);
      if (there.size() != 1) {
        nothing.add(RunFiles.show(named) + " (" + line.where() + ")");
        continue;
      }
      found.add(
          new InputFile(
              there.getFirst().getPath().toString(),
              there.getFirst().getLen(),
              line.minerId(),
              line.sectorNumber(),
              line.priority(),
              line.deadlineMillis()));
    }
    return found;
  }

  private static List<FileStatus> matches(Path path, RunFiles files) {
    FileSystem fs = files.fileSystem(path);
    List<FileStatus> found = new ArrayList<>();
    try {
      for (FileStatus status : literalOrGlob(fs, path)) {
        if (!status.isDirectory()) {
          found.add(status);
          continue;
        }
        List<FileStatus> inside = new ArrayList<>(List.of(fs.listStatus(status.getPath())));
        inside.removeIf(each -> !each.isFile() || each.getPath().getName().startsWith("."));
        inside.sort(Comparator.comparing(FileStatus::getPath));
        found.addAll(inside);
      }
    } catch (IOException e) {
      throw new InfrastructureException(
          "cannot read " + RunFiles.show(path) + ": " + RunFiles.reason(e), e);
    }
    return found;
  }

  private static List<FileStatus> literalOrGlob(FileSystem fs, Path path) throws IOException {
    try {
      return List.of(fs.getFileStatus(path));
    } catch (FileNotFoundException e) {
      FileStatus[] globbed = fs.globStatus(path);
      return globbed == null ? List.of() : List.of(globbed);
    }
  }
}
