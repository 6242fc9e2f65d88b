package io.cuzk.jobs;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** How large the executors of a measurement are, and the settings that make them so. */
final class ExecutorSizing {
  static final String CORES = "spark.executor.cores";
  static final String INSTANCES = "spark.executor.instances";

  private ExecutorSizing() {}

  /**
   * Settings for so many executors. Standalone clusters give them by their cores, the others by
   * number.
   *
   * @param taskCores null to let a task have all cores of its executor
   */
  static Map<String, String> sized(int executors, int cores, String taskCores) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(INSTANCES, Integer.toString(executors));
    settings.put(CORES, Integer.toString(cores));
    settings.put("spark.cores.max", Integer.toString(executors * cores));
    if (taskCores != null) {
      settings.put("spark.task.cpus", taskCores); // else it would follow the executor's
    }
    return settings;
  }

  /**
   * The most cores that so many executors can have each.
   *
   * @param given cores of the executors that the cluster gives unasked: on a standalone cluster one
   *     a worker, with all that is free there
   * @throws InfrastructureException if there is not a core for each
   */
  static int fitting(List<Integer> given, int executors) {
    int most = given.stream().mapToInt(i -> i).max().orElse(0);
    for (int cores = most; cores > 0; cores--) {
      int each = cores;
      if (given.stream().mapToInt(worker -> worker / each).sum() >= executors) {
        return cores;
      }
    }
    throw new InfrastructureException(
        "%d executors are asked for, the cluster gives %d cores in all (%s); ask for fewer"
            .formatted(executors, given.stream().mapToInt(i -> i).sum(), given));
  }

  /**
   * The cores of the executors.
   *
   * @param comparable whether they must all have as many, so that one of them stands for each
   */
  static int commonCores(List<ClusterExecutors.Registered> executors, boolean comparable) {
    TreeSet<Integer> cores = new TreeSet<>();
    executors.forEach(each -> cores.add(each.cores()));
    if (comparable && cores.size() > 1) {
      throw new InvalidInputException(
          "the executors have different numbers of cores (%s): one of them cannot be compared with"
                  .formatted(cores)
              + " all; give them as many each with --conf spark.executor.cores=N");
    }
    return cores.isEmpty() ? 1 : cores.getLast();
  }
}
