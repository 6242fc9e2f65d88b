package io.cuzk.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.groth16.DigestSidecar;
import io.cuzk.groth16.FileDigest;
import io.cuzk.groth16.NativeKeyFile;
import io.cuzk.parallel.HostLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;

/**
 * Parameters that lie on a Hadoop file system, fetched into a directory of this host: keys are
 * mapped, and so must be local files. One process of the host fetches at a time, the others wait
 * and share its copy. Each source has a directory in the cache, its name made from the source's.
 */
final class KeyFetch {
  /** Kept free beside what is fetched: digests, stamps, the compiled circuit. */
  private static final long SPARE = 64L << 20;

  private final RunFiles files;
  private final org.apache.hadoop.fs.Path source;
  private final Path home;

  private KeyFetch(RunFiles files, String source, Path cache) {
    this.files = files;
    this.source = files.qualify(source);
    String name = this.source.toString().replaceAll("[^A-Za-z0-9.]+", "-");
    this.home =
        cache.resolve(
            name.substring(Math.max(0, name.length() - 100))
                + "-"
                + FileDigest.blake2bOf(this.source.toString().getBytes(UTF_8)).substring(0, 8));
  }

  /**
   * What was fetched.
   *
   * @param bytes that this call read from the source; 0 if everything was there
   */
  record Fetched(Path directory, long bytes) {}

  /** Whether a directory of parameters must be fetched: it is on a file system of Hadoop's. */
  static boolean isNeeded(String parameters) {
    return parameters.matches("[A-Za-z][A-Za-z0-9+.-]*:/.*")
        && !RunFiles.isLocal(new org.apache.hadoop.fs.Path(parameters));
  }

  /** The cache that a configuration names, in whose home directory {@code ~} is the user's. */
  static Path cache(String configured) {
    return Path.of(
        configured.startsWith("~/")
            ? System.getProperty("user.home", ".") + configured.substring(1)
            : configured);
  }

  /**
   * Fetches the files of one key, or waits for the process that does; returns soon if they are
   * here.
   *
   * @param parameters a directory on a Hadoop file system
   * @param cache where copies are kept
   * @param key the files' names; its directory does not matter
   * @param layout {@code params}, or else the native file is fetched too where there is one
   * @throws InvalidInputException if files are missing there, or have another digest than they
   *     ought to have: nothing is left of those
   * @throws InfrastructureException if the source cannot be read, or the disk has too little room,
   *     with both figures
   */
  static Fetched fetch(RunFiles files, String parameters, Path cache, KeyFiles key, String layout) {
    KeyFetch fetch = new KeyFetch(files, parameters, cache);
    List<KeyCopy> copies = fetch.copies(key, layout);
    try {
      if (missing(copies).isEmpty()) {
        return new Fetched(fetch.home, 0); // the cache may be another user's, or read-only
      }
      Files.createDirectories(fetch.home);
      try (HostLock held = HostLock.take(fetch.home.resolve(".lock"), fetch.source.toString())) {
        return new Fetched(fetch.home, fetch.fetchMissing(copies, held));
      }
    } catch (IOException e) {
      throw new InfrastructureException(
          ("cannot copy %s to %s: %s; what is there stays, and the next try goes on from it; if"
                  + " this user may not write there, name another directory with %s")
              .formatted(
                  fetch.source, fetch.home, RunFiles.reason(e), CuzkConf.PARAMS_CACHE.name()),
          e);
    }
  }

  /** The verifying key first: it is small, and the native file is held against the others. */
  private List<KeyCopy> copies(KeyFiles key, String layout) {
    List<KeyCopy> found = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (Path each : List.of(key.vk(), key.params())) {
      FileStatus file = status(each);
      if (file == null) {
        missing.add(each.getFileName() + " (" + key.sectorSize() + ")");
      } else {
        found.add(new KeyCopy(files, file, status(DigestSidecar.beside(each)), home));
      }
    }
    if (!missing.isEmpty()) {
      throw new InvalidInputException(
          "parameters missing in " + source + ": " + String.join(", ", missing));
    }
    FileStatus beside = layout.equals("params") ? null : status(NativeKeyFile.beside(key.params()));
    if (beside != null) {
      found.add(new KeyCopy(files, beside, null, home));
    }
    return found;
  }

  private FileStatus status(Path named) {
    return files.status(new org.apache.hadoop.fs.Path(source, named.getFileName().toString()));
  }

  private static List<KeyCopy> missing(List<KeyCopy> copies) throws IOException {
    List<KeyCopy> missing = new ArrayList<>();
    for (KeyCopy copy : copies) {
      if (!copy.isHere()) {
        missing.add(copy);
      }
    }
    return missing;
  }

  /** Under the lock. */
  private long fetchMissing(List<KeyCopy> copies, HostLock held) throws IOException {
    List<KeyCopy> missing = missing(copies);
    if (!missing.isEmpty()) {
      requireRoom(missing);
    }
    long bytes = 0;
    for (KeyCopy copy : missing) {
      bytes += copy.fetch(held);
    }
    return bytes;
  }

  private void requireRoom(List<KeyCopy> missing) throws IOException {
    long needed = SPARE;
    for (KeyCopy copy : missing) {
      needed += copy.missingBytes();
    }
    long free = Files.getFileStore(home).getUsableSpace();
    if (free < needed) {
      throw new InfrastructureException(
          ("%s has %d bytes (%.1f GiB) free, but %d (%.1f GiB) are needed to fetch %s from %s;"
                  + " make room, or name another directory with %s")
              .formatted(
                  home,
                  free,
                  free / (double) (1 << 30),
                  needed,
                  needed / (double) (1 << 30),
                  String.join(", ", missing.stream().map(KeyCopy::name).toList()),
                  source,
                  CuzkConf.PARAMS_CACHE.name()));
    }
  }
}
