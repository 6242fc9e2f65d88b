package io.cuzk.jobs;

import io.cuzk.InvalidInputException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which sectors a run proves, in order, under which names; the files that cannot be proved keep
 * their place with their reason. Immutable.
 */
final class RunPlan {
  /** A sector of the plan. */
  record PlannedSector(String name, SectorScan scan) {
    boolean provable() {
      return scan.failure() == null;
    }
  }

  private final List<PlannedSector> sectors;

  private RunPlan(List<PlannedSector> sectors) {
    this.sectors = List.copyOf(sectors);
  }

  /**
   * The plan over what was scanned.
   *
   * @throws InvalidInputException if two files are the same, are of one sector, or would be proved
   *     under one name
   */
  static RunPlan of(List<SectorScan> scans) {
    Map<String, SectorScan> byDigest = new HashMap<>();
    Map<String, SectorScan> byReplica = new HashMap<>();
    Map<String, SectorScan> byName = new HashMap<>();
    List<PlannedSector> sectors = new ArrayList<>();
    List<SectorScan> failed = new ArrayList<>();
    for (SectorScan scan : scans) {
      if (scan.failure() != null) {
        failed.add(scan);
        continue;
      }
      refuse(byDigest.put(scan.sha256(), scan), scan, "have the same content");
      String replica = HexFormat.of().formatHex(scan.replicaId());
      refuse(byReplica.put(replica, scan), scan, "are of one sector (replica_id " + replica + ")");
      refuse(byName.put(scan.name(), scan), scan, "would both write " + scan.name() + ".proof");
    }
    // A broken file takes a name that no good one has: its record must not hide a proof.
    Map<SectorScan, String> names = new HashMap<>();
    for (SectorScan scan : failed) {
      String name = scan.name();
      for (int n = 2; byName.putIfAbsent(name, scan) != null; n++) {
        name = scan.name() + "~" + n;
      }
      names.put(scan, name);
    }
    for (SectorScan scan : scans) {
      sectors.add(new PlannedSector(names.getOrDefault(scan, scan.name()), scan));
    }
    return new RunPlan(sectors);
  }

  private static void refuse(SectorScan earlier, SectorScan scan, String why) {
    if (earlier != null) {
      throw new InvalidInputException(
          earlier.shownPath() + " and " + scan.shownPath() + " " + why + "; leave one of them out");
    }
  }

  List<PlannedSector> sectors() {
    return sectors;
  }

  List<PlannedSector> provable() {
    return sectors.stream().filter(PlannedSector::provable).toList();
  }

  /** The sector sizes that need parameters. */
  List<String> sectorSizes() {
    TreeSet<String> sizes = new TreeSet<>();
    provable().forEach(sector -> sizes.add(sector.scan().sectorSize()));
    return List.copyOf(sizes);
  }

  /** For {@code plan.json}: what the status of the run is counted against. */
  List<Map<String, Object>> toJson() {
    List<Map<String, Object>> list = new ArrayList<>();
    for (PlannedSector sector : sectors) {
      SectorScan scan = sector.scan();
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("sector", sector.name());
      entry.put("input", scan.shownPath());
      entry.put("bytes", scan.bytes());
      entry.put("sha256", scan.sha256());
      entry.put("partitions", scan.partitions());
      if (scan.failure() != null) {
        entry.put("failure", scan.failure());
      }
      list.add(entry);
    }
    return list;
  }
}
