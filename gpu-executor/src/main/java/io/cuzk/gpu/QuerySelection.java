package io.cuzk.gpu;

import io.cuzk.circuit.Assignment;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.Phase;
import io.cuzk.prover.PhaseTimer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * The values of all queries of an assignment, sorted on the host while the device makes the
 * quotient: the phase {@code split_vectors}, beside the others.
 */
final class QuerySelection {
  /** What the sums take; both queries of B share theirs. */
  private record Values(QueryValues l, QueryValues a, QueryValues b) {}

  private final FutureTask<Values> task;

  private QuerySelection(FutureTask<Values> task) {
    this.task = task;
  }

  /** Begins, on a thread of its own that takes the pool's along. */
  static QuerySelection begin(Assignment assignment, Workers workers, PhaseTimer timer) {
    QuerySelection selection =
        new QuerySelection(new FutureTask<>(() -> select(assignment, workers, timer)));
    Thread.ofPlatform().daemon().name("cuzk-split-vectors").start(selection.task);
    return selection;
  }

  private static Values select(Assignment assignment, Workers workers, PhaseTimer timer) {
    long begun = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    long start = System.nanoTime();
    long cpu = Workers.threadCpuNanos();
    Values values =
        new Values(
            QueryValues.of(assignment, false, null, null, workers),
            QueryValues.of(assignment, true, null, assignment.aAux(), workers),
            QueryValues.of(assignment, true, assignment.bInputs(), assignment.bAux(), workers));
    timer.add(
        new Phase(
            "split_vectors", begun, System.nanoTime() - start, Workers.threadCpuNanos() - cpu));
    return values;
  }

  /** Waits for the values of L. */
  QueryValues l() {
    return values().l();
  }

  /** Waits for the values of A. */
  QueryValues a() {
    return values().a();
  }

  /** Waits for the values of B, in either group. */
  QueryValues b() {
    return values().b();
  }

  private Values values() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true; // the thread reads this assignment: it must end first
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("the queries' values could not be selected", e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
