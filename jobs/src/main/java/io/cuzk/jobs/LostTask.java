package io.cuzk.jobs;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The task for which Spark gave a job up, as its message says.
 *
 * @param index of the task in its job
 * @param unplaceable whether it was not tried to the end: it failed on some of the executors, and
 *     the others are excluded for the failures of other tasks
 * @param reason the last failure, in a line
 */
record LostTask(int index, boolean unplaceable, String reason) {
  private static final Pattern FAILED =
      Pattern.compile(
          "Task (\\d+) in stage \\S+ failed \\d+ times, most recent failure: ([^\\n]*)");
  private static final Pattern UNPLACEABLE =
      Pattern.compile(
          "task \\S+ \\(partition (\\d+)\\)\\s+cannot run anywhere due to node and executor"
              + " excludeOnFailure\\.\\s+Most recent failure:\\s+([^\\n]*)");

  /** Empty if the job ended for another reason. */
  static Optional<LostTask> of(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    Matcher failed = FAILED.matcher(message);
    if (failed.find()) {
      return Optional.of(new LostTask(Integer.parseInt(failed.group(1)), false, failed.group(2)));
    }
    Matcher unplaceable = UNPLACEABLE.matcher(message);
    return unplaceable.find()
        ? Optional.of(
            new LostTask(Integer.parseInt(unplaceable.group(1)), true, unplaceable.group(2)))
        : Optional.empty();
  }
}
