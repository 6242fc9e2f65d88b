package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
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
 * Turns what the user wrote (files, directories, globs, on any Hadoop file system) into files, in
 * the order written and sorted by name within a directory or glob. Hidden files of a directory are
 * left out.
 */
final class InputPaths {
  /** One file. */
  record InputFile(String path, long bytes) {}

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
        String path = match.getPath().toString();
        found.putIfAbsent(path, new InputFile(path, match.getLen()));
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
