package io.cuzk.jobs;

import io.cuzk.CuzkException;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.ProofFailedException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkException;

/**
 * Finds, in the exception with which Spark ends a job, the one that a task threw. Spark passes on
 * an executor's exception as a cause where it can, else only as text.
 */
final class TaskFailures {
  private static final Pattern TEXT =
      Pattern.compile(
          "io\\.cuzk\\.(InvalidInput|ProofFailed|Device|Infrastructure)Exception: ([^\\n]*)");

  private TaskFailures() {}

  static <T> T unwrap(Supplier<T> job) {
    try {
      return job.get();
    } catch (CuzkException e) {
      throw e;
    } catch (Exception e) {
      throw translate(e);
    }
  }

  static CuzkException translate(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof CuzkException found) {
        return found;
      }
    }
    Matcher text = TEXT.matcher(String.valueOf(failure.getMessage()));
    if (text.find()) {
      return switch (text.group(1)) {
        case "InvalidInput" -> new InvalidInputException(text.group(2), failure);
        case "ProofFailed" -> new ProofFailedException(text.group(2), failure);
        default -> new InfrastructureException(text.group(2), failure);
      };
    }
    String kind = failure instanceof SparkException ? "Spark: " : "";
    return new InfrastructureException(kind + RunFiles.reason(failure), failure);
  }
}
