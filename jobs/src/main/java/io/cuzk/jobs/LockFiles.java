package io.cuzk.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/** The files of {@link RunLock}: {@code lock/N.json} and {@code lock/N.beat}. */
final class LockFiles {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SMALL = 1 << 16;
  private static final String HOLDER = ".json";
  private static final String BEAT = ".beat";

  private final RunFiles files;
  private final Path directory;

  LockFiles(RunDirectory run) {
    this.files = run.files();
    this.directory = RunLock.directory(run);
  }

  private Path file(int number, String suffix) {
    return new Path(directory, number + suffix);
  }

  /** Of all holders, ascending. */
  List<Integer> numbers() {
    List<Integer> numbers = new ArrayList<>();
    for (FileStatus file : files.list(directory)) {
      String name = file.getPath().getName();
      if (name.matches("[1-9][0-9]{0,8}\\.json")) {
        numbers.add(Integer.parseInt(name.substring(0, name.length() - HOLDER.length())));
      }
    }
    numbers.sort(null);
    return numbers;
  }

  boolean exists(int number) {
    return files.exists(file(number, HOLDER));
  }

  /** Whether the number was free and is now this holder's. */
  boolean create(int number, LockHolder holder) {
    try {
      return files.createNew(file(number, HOLDER), JSON.writeValueAsBytes(holder.toJson()));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + holder, e);
    }
  }

  /** Null if it is gone, still empty, or damaged. */
  LockHolder holder(int number) {
    try {
      byte[] content = files.read(file(number, HOLDER), SMALL);
      return content == null ? null : LockHolder.of(JSON.readTree(content));
    } catch (IOException | InvalidInputException e) {
      return null;
    }
  }

  /** What tells one holder of a number from another. */
  String identity(int number) {
    LockHolder holder = holder(number);
    return holder == null ? "unnamed " + number : holder.id();
  }

  /** Null if there is none. */
  byte[] beat(int number) {
    return files.read(file(number, BEAT), SMALL);
  }

  void beat(int number, byte[] content) {
    files.write(file(number, BEAT), content);
  }

  /** When the last sign of life was, in milliseconds since 1970; 0 if there never was one. */
  long lastSign(int number) {
    return Math.max(files.modified(file(number, HOLDER)), files.modified(file(number, BEAT)));
  }

  /** Milliseconds since then, by the file system's own clock. */
  long silence(int number) {
    long last = lastSign(number);
    // beside the lock, which its holder may take away at any time
    return last == 0 ? 0 : files.clock(directory.getParent()) - last;
  }

  void remove(int number) {
    // The name first: a beat alone means nothing.
    files.delete(file(number, HOLDER));
    files.delete(file(number, BEAT));
  }

  void removeDirectoryIfEmpty() {
    files.deleteIfEmpty(directory);
  }
}
