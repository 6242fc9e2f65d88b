package io.cuzk.jobs.compare;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.Columns;
import io.cuzk.jobs.RunData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Reads a run's partitions and their phases. A partition counts if its proof verified, with the
 * phases of the attempt that made it.
 */
final class RunReader {
  static final String QUEUE = "queue.wait";
  private static final String WRITE = "write";

  /** So many partitions tell which phases lie within others. */
  private static final int ENOUGH = 1000;

  private final Columns phases;
  private final int rows;
  private final int[] observation;
  private final Map<Long, Integer> byKey = new HashMap<>();
  private final Map<String, Long> sectors = new HashMap<>();
  private double[] totalCpu;
  private double[] totalWall;

  private RunReader(RunData run) {
    phases =
        run.read(
            RunData.PHASES,
            "phase",
            "sector",
            "partition_index",
            "task_attempt",
            "start_ns",
            "wall_ns",
            "cpu_ns",
            "backend",
            "device",
            "host",
            "executor_id");
    rows = phases.rows();
    observation = new int[rows];
    if (run.has(RunData.PROOFS)) {
      readProofs(
          run.read(
              RunData.PROOFS,
              "sector",
              "partition_index",
              "task_attempt",
              "verified",
              "wall_ns",
              "cpu_ns"));
      assign(false);
    } else {
      assign(true);
      totalCpu = Observations.filled(byKey.size());
      totalWall = Observations.filled(byKey.size());
    }
    if (byKey.isEmpty()) {
      throw new InvalidInputException(
          "no proof verified in " + run.shown() + ": there is nothing to compare");
    }
  }

  static Observations read(RunData run) {
    return new RunReader(run).observations();
  }

  private long key(String sector, long partition, long attempt) {
    return sectors.computeIfAbsent(sector, name -> (long) sectors.size()) << 40
        | partition << 20
        | attempt;
  }

  private void readProofs(Columns proofs) {
    totalCpu = new double[proofs.rows()];
    totalWall = new double[proofs.rows()];
    int count = 0;
    for (int row = 0; row < proofs.rows(); row++) {
      if (proofs.longs("verified")[row] != 1) {
        continue;
      }
      long key =
          key(
              proofs.text("sector", row),
              proofs.longs("partition_index")[row],
              proofs.longs("task_attempt")[row]);
      if (byKey.putIfAbsent(key, count) == null) {
        totalCpu[count] = proofs.longs("cpu_ns")[row] * 1e-9;
        totalWall[count++] = proofs.longs("wall_ns")[row] * 1e-9;
      }
    }
    totalCpu = Arrays.copyOf(totalCpu, count);
    totalWall = Arrays.copyOf(totalWall, count);
  }

  /** The observation of every phase; without proofs each partition and attempt is one. */
  private void assign(boolean all) {
    int[] sector = phases.codes("sector");
    long[] partition = phases.longs("partition_index");
    long[] attempt = phases.longs("task_attempt");
    for (int row = 0; row < rows; row++) {
      if (row > 0
          && sector[row] == sector[row - 1]
          && partition[row] == partition[row - 1]
          && attempt[row] == attempt[row - 1]) {
        observation[row] = observation[row - 1];
        continue;
      }
      long key = key(phases.text("sector", row), partition[row], attempt[row]);
      observation[row] =
          all ? byKey.computeIfAbsent(key, added -> byKey.size()) : byKey.getOrDefault(key, -1);
    }
  }

  private Observations observations() {
    List<String> names = phases.words("phase");
    int[] phase = phases.codes("phase");
    long[] wallNs = phases.longs("wall_ns");
    long[] cpuNs = phases.longs("cpu_ns");
    int size = totalWall.length;
    double[][] cpu = new double[names.size()][];
    double[][] wall = new double[names.size()][];
    Arrays.setAll(cpu, p -> Observations.filled(size));
    Arrays.setAll(wall, p -> Observations.filled(size));
    int write = names.indexOf(WRITE);
    int[] device = phases.codes("device");
    int[] executor = new int[size];
    Map<List<String>, Integer> executors = new LinkedHashMap<>();
    int former = -1;
    for (int row = 0; row < rows; row++) {
      int at = observation[row];
      if (at < 0) {
        continue;
      }
      add(wall[phase[row]], at, wallNs[row]);
      add(cpu[phase[row]], at, cpuNs[row]);
      if (phase[row] == write) {
        // The proof's times end before its entry is written.
        totalWall[at] += wallNs[row] * 1e-9;
        totalCpu[at] += cpuNs[row] == Columns.NULL ? 0 : cpuNs[row] * 1e-9;
      }
      if (at != former && device[row] >= 0) {
        List<String> place =
            List.of(
                phases.text("host", row),
                phases.text("executor_id", row),
                phases.text("device", row));
        executor[at] = executors.computeIfAbsent(place, added -> executors.size());
        former = at;
      }
    }
    return new Observations(
        names,
        cpu,
        wall,
        nested(names.size()),
        totalCpu,
        totalWall,
        executor,
        executors.isEmpty()
            ? List.of("unknown")
            : executors.keySet().stream().map(RunReader::place).toList(),
        keys(size),
        phases.words("backend").stream().allMatch("cpu"::equals));
  }

  /** Sector and partition of each observation; null where they are more than are ever paired. */
  private List<String> keys(int size) {
    if (size > Pairing.MOST) {
      return null;
    }
    String[] keys = new String[size];
    Map<Long, String> names = new HashMap<>();
    sectors.forEach((name, number) -> names.put(number, name));
    byKey.forEach((key, at) -> keys[at] = names.get(key >> 40) + " " + (key >> 20 & (1 << 20) - 1));
    return List.of(keys);
  }

  private static String place(List<String> parts) {
    return parts.get(0) + " executor " + parts.get(1) + ": " + parts.get(2);
  }

  private static void add(double[] to, int at, long nanos) {
    if (nanos != Columns.NULL) {
      to[at] = (Double.isNaN(to[at]) ? 0 : to[at]) + nanos * 1e-9;
    }
  }

  /** Whether a phase happens within others: decided by most of its rows. */
  private boolean[] nested(int count) {
    List<List<Integer>> groups = new ArrayList<>();
    for (int i = 0; i < Math.min(ENOUGH, totalWall.length); i++) {
      groups.add(new ArrayList<>());
    }
    int queue = phases.words("phase").indexOf(QUEUE);
    int[] phase = phases.codes("phase");
    for (int row = 0; row < rows; row++) {
      int at = observation[row];
      // The wait for a task came before the task's own time.
      if (at >= 0 && at < groups.size() && phase[row] != queue) {
        groups.get(at).add(row);
      }
    }
    int[] inside = new int[count];
    int[] seen = new int[count];
    groups.forEach(group -> countNested(group, phase, inside, seen));
    boolean[] nested = new boolean[count];
    IntStream.range(0, count).forEach(p -> nested[p] = 2 * inside[p] > seen[p]);
    return nested;
  }

  private void countNested(List<Integer> group, int[] phase, int[] inside, int[] seen) {
    long[] start = phases.longs("start_ns");
    long[] wall = phases.longs("wall_ns");
    group.sort(
        (a, b) ->
            start[a] == start[b]
                ? Long.compare(wall[b], wall[a])
                : Long.compare(start[a], start[b]));
    // The latest end so far, and the latest of a phase other than that one's.
    long end = Long.MIN_VALUE;
    long otherEnd = Long.MIN_VALUE;
    int latest = -1;
    for (int row : group) {
      long own = start[row] + wall[row];
      int name = phase[row];
      seen[name]++;
      if (wall[row] > 0 && own <= (name == latest ? otherEnd : end)) {
        inside[name]++;
      }
      if (name == latest) {
        end = Math.max(end, own);
      } else if (own > end) {
        otherEnd = end;
        end = own;
        latest = name;
      } else {
        otherEnd = Math.max(otherEnd, own);
      }
    }
  }
}
