package io.cuzk.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.InvalidInputException;
import io.cuzk.prover.PartitionOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which sectors a run proves, in order, under which names; the files that cannot be proved keep
 * their place with their reason. Beside them, the sectors of earlier runs in the same directory.
 * Immutable.
 */
final class RunPlan {
  /** A sector of the plan. */
  record PlannedSector(String name, SectorScan scan) {
    boolean provable() {
      return scan.failure() == null;
    }
  }

  private final List<PlannedSector> sectors;
  private final List<PlannedSector> kept;

  private RunPlan(List<PlannedSector> sectors, List<PlannedSector> kept) {
    this.sectors = List.copyOf(sectors);
    this.kept = List.copyOf(kept);
  }

  /**
   * The plan over what was scanned.
   *
   * @throws InvalidInputException if two files are the same, are of one sector, or would be proved
   *     under one name
   */
  static RunPlan of(List<SectorScan> scans) {
    return of(scans, List.of());
  }

  /**
   * The same in a directory that has sectors of earlier runs. Those that are not asked for now, or
   * whose file has become bad, are kept with what was proved of them.
   *
   * @param earlier as {@link #read} finds them
   * @throws InvalidInputException as above, or if a file is an earlier run's under another name
   */
  static RunPlan of(List<SectorScan> scans, List<PlannedSector> earlier) {
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
    refuseRenamed(byDigest, byName, earlier);
    List<PlannedSector> kept = new ArrayList<>();
    Set<String> paths = new HashSet<>();
    scans.forEach(scan -> paths.add(scan.shownPath()));
    for (PlannedSector sector : earlier) {
      boolean asked =
          sector.provable()
              ? byName.containsKey(sector.name())
              : paths.contains(sector.scan().shownPath()) || byName.containsKey(sector.name());
      if (!asked) {
        byName.put(sector.name(), sector.scan());
        kept.add(sector);
      }
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
    return new RunPlan(sectors, kept);
  }

  private static void refuse(SectorScan earlier, SectorScan scan, String why) {
    if (earlier != null) {
      throw new InvalidInputException(
          earlier.shownPath() + " and " + scan.shownPath() + " " + why + "; leave one of them out");
    }
  }

  /** Names come from miner and sector, or from the file: the same C1 must not be proved twice. */
  private static void refuseRenamed(
      Map<String, SectorScan> byDigest,
      Map<String, SectorScan> byName,
      List<PlannedSector> earlier) {
    Set<SectorScan> asBefore = new HashSet<>();
    for (PlannedSector sector : earlier) {
      SectorScan scan = byName.get(sector.name());
      if (scan != null && scan.sha256().equals(sector.scan().sha256())) {
        asBefore.add(scan);
      }
    }
    for (PlannedSector sector : earlier) {
      SectorScan scan = sector.provable() ? byDigest.get(sector.scan().sha256()) : null;
      if (scan != null && !asBefore.contains(scan)) {
        throw new InvalidInputException(
            ("%s has the content that sector %s of this run directory was planned from (%s), and"
                    + " would be proved again as %s; name it as before: the same file name, and"
                    + " --miner and --sector as then, or name another --out")
                .formatted(
                    scan.shownPath(), sector.name(), sector.scan().shownPath(), scan.name()));
      }
    }
  }

  /** What this run was asked for. */
  List<PlannedSector> sectors() {
    return sectors;
  }

  /** Sectors of earlier runs in the directory that this one leaves as they are. */
  List<PlannedSector> kept() {
    return kept;
  }

  /** All sectors of the directory. */
  List<PlannedSector> all() {
    return Stream.concat(sectors.stream(), kept.stream()).toList();
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

  /** For {@code run.json}: what this run was asked for. */
  List<Map<String, Object>> toJson() {
    return sectors.stream().map(RunPlan::toJson).toList();
  }

  /** For {@code plan.json}: what the status of the directory is counted against. */
  List<Map<String, Object>> allToJson() {
    return all().stream().map(RunPlan::toJson).toList();
  }

  private static Map<String, Object> toJson(PlannedSector sector) {
    SectorScan scan = sector.scan();
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("sector", sector.name());
    entry.put("input", scan.shownPath());
    entry.put("bytes", scan.bytes());
    entry.put("sha256", scan.sha256());
    entry.put("partitions", scan.partitions());
    if (scan.failure() != null) {
      entry.put("failure", scan.failure());
    } else {
      entry.put("registered_proof", scan.registeredProof());
      entry.put("sector_size_bytes", scan.sectorSizeBytes());
      entry.put("miner", scan.minerId());
      entry.put("sector_number", scan.sectorNumber());
      entry.put("replica_id_checked", scan.replicaIdChecked());
    }
    return entry;
  }

  /** The sectors of a {@code plan.json}, without what only proving them needs; none if null. */
  static List<PlannedSector> read(JsonNode plan) {
    List<PlannedSector> found = new ArrayList<>();
    if (plan != null) {
      plan.path("sectors").forEach(entry -> found.add(sector(entry)));
    }
    return found;
  }

  private static PlannedSector sector(JsonNode entry) {
    SectorScan scan =
        new SectorScan(
            entry.path("input").asText(),
            entry.path("bytes").asLong(),
            entry.path("sha256").asText(null),
            entry.path("registered_proof").asText(null),
            null,
            entry.path("sector_size_bytes").asLong(),
            entry.path("partitions").asInt(),
            null,
            null,
            null,
            number(entry.path("miner")),
            number(entry.path("sector_number")),
            entry.path("replica_id_checked").asBoolean(),
            0,
            PartitionOrder.NO_DEADLINE,
            entry.path("failure").asText(null));
    return new PlannedSector(entry.path("sector").asText(), scan);
  }

  private static Long number(JsonNode value) {
    return value.isNumber() ? value.asLong() : null;
  }
}
