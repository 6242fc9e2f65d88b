package io.cuzk.jobs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * On the driver: which partitions were reported as proved, and by whom, so that one whose proof is
 * not in the journal in the end can be told from one that was never proved.
 */
final class ReportedProofs {
  private final Map<String, List<PartitionTask>> byDevice = new LinkedHashMap<>();

  /** A task reported a proof of its partition. */
  void add(PartitionTask task, TaskReport report) {
    byDevice.computeIfAbsent(report.device(), device -> new ArrayList<>()).add(task);
  }

  /**
   * Those whose proofs the driver does not find.
   *
   * @param incomplete the sectors to look at: those without all of their proofs
   * @return a sentence for each sector that has some
   */
  Map<String, String> missing(RunDirectory run, Set<String> incomplete) {
    Map<String, Map<String, Integer>> bySector = new TreeMap<>();
    byDevice.forEach(
        (device, tasks) -> {
          List<PartitionTask> asked =
              tasks.stream().filter(task -> incomplete.contains(task.sector())).toList();
          List<Boolean> there =
              Concurrently.map(asked, task -> run.isProved(task.sector(), task.partition()));
          for (int i = 0; i < asked.size(); i++) {
            if (!there.get(i)) {
              bySector
                  .computeIfAbsent(asked.get(i).sector(), sector -> new TreeMap<>())
                  .merge(device, 1, Integer::sum);
            }
          }
        });
    Map<String, String> reasons = new TreeMap<>();
    bySector.forEach(
        (sector, devices) -> {
          List<String> by = new ArrayList<>();
          devices.forEach((device, count) -> by.add(count + " by " + device));
          reasons.put(
              sector,
              "proofs were reported (%s) that are not in %s/journal/%s as the driver sees it"
                  .formatted(String.join(", ", by), run.show(), sector));
        });
    return reasons;
  }
}
