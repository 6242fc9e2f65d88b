package io.cuzk.jobs;

import io.cuzk.prover.DevicePool;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * On the driver: whose fault it is when tasks meet with trouble with their machine. An executor
 * that fails two sectors in a row, while another one does not, is at fault: it is replaced, and
 * given back to the cluster where that did not help. Where every executor fails whatever it is
 * given, the run is to end: more tries would only use up those of all partitions. A sector that
 * several executors fail, and none proves, is nobody's fault but its own.
 */
final class HostTroubles {
  /** What is to be done. */
  enum Verdict {
    GO_ON,
    /** A fresh process in the place of this executor. */
    REPLACE,
    /** This executor goes, and none comes for it. */
    GIVE_BACK,
    STOP
  }

  /** What an executor alone fails in a row before it is at fault. */
  private static final int IN_A_ROW = 2;

  /** Sectors that others fail too before it is not the sectors' fault. */
  private static final int EVERYWHERE = 5;

  private final boolean oneSector;

  /** What each executor failed since its last proof. */
  private final Map<String, Set<String>> failing = new HashMap<>();

  /** Where it failed, of what nobody proved. */
  private final Map<String, Set<String>> failedBy = new HashMap<>();

  private final Set<String> fruitless = new HashSet<>();

  /** Where an executor was replaced, with the proofs that its successors made. */
  private final Map<String, Integer> replaced = new HashMap<>();

  private final Set<String> dealtWith = new HashSet<>();

  /** The first executor that had a seat, for those that had one of its seats after it. */
  private final Map<String, String> groups = new HashMap<>();

  /**
   * For a run.
   *
   * @param oneSector whether it has no other: its partitions are then what an executor fails
   */
  HostTroubles(boolean oneSector) {
    this.oneSector = oneSector;
  }

  /** A partition was proved. */
  void proved(TaskReport report) {
    failing.remove(report.executor());
    failedBy.remove(what(report));
    fruitless.clear();
    replaced.computeIfPresent(
        group(report),
        (group, proofs) -> proofs + 1 < DevicePool.GOOD_PROOFS_FORGIVE ? proofs + 1 : null);
  }

  private String what(TaskReport report) {
    return oneSector ? report.sector() + "/" + report.partition() : report.sector();
  }

  /**
   * A task met with trouble.
   *
   * @param usable the executors that have a device, as far as is known
   */
  Verdict failed(TaskReport report, Collection<ClusterHealth.Ready> usable) {
    String executor = report.executor();
    if (dealtWith.contains(executor)) {
      return Verdict.GO_ON;
    }
    Set<String> here = failing.computeIfAbsent(executor, id -> new HashSet<>());
    here.add(what(report));
    failedBy.computeIfAbsent(what(report), sector -> new HashSet<>()).add(group(report));
    fruitless.add(report.sector());
    boolean everywhere = usable.stream().allMatch(each -> failing.containsKey(each.executorId()));
    if (everywhere) {
      return fruitless.size() >= EVERYWHERE ? Verdict.STOP : Verdict.GO_ON;
    }
    long itsOwn = here.stream().filter(each -> isOnlyHere(each, group(report))).count();
    if (itsOwn < IN_A_ROW && here.size() < EVERYWHERE) {
      return Verdict.GO_ON;
    }
    dealtWith.add(executor);
    failing.remove(executor);
    return replaced.putIfAbsent(group(report), 0) == null ? Verdict.REPLACE : Verdict.GIVE_BACK;
  }

  /** Whether it failed nowhere else, or somebody proved it since. */
  private boolean isOnlyHere(String sector, String group) {
    Set<String> where = failedBy.getOrDefault(sector, Set.of());
    return where.isEmpty() || where.equals(Set.of(group));
  }

  /** An executor with all its devices, and its successors with it. */
  private String group(TaskReport report) {
    String known = groups.get(seat(report));
    String group = groups.computeIfAbsent(report.executor(), id -> known == null ? id : known);
    groups.putIfAbsent(seat(report), group);
    return group;
  }

  private static String seat(TaskReport report) {
    return Places.seat(report.device(), report.executor());
  }
}
