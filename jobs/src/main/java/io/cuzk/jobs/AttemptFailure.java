package io.cuzk.jobs;

import io.cuzk.CuzkException;
import io.cuzk.DeviceException;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.ProofFailedException;

/** What kind of failure ended a try at a partition, in words that a user can act on. */
final class AttemptFailure {
  private AttemptFailure() {}

  /** As in {@link PartitionEntry}. */
  static String kind(CuzkException failure) {
    return switch (failure) {
      case InvalidInputException e -> PartitionEntry.INPUT;
      case ProofFailedException e -> PartitionEntry.PROOF;
      case DeviceException e -> PartitionEntry.DEVICE;
      case InfrastructureException e -> PartitionEntry.INFRASTRUCTURE;
    };
  }

  /** Any failure as one that a user can act on. */
  static CuzkException explain(Throwable failure, Machine machine) {
    if (failure instanceof CuzkException known) {
      return known;
    }
    if (failure instanceof OutOfMemoryError) {
      return new InfrastructureException(
          "out of memory on "
              + machine.host()
              + " with a heap of "
              + (Runtime.getRuntime().maxMemory() >> 20)
              + " MiB: "
              + failure.getMessage()
              + "; give it more (CUZK_HEAP, spark.executor.memory)",
          failure);
    }
    if (failure instanceof InternalError) {
      return new InfrastructureException(
          "on "
              + machine.host()
              + ": "
              + failure.getMessage()
              + "; a mapped file, most likely the proving key, was cut short or its disk fails",
          failure);
    }
    return new InfrastructureException(
        failure.getClass().getSimpleName() + " on " + machine.host() + ": " + failure.getMessage(),
        failure);
  }
}
