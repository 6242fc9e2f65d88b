package io.cuzk.jobs;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The task for which Spark gave a job up, as its message says: it took its executor along, or threw
 * what is not the prover's, as often as Spark tries a task.
 *
 * @param index of the task in its job
 * @param reason the last failure, in a line
 */
record LostTask(int index, String reason) {
  private static final Pattern FAILED =
      Pattern.compile(
          "Task (\\d+) in stage \\S+ failed \\d+ times, most recent failure: ([^\\n]*)");

  /** Empty if the job ended for another reason. */
  static Optional<LostTask> of(Throwable failure) {
    Matcher failed = FAILED.matcher(String.valueOf(failure.getMessage()));
    return failed.find()
        ? Optional.of(new LostTask(Integer.parseInt(failed.group(1)), failed.group(2)))
        : Optional.empty();
  }
}
