package io.cuzk.jobs;

import io.cuzk.jobs.RunPlan.PlannedSector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run still has to prove: the plan without what the journal of its directory holds for the
 * same input, key and circuit.
 *
 * @param tasks one a partition, the most urgent first, else in the plan's order
 * @param stale partitions in the journal that were proved from something else, by sector: they are
 *     to be forgotten; none that {@code spark.cuzk.stale} keeps
 * @param partitions of all provable sectors
 * @param partitionsDone of them in the journal
 * @param sectorsToProve sectors that miss a partition
 * @param sectorsDone sectors that miss none
 */
record MissingPartitions(
    List<PartitionTask> tasks,
    Map<String, List<Integer>> stale,
    int partitions,
    int partitionsDone,
    int sectorsToProve,
    int sectorsDone) {

  /**
   * Looks into the journal.
   *
   * @param policy {@code spark.cuzk.stale}
   * @throws io.cuzk.InvalidInputException if it holds proofs of the same C1 files that the policy
   *     does not let this run replace or keep
   */
  static MissingPartitions of(RunDirectory run, RunPlan plan, Preflight preflight, String policy) {
    Map<String, Preflight.KeyFound> keys = new HashMap<>();
    preflight.keys().forEach(key -> keys.put(key.sectorSize(), key));
    List<PartitionTask> tasks = new ArrayList<>();
    Map<String, List<Integer>> stale = new LinkedHashMap<>();
    StaleProofs otherwise = new StaleProofs(policy);
    List<Map<Integer, Fingerprint>> journal =
        Concurrently.map(plan.provable(), sector -> run.journalled(sector.name()));
    int asked = 0;
    long sequence = 0;
    int partitions = 0;
    int sectorsToProve = 0;
    int sectorsDone = 0;
    for (PlannedSector sector : plan.sectors()) {
      SectorScan scan = sector.scan();
      if (!sector.provable()) {
        continue; // a file that is bad today is no reason to lose what it gave when it was good
      }
      Preflight.KeyFound key = keys.get(scan.sectorSize());
      Map<Integer, Fingerprint> found = journal.get(asked++);
      Fingerprint wanted = new Fingerprint(scan.sha256(), key.digest(), key.circuitDigest());
      List<Integer> others =
          found.keySet().stream()
              .filter(
                  k ->
                      k >= scan.partitions()
                          || !otherwise.isDone(sector.name(), found.get(k), wanted))
              .toList();
      if (!others.isEmpty()) {
        stale.put(sector.name(), others);
      }
      int before = tasks.size();
      for (int k = 0; k < scan.partitions(); k++) {
        if (!found.containsKey(k) || others.contains(k)) {
          tasks.add(
              new PartitionTask(
                  sector.name(),
                  k,
                  scan,
                  key.digest(),
                  key.circuitDigest(),
                  key.layout(),
                  sequence + k,
                  0,
                  0,
                  new ArrayList<>()));
        }
      }
      sequence += scan.partitions();
      partitions += scan.partitions();
      if (tasks.size() == before) {
        sectorsDone++;
      } else {
        sectorsToProve++;
      }
    }
    otherwise.refuse(run);
    tasks.sort(Comparator.comparing(PartitionTask::order));
    return new MissingPartitions(
        tasks, stale, partitions, partitions - tasks.size(), sectorsToProve, sectorsDone);
  }
}
