package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.prover.PartitionOrder;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Turns what the user wrote (files, directories, globs, {@linkplain Manifest manifests}, on any
 * Hadoop file system) into files, in the order written and sorted by name within a directory or
 * glob, where numbers in names count as numbers: of one miner's sectors the oldest is first. Hidden
 * files of a directory are left out. What a manifest says of a file holds wherever else the file is
 * named, and no two lines of manifests may name one file.
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
    /** Of a file that no manifest names. */
    static InputFile of(String path, long bytes) {
      return new InputFile(path, bytes, null, null, 0, PartitionOrder.NO_DEADLINE);
    }
  }

  private static final Comparator<FileStatus> BY_NAME =
      Comparator.comparing(each -> each.getPath().toString(), InputPaths::compareNames);

  private InputPaths() {}

  /**
   * As text, but runs of digits by the number that they are: {@code s-t01000-2} is before {@code
   * s-t01000-10}.
   */
  static int compareNames(String one, String other) {
    int i = 0;
    int j = 0;
    while (i < one.length() && j < other.length()) {
      if (isDigit(one, i) && isDigit(other, j)) {
        String first = digits(one, i);
        String second = digits(other, j);
        int order = new BigInteger(first).compareTo(new BigInteger(second));
        if (order != 0) {
          return order;
        }
        i += first.length();
        j += second.length();
      } else {
        if (one.charAt(i) != other.charAt(j)) {
          return Character.compare(one.charAt(i), other.charAt(j));
        }
        i++;
        j++;
      }
    }
    int rest = Integer.compare(one.length() - i, other.length() - j);
    return rest != 0 ? rest : one.compareTo(other);
  }

  private static boolean isDigit(String text, int at) {
    return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }

  private static String digits(String text, int from) {
    int end = from;
    while (isDigit(text, end)) {
      end++;
    }
    return text.substring(from, end);
  }

  /**
   * All files, each once.
   *
   * @throws InvalidInputException listing every path that names nothing; or naming the two lines of
   *     manifests that name one file
   */
  static List<InputFile> resolve(List<String> written, RunFiles files) {
    Found found = new Found();
    for (String text : written) {
      List<FileStatus> matches = matches(files.qualify(text), files);
      if (matches.isEmpty()) {
        found.nothing.add(text);
      }
      for (FileStatus match : matches) {
        if (Manifest.isManifest(match.getPath().getName())) {
          found.addManifest(match.getPath(), files);
        } else {
          found.files.putIfAbsent(
              match.getPath().toString(), InputFile.of(match.getPath().toString(), match.getLen()));
        }
      }
    }
    if (!found.nothing.isEmpty()) {
      throw new InvalidInputException("no C1 file at " + String.join(", ", found.nothing));
    }
    if (found.files.isEmpty()) {
      throw new InvalidInputException("no C1 files given");
    }
    return List.copyOf(found.files.values());
  }

  /** By path; which line of which manifest names each; and what names no file. */
  private static final class Found {
    final Map<String, InputFile> files = new LinkedHashMap<>();
    final Map<String, String> lines = new HashMap<>();
    final List<String> nothing = new ArrayList<>();

    void addManifest(Path manifest, RunFiles on) {
      for (Manifest.Line line : Manifest.read(manifest, on)) {
        Path named = new Path(manifest.getParent(), line.path());
        List<FileStatus> there = matches(named, on);
        if (there.size() != 1) {
          nothing.add(RunFiles.show(named) + " (" + line.where() + ")");
          continue;
        }
        add(line, there.getFirst());
      }
    }

    /** A manifest that is named twice says the same twice; two lines may not agree. */
    private void add(Manifest.Line line, FileStatus file) {
      String path = file.getPath().toString();
      String before = lines.putIfAbsent(path, line.where());
      if (before != null && !before.equals(line.where())) {
        throw new InvalidInputException(
            "%s is named twice: %s, and %s; leave one of the lines"
                .formatted(RunFiles.show(file.getPath()), before, line.where()));
      }
      files.put(
          path,
          new InputFile(
              path,
              file.getLen(),
              line.minerId(),
              line.sectorNumber(),
              line.priority(),
              line.deadlineMillis()));
    }
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
        inside.sort(BY_NAME);
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
      List<FileStatus> found = new ArrayList<>(globbed == null ? List.of() : List.of(globbed));
      found.sort(BY_NAME);
      return found;
    }
  }
}
