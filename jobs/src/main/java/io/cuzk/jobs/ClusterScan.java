package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;

/**
 * On the driver: has all C1 files read and checked by the executors. A file that one of them does
 * not find is gone if the driver, which listed it, does not find it either. If it does, the fault
 * is that host's, and the file is read elsewhere.
 */
final class ClusterScan {
  private final SparkSession spark;
  private final JavaSparkContext context;
  private final RunFiles files;
  private final Progress progress;

  /**
   * For a run.
   *
   * @param files as the driver sees them
   */
  ClusterScan(SparkSession spark, RunFiles files, Progress progress) {
    this.spark = spark;
    this.context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    this.files = files;
    this.progress = progress;
  }

  /**
   * Scans, in the files' order.
   *
   * @throws InfrastructureException if files cannot be read, or are seen by the driver and by no
   *     executor that was asked
   */
  List<SectorScan> scan(List<InputPaths.InputFile> all, JobSettings settings) {
    context.setJobGroup(settings.runId(), "cuzk: reading and checking " + all.size() + " C1");
    progress.stage("checking C1 files", all.size());
    Broadcast<JobSettings> shared = context.broadcast(settings);
    try {
      return scan(all, new ScanSector(shared));
    } finally {
      shared.unpersist();
    }
  }

  private List<SectorScan> scan(List<InputPaths.InputFile> all, ScanSector scan) {
    Map<String, SectorScan> found = new LinkedHashMap<>();
    Set<String> blind = new TreeSet<>();
    List<InputPaths.InputFile> left = all;
    List<ScanSector.Scanned> scanned = first(all, scan);
    while (true) {
      int known = blind.size();
      List<InputPaths.InputFile> missing = missing(left, scanned, found, blind);
      if (missing.isEmpty()) {
        return List.copyOf(found.values());
      }
      if (missing.size() == left.size() && left != all && blind.size() == known) {
        throw unseen(missing, blind);
      }
      progress.note(
          "%d C1 files, %s the first, are not there on %s, but here; they are read elsewhere"
              .formatted(missing.size(), shown(missing.getFirst()), String.join(", ", blind)));
      left = missing;
      scanned = again(left, scan, blind);
    }
  }

  private List<ScanSector.Scanned> first(List<InputPaths.InputFile> all, ScanSector scan) {
    int slices = Math.min(all.size(), Math.max(64, 4 * context.defaultParallelism()));
    try (StageListener ignored = StageListener.of(spark, slices, all.size(), progress)) {
      return collect(context.parallelize(all, slices), scan);
    }
  }

  /** On other hosts than those, as far as Spark can. */
  private List<ScanSector.Scanned> again(
      List<InputPaths.InputFile> left, ScanSector scan, Set<String> blind) {
    List<ClusterHealth.Ready> others =
        CuzkPlugin.health().usable().stream().filter(each -> !blind.contains(each.host())).toList();
    if (others.isEmpty()) {
      return collect(context.parallelize(left, left.size()), scan);
    }
    List<ClusterHealth.Ready> places = new ArrayList<>();
    for (int i = 0; i < left.size(); i++) {
      places.add(others.get(i % others.size()));
    }
    return collect(
        Placement.visiting(spark.sparkContext(), left, places, InputPaths.InputFile.class)
            .toJavaRDD(),
        scan);
  }

  private static List<ScanSector.Scanned> collect(
      JavaRDD<InputPaths.InputFile> files, ScanSector scan) {
    return TaskFailures.unwrap(() -> files.map(scan).collect());
  }

  /** Takes up what was found; returns the files that only the driver sees. */
  private List<InputPaths.InputFile> missing(
      List<InputPaths.InputFile> asked,
      List<ScanSector.Scanned> scanned,
      Map<String, SectorScan> found,
      Set<String> blind) {
    List<InputPaths.InputFile> missing = new ArrayList<>();
    List<String> hosts = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      ScanSector.Scanned each = scanned.get(i);
      found.put(asked.get(i).path(), each.scan()); // its place is that of the first time
      if (each.missingOn() != null) {
        missing.add(asked.get(i));
        hosts.add(each.missingOn());
      }
    }
    List<Boolean> here = Concurrently.map(missing, this::canOpen);
    List<InputPaths.InputFile> seen = new ArrayList<>();
    for (int i = 0; i < missing.size(); i++) {
      if (here.get(i)) {
        seen.add(missing.get(i));
        blind.add(hosts.get(i));
      }
    }
    return seen;
  }

  /** What the driver may not read either is the file's fault. */
  private boolean canOpen(InputPaths.InputFile file) {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.path());
    try (InputStream in = files.fileSystem(path).open(path)) {
      return in.read() >= 0;
    } catch (FileNotFoundException e) {
      return false;
    } catch (IOException e) {
      return true; // as an executor would: that says nothing of the file
    }
  }

  private static String shown(InputPaths.InputFile file) {
    return RunFiles.show(new org.apache.hadoop.fs.Path(file.path()));
  }

  private static InfrastructureException unseen(
      List<InputPaths.InputFile> missing, Set<String> hosts) {
    return new InfrastructureException(
        ("on %s: %s: no such file, or not one that may be read (%d C1 files in all), but the driver"
                + " sees it; is its directory mounted there?")
            .formatted(String.join(", ", hosts), shown(missing.getFirst()), missing.size()));
  }
}
