package io.cuzk.jobs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * A run directory on any Hadoop file system:
 *
 * <pre>
 * run.json                         versions, hardware, configuration, digests, totals
 * plan.json                        the sectors of the run
 * lock/                            who works on it, while somebody does
 * journal/SECTOR/NNN.json          a proved partition, durable as soon as its task moves on
 * journal/SECTOR/NNN.failed.json   a partition that failed, and why
 * journal/SECTOR/NNN.after.json    what leaving the above took
 * SECTOR.proof                     192·P bytes, once the sector's last partition has verified
 * proofs/ phases/ sectors/ devices/   Parquet
 * </pre>
 *
 * <p>Every file appears whole or not at all. Usable from any thread.
 */
final class RunDirectory {
  static final String FORMAT = "cuzk-run";
  private static final int SMALL = 1 << 20;
  private static final int LARGE = 1 << 30;
  private static final String FAILED = ".failed.json";
  private static final String AFTER = ".after.json";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RunFiles files;
  private final Path root;

  RunDirectory(String path, Configuration hadoop) {
    this.files = new RunFiles(hadoop);
    this.root = files.qualify(path);
  }

  Path root() {
    return root;
  }

  /** The directory as the user would write it. */
  String show() {
    return RunFiles.show(root);
  }

  Path dataset(String name) {
    return new Path(root, name);
  }

  RunFiles files() {
    return files;
  }

  /** Whether a run was begun here. */
  boolean isRun() {
    return files.exists(planFile());
  }

  /**
   * Makes the directory if need be and sees that it can be written to.
   *
   * @return whether it was made now, so that a refusal before any work can take it away again
   * @throws InvalidInputException if it holds something else than a run
   */
  boolean prepare() {
    boolean existed = files.exists(root);
    if (existed && !isRun() && holdsSomething()) {
      throw new InvalidInputException(
          "the output directory "
              + show()
              + " is not empty and holds no run of this program; name a new directory or an"
              + " earlier run's");
    }
    files.makeWritable(root);
    return !existed;
  }

  /** A run that ended before it had a plan leaves its lock, which is nothing. */
  private boolean holdsSomething() {
    String lock = RunLock.directory(this).getName();
    return files.list(root).stream().anyMatch(file -> !file.getPath().getName().equals(lock));
  }

  /** Deletes what a run left, but for its lock. What says that there is one goes last. */
  void clear() {
    String lock = RunLock.directory(this).getName();
    for (FileStatus file : files.list(root)) {
      if (!file.getPath().getName().equals(lock) && !file.getPath().equals(planFile())) {
        files.delete(file.getPath());
      }
    }
    files.delete(planFile());
  }

  /** Removes the directory if nothing is in it. */
  void removeIfEmpty() {
    files.deleteIfEmpty(root);
  }

  private Path planFile() {
    return new Path(root, "plan.json");
  }

  private Path runFile() {
    return new Path(root, "run.json");
  }

  private Path journal(String sector) {
    return new Path(new Path(root, "journal"), sector);
  }

  Path proofFile(String sector) {
    return new Path(root, sector + ".proof");
  }

  private static String index(int partition) {
    return String.format(Locale.ROOT, "%03d", partition);
  }

  void writePlan(Map<String, Object> plan) {
    writeJson(planFile(), plan);
  }

  /** Null if there is none. */
  JsonNode readPlan() {
    return readJson(planFile(), LARGE);
  }

  void writeRun(Map<String, Object> run) {
    writeJson(runFile(), run);
  }

  /** Null if there is none. */
  JsonNode readRun() {
    return readJson(runFile(), LARGE);
  }

  private void writeJson(Path file, Map<String, Object> content) {
    try {
      files.write(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(content));
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + content, e);
    }
  }

  private JsonNode readJson(Path file, int limit) {
    byte[] content = files.read(file, limit);
    if (content == null) {
      return null;
    }
    try {
      return JSON.readTree(content);
    } catch (IOException e) {
      throw new InvalidInputException(
          RunFiles.show(file) + " is damaged: " + RunFiles.reason(e), e);
    }
  }

  /**
   * Leaves a partition's entry. A failure gives way to a proof, whichever comes first: Spark tries
   * a task again whose executor died after it had written its proof.
   */
  void writeEntry(PartitionEntry entry) {
    Path sector = journal(entry.sector());
    String name = index(entry.partitionIndex());
    boolean proved = entry.proof() != null;
    if (!proved && isProved(entry.sector(), entry.partitionIndex())) {
      return;
    }
    files.write(new Path(sector, name + (proved ? ".json" : FAILED)), encode(entry));
    if (proved) {
      Path failed = new Path(sector, name + FAILED);
      if (files.exists(failed)) {
        files.delete(failed);
      }
    }
  }

  /** Leaves the phases that came after the entry: without proof and without failure. */
  void writeAfter(PartitionEntry entry) {
    files.write(
        new Path(journal(entry.sector()), index(entry.partitionIndex()) + AFTER), encode(entry));
  }

  private static byte[] encode(PartitionEntry entry) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
      PartitionEntry.TYPE.writeJson(entry, json);
    } catch (IOException e) {
      throw new InfrastructureException("cannot encode a journal entry: " + e.getMessage(), e);
    }
    return bytes.toByteArray();
  }

  /** Partitions of a sector that are proved, and those that failed. */
  record Progress(int proved, int failed) {}

  Progress progress(String sector) {
    int proved = 0;
    int failed = 0;
    for (FileStatus file : files.list(journal(sector))) {
      String name = file.getPath().getName();
      if (name.endsWith(FAILED)) {
        failed++;
      } else if (isProof(name)) {
        proved++;
      }
    }
    return new Progress(proved, failed);
  }

  private static boolean isProof(String name) {
    return name.endsWith(".json") && !name.endsWith(FAILED) && !name.endsWith(AFTER);
  }

  boolean isProved(String sector, int partition) {
    return files.exists(new Path(journal(sector), index(partition) + ".json"));
  }

  /** Whether a task's partition has a proof of what the task would prove. */
  boolean isProved(PartitionTask task) {
    Path file = new Path(journal(task.sector()), index(task.partition()) + ".json");
    JsonNode entry = readJson(file, SMALL);
    return entry != null && Fingerprint.of(entry.path("proof")).matches(task.fingerprint());
  }

  /**
   * Whether nothing is to be done for a partition any more: it is proved, or its last try failed in
   * a way that is not tried again.
   *
   * @param repeated of a kind of failure, as in {@link PartitionEntry}: whether it is tried again
   */
  boolean isSettled(String sector, int partition, Predicate<String> repeated) {
    if (isProved(sector, partition)) {
      return true;
    }
    Path failed = new Path(journal(sector), index(partition) + FAILED);
    if (!files.exists(failed)) {
      return false;
    }
    return !repeated.test(entry(failed).path("failure_kind").asText());
  }

  /** Forgets partitions of a sector that were proved from another input, key or circuit. */
  void forget(String sector, Collection<Integer> partitions) {
    files.delete(proofFile(sector));
    for (int partition : partitions) {
      for (String ending : List.of(".json", AFTER, FAILED)) {
        files.delete(new Path(journal(sector), index(partition) + ending));
      }
    }
  }

  /**
   * Forgets that partitions of a sector failed, so that they are tried anew; how many there were.
   */
  int forgetFailures(String sector) {
    int failures = 0;
    for (FileStatus file : files.list(journal(sector))) {
      if (file.getPath().getName().endsWith(FAILED)) {
        files.delete(file.getPath());
        failures++;
      }
    }
    return failures;
  }

  /** The partitions of a sector that are proved, and what each was proved from. */
  Map<Integer, Fingerprint> journalled(String sector) {
    Map<Integer, Fingerprint> proved = new TreeMap<>();
    for (FileStatus file : files.list(journal(sector))) {
      String name = file.getPath().getName();
      if (isProof(name)) {
        int partition = Integer.parseInt(name.substring(0, name.indexOf('.')));
        proved.put(partition, Fingerprint.of(entry(file.getPath()).path("proof")));
      }
    }
    return proved;
  }

  private JsonNode entry(Path file) {
    JsonNode entry = readJson(file, SMALL);
    if (entry == null) {
      throw new InfrastructureException(RunFiles.show(file) + " vanished");
    }
    return entry;
  }

  /**
   * Sees that {@code SECTOR.proof} is what the journal holds, if the sector's last partition is
   * there. The tasks of one sector may do so at the same time. A partition that two tasks proved at
   * the same time may be the one's in the file and the other's in the journal until this is done
   * again.
   *
   * @return whether the file is there now
   */
  boolean completeProofFile(String sector, int partitions) {
    if (progress(sector).proved() < partitions) {
      return false;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int k = 0; k < partitions; k++) {
      JsonNode entry = entry(new Path(journal(sector), index(k) + ".json"));
      try {
        bytes.writeBytes(entry.path("proof").path("proof").binaryValue());
      } catch (IOException e) {
        throw new InfrastructureException("a journal entry of " + sector + " is damaged", e);
      }
    }
    Path file = proofFile(sector);
    if (!Arrays.equals(files.read(file, LARGE), bytes.toByteArray())) {
      files.write(file, bytes.toByteArray());
    }
    return true;
  }

  /** The journal's files of the given sectors, for the datasets. */
  List<String> entryFiles(List<String> sectors) {
    List<String> found = new ArrayList<>();
    for (List<FileStatus> ofSector :
        Concurrently.map(sectors, sector -> files.list(journal(sector)))) {
      ofSector.forEach(file -> found.add(file.getPath().toString()));
    }
    return found;
  }
}
