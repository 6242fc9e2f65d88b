package io.cuzk.jobs;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * On the driver: whose fault it is when tasks meet with trouble with their machine. An executor
 * that fails two sectors in a row, while another one does not, is at fault: it is replaced, and
 * given back to the cluster where that did not help. Where every executor fails whatever it is
 * given, the run is to end: more tries would only use up those of all partitions. One sector that
 * fails everywhere is nobody's fault but its own.
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

  /** What an executor fails in a row before it is at fault. */
  private static final int IN_A_ROW = 2;

  /** Sectors that fail everywhere before the sectors are not at fault. */
  private static final int EVERYWHERE = 5;

  private final boolean oneSector;
  private final Map<String, Set<String>> failing = new HashMap<>();
  private final Set<String> fruitless = new HashSet<>();
  private final Set<String> seats = new HashSet<>();
  private final Set<String> dealtWith = new HashSet<>();

  /**
   * For a run.
   *
   * @param oneSector whether it has no other: its partitions are then what an executor fails
   */
  HostTroubles(boolean oneSector) {
    this.oneSector = oneSector;
  }

  /** A partition was proved. */
  void proved(String executor) {
    failing.remove(executor);
    fruitless.clear();
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
    here.add(oneSector ? report.sector() + "/" + report.partition() : report.sector());
    fruitless.add(report.sector());
    boolean everywhere = usable.stream().allMatch(each -> failing.containsKey(each.executorId()));
    if (everywhere) {
      return fruitless.size() >= EVERYWHERE ? Verdict.STOP : Verdict.GO_ON;
    }
    if (here.size() < IN_A_ROW) {
      return Verdict.GO_ON;
    }
    dealtWith.add(executor);
    failing.remove(executor);
    return seats.add(seat(report)) ? Verdict.REPLACE : Verdict.GIVE_BACK;
  }

  /** What a fresh process in the place of an executor has in common with it. */
  private static String seat(TaskReport report) {
    String own = Places.of("", null, report.executor());
    String device = report.device();
    return device.endsWith(own) ? device.substring(0, device.length() - own.length()) : device;
  }
}
